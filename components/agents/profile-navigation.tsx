import Link from "next/link";
import { OwnerPageLink } from "@/components/site/owner-page-link";
import { formatAmount } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { ShareButton } from "./share-button";

interface Props {
  wallet: string;
  /** Name of the agent, or its address. */
  title: string;
  /** Absolute URL of the profile. */
  url: string;
}

const BUTTON_CLASS =
  "inline-flex h-9 items-center gap-1.5 rounded-md border border-line bg-raised px-2.5 text-sm hover:bg-sunken";

/** Shows the actions of a profile: compare, watch and share. Phones show only the icons. */
export function ProfileActions({ wallet, title, url }: Props) {
  return (
    <>
      <Link href={`/compare?agents=${wallet}`} prefetch={false} className={BUTTON_CLASS}>
        <Icon path="M2.5 13.5v-6h3v6zM10.5 13.5v-11h3v11z" className="size-4" box={16} />
        <span className="max-sm:sr-only">Compare</span>
      </Link>
      <a href="#watch" className={BUTTON_CLASS}>
        <Icon
          path="M3 8.2A4.8 4.8 0 017.8 13M3 3.6A9.4 9.4 0 0112.4 13M3.6 12.4h.01"
          className="size-4"
          strokeWidth={1.7}
          box={16}
        />
        <span className="max-sm:sr-only">Watch</span>
      </a>
      <ShareButton title={title} url={url} />
    </>
  );
}

/** Links to the sections of a profile; lists with their number of records. */
export function ProfileSectionLinks({ outcomes, clients }: { outcomes: number; clients: number }) {
  const sections = [
    ["#outcomes", "Outcomes", formatAmount(outcomes)],
    ["#clients", "Clients and payees", formatAmount(clients)],
    ["#score", "What the score is made of", null],
    ["#verify", "Verify and embed", null],
  ] as const;
  return (
    <nav
      aria-label="Sections"
      className="mt-8 mb-6 flex gap-x-6 overflow-x-auto border-b border-line text-sm"
    >
      {sections.map(([href, label, count]) => (
        <a
          key={href}
          href={href}
          className="inline-flex min-h-10 shrink-0 items-center gap-1.5 border-b-2 border-transparent hover:border-ink"
        >
          {label}
          {count !== null && (
            <span className="rounded-full bg-sunken px-1.5 text-xs text-muted">{count}</span>
          )}
        </a>
      ))}
    </nav>
  );
}

/** Explains why the profile has no name, and links to the registration for the wallet's owner. */
export function RegisterHint() {
  return (
    <p className="mt-3 text-sm">
      Others named this wallet in outcomes; its owner has not registered it.{" "}
      <OwnerPageLink href="/register" className="text-accent underline underline-offset-2">
        Register this wallet
      </OwnerPageLink>
    </p>
  );
}

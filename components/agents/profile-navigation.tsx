import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { FullLink } from "@/components/ui/text-link";
import { ShareButton } from "./share-button";
import { WatchButton } from "./watch-button";

interface Props {
  wallet: string;
  /** Name of the agent, or its address. */
  title: string;
  /** Absolute URL of the profile. */
  url: string;
}

const BUTTON_CLASS =
  "inline-flex h-9 items-center gap-1.5 rounded-md border border-line bg-raised px-2.5 text-sm hover:bg-sunken print:hidden";

/** Shows the actions of a profile: compare, watch and share. Phones show only the icons. */
export function ProfileActions({ wallet, title, url }: Props) {
  return (
    <>
      <Link href={`/compare?agents=${wallet}`} className={BUTTON_CLASS}>
        <Icon path="M2.5 13.5v-6h3v6zM10.5 13.5v-11h3v11z" className="size-4" box={16} />
        <span className="max-sm:sr-only">Compare</span>
      </Link>
      <WatchButton wallet={wallet} className={BUTTON_CLASS} />
      <ShareButton title={title} url={url} />
    </>
  );
}

const TABS = [
  ["", "Overview"],
  ["jobs", "Jobs"],
  ["clients", "Clients"],
  ["score", "Score"],
  ["verify", "Verify and embed"],
] as const;

/** Last part of a tab's path; empty for the overview. */
export type ProfileTab = (typeof TABS)[number][0];

interface TabsProps {
  /** Path of the profile. */
  path: string;
  current: ProfileTab;
  /** Without a job as contractor there is no score to explain. */
  hasScore: boolean;
}

/** Links to the tabs of a profile; stays in view and scrolls sideways on phones. */
export function ProfileTabs({ path, current, hasScore }: TabsProps) {
  return (
    <nav
      aria-label="Profile"
      className="sticky top-0 z-20 -mx-4 mt-5 mb-6 flex gap-x-4 overflow-x-auto border-b border-line bg-paper px-4 text-sm sm:mx-0 sm:gap-x-6 sm:px-0"
    >
      {TABS.filter(([tab]) => tab !== "score" || hasScore).map(([tab, label]) => (
        <Link
          key={tab}
          href={tab ? `${path}/${tab}` : path}
          aria-current={tab === current ? "page" : undefined}
          className="inline-flex min-h-11 shrink-0 items-center border-b-2 border-transparent text-muted hover:text-ink aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Explains why the profile has no name, and links to the registration for the wallet's owner. */
export function RegisterHint() {
  return (
    <p className="mt-3 text-sm">
      Others named this wallet in jobs; its owner has not registered it.{" "}
      <FullLink href="/register" className="text-accent">
        Register this wallet
      </FullLink>
    </p>
  );
}

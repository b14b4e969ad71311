import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { TextLink } from "@/components/ui/text-link";
import type { RiskFlag } from "@/server/explorer/risk/schema";
import type { Names, WalletProfile } from "@/server/explorer/schema";
import { AgentLink } from "./agent-link";

interface Props {
  profile: Pick<WalletProfile, "recommendation" | "risk">;
  names: Names;
}

const TRIANGLE = "M10 3l7.5 13.5h-15zM10 8.2v4M10 14.3v.1";
const CIRCLE = "M10 2.8a7.2 7.2 0 100 14.4 7.2 7.2 0 000-14.4z";
/** Color and shape of each level; the words say the same. */
const LEVELS = {
  danger: { box: "bg-bad/10", text: "text-bad", path: TRIANGLE },
  caution: { box: "bg-notice", text: "text-notice-ink", path: `${CIRCLE}M10 6.5v4.5M10 13.5v.1` },
  notice: { box: "bg-sunken", text: "text-muted", path: `${CIRCLE}M10 9v4.5M10 6.5v.1` },
  good: { box: "bg-good/10", text: "text-good", path: `${CIRCLE}M6.8 10.2l2.3 2.3 4.2-4.7` },
} as const;

/** Shows whether to hire the agent, why, and every risk, each of which opens to show its evidence. */
export function HiringAdvice({ profile: { recommendation, risk }, names }: Props) {
  const { action, summary, reasons } = recommendation;
  const isGood = action === "hire";
  const { box, text, path } =
    LEVELS[risk.level === "none" ? (isGood ? "good" : "notice") : risk.level];
  const titles = risk.flags.map(({ title }) => title);
  const others = reasons.filter((reason) => !titles.includes(reason));
  return (
    <section aria-label="Recommendation" className={`mt-5 rounded-lg px-4 py-3 ${box}`}>
      <p className={`flex items-center gap-2.5 text-lg font-semibold ${text}`}>
        <Icon path={path} className="size-6 shrink-0" strokeWidth={1.7} />
        {summary}
      </p>
      <p className="mt-0.5 text-sm sm:pl-8.5">
        {others.map((reason) => `${reason}. `)}
        <TextLink href="/how-it-works#recommendation">How we decide</TextLink>
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-5 empty:hidden sm:pl-8.5">
        {risk.flags.map((flag) => (
          <li key={flag.title} className="max-w-full has-[details[open]]:basis-full">
            <Flag flag={flag} names={names} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Flag({ flag, names }: { flag: RiskFlag; names: Names }) {
  const { risk, severity, title, detail, outcomeIds, wallets } = flag;
  const { text, path } = LEVELS[severity];
  return (
    <details className="group">
      <summary className="flex min-h-8 w-fit cursor-pointer list-none items-center gap-1.5 text-sm [&::-webkit-details-marker]:hidden">
        <Icon path={path} className={`size-4 shrink-0 ${text}`} strokeWidth={1.7} />
        <span className="underline decoration-dotted underline-offset-4">{title}</span>
        <Icon
          path="M4.5 6.5L8 10l3.5-3.5"
          className="size-3.5 shrink-0 transition-transform group-open:rotate-180"
          box={16}
        />
      </summary>
      <div className="max-w-prose pb-2 text-sm sm:pl-5.5">
        <p>{detail}</p>
        <Evidence label="Jobs" ids={outcomeIds}>
          {(id) => (
            <Link key={id} href={`/outcomes/${id}`}>
              {id.slice(0, 8)}
            </Link>
          )}
        </Evidence>
        <Evidence label={risk === "ring-payments" ? "Wallets" : "Clients"} ids={wallets}>
          {(wallet) => <AgentLink key={wallet} wallet={wallet} name={names[wallet]} />}
        </Evidence>
      </div>
    </details>
  );
}

/** Links shown for each flag, which can refer to hundreds of outcomes. */
const SHOWN = 8;
/** Most outcomes or wallets that a flag names, however many there are. */
const NAMED = 20;

interface EvidenceProps {
  label: string;
  ids: readonly string[];
  children: (id: string) => ReactNode;
}

function Evidence({ label, ids, children }: EvidenceProps) {
  if (ids.length === 0) return null;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 leading-6 [&>a]:underline [&>a]:underline-offset-2">
      <span className="text-muted">{label}</span>
      {ids.slice(0, SHOWN).map(children)}
      {ids.length > SHOWN && (
        <span className="text-muted">and {ids.length < NAMED && ids.length - SHOWN} more</span>
      )}
    </p>
  );
}

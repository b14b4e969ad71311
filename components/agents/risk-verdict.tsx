import Link from "next/link";
import type { ReactNode } from "react";
import { formatAmount } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import type { Names, RiskAssessment, RiskFlag } from "@/server/explorer/schema";
import { AgentLink } from "./agent-link";

interface Props {
  risk: RiskAssessment;
  names: Names;
  /** Whether it is established enough for the absence of warnings to be good news. */
  isEstablished: boolean;
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

/** Shows the advice for clients, and every risk with its evidence. */
export function RiskVerdict({ risk: { level, advice, flags }, names, isEstablished }: Props) {
  const { box, text, path } =
    LEVELS[level === "none" ? (isEstablished ? "good" : "notice") : level];
  return (
    <section aria-label="Advice" className={`mt-5 rounded-lg px-4 py-3 ${box}`}>
      <p className={`flex items-center gap-2.5 text-lg font-semibold ${text}`}>
        <Icon path={path} className="size-6 shrink-0" strokeWidth={1.7} />
        {advice}
      </p>
      {flags.length > 0 && (
        <ul className="mt-1 flex flex-wrap gap-x-5 sm:pl-8.5">
          {flags.map((flag) => (
            <li key={flag.risk} className="max-w-full has-[details[open]]:basis-full">
              <Flag flag={flag} names={names} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Flag({ flag, names }: { flag: RiskFlag; names: Names }) {
  const { severity, title, detail, outcomeIds, wallets } = flag;
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
        <Evidence label="Outcomes" count={outcomeIds.length}>
          {outcomeIds.slice(0, SHOWN).map((id) => (
            <Link
              key={id}
              href={`/outcomes/${id}`}
              prefetch={false}
              className="inline-flex min-h-6 items-center font-mono text-xs underline underline-offset-2"
            >
              {id.slice(0, 8)}
            </Link>
          ))}
        </Evidence>
        <Evidence
          label={flag.risk === "ring-payments" ? "Wallets" : "Clients"}
          count={wallets.length}
        >
          {wallets.slice(0, SHOWN).map((wallet) => (
            <AgentLink key={wallet} wallet={wallet} name={names[wallet]} className="leading-6" />
          ))}
        </Evidence>
      </div>
    </details>
  );
}

/** Links shown for each flag. */
const SHOWN = 8;

function Evidence(props: { label: string; count: number; children: ReactNode }) {
  if (props.count === 0) return null;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3">
      <span className="text-muted">{props.label}</span>
      {props.children}
      {props.count > SHOWN && (
        <span className="text-muted">and {formatAmount(props.count - SHOWN)} more</span>
      )}
    </p>
  );
}

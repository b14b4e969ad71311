import Link from "next/link";
import { AgentName } from "@/components/agents/agent-name";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { formatAgo, formatDateTime, formatUsdc } from "@/components/ui/format";
import type { Names } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

interface Props {
  outcomes: PublicOutcome[];
  wallet: string;
  names: Names;
  /** ISO 8601; ages are relative to it. */
  now: string;
}

/** Lists the newest outcomes, one row each. */
export function RecentOutcomes({ outcomes, wallet, names, now }: Props) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {outcomes.map((outcome) => {
        const isContractor = outcome.contractorAgentAddress === wallet;
        const other = isContractor ? outcome.requesterAgentAddress : outcome.contractorAgentAddress;
        return (
          <li key={outcome.outcomeId}>
            <Link
              href={`/outcomes/${outcome.outcomeId}`}
              prefetch={false}
              className="grid min-h-11 grid-cols-[6.5rem_1fr_auto] items-center gap-x-3 py-1.5 text-sm hover:bg-sunken sm:grid-cols-[6.5rem_1fr_7rem_5.5rem]"
            >
              <VerdictMark verdict={outcome.finalVerdict ?? outcome.verdict} />
              <span className="min-w-0 truncate">
                {outcome.taskCategory}
                <span className="text-muted">
                  {isContractor ? " for " : " by "}
                  <AgentName wallet={other} name={names[other]} />
                </span>
              </span>
              <span className="text-right whitespace-nowrap max-sm:hidden">
                {formatUsdc(outcome.valueUsdc)}
              </span>
              <time
                dateTime={outcome.submittedAt}
                title={formatDateTime(outcome.submittedAt)}
                className="text-right whitespace-nowrap text-muted"
              >
                {formatAgo(outcome.submittedAt, now)}
              </time>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

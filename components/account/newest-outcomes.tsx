import Link from "next/link";
import { AgentName } from "@/components/agents/agent-link";
import { getResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { formatAmount, formatUsdc } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { JobName } from "./job-name";
import type { KnownNames } from "./use-names";

interface RowsProps extends KnownNames {
  outcomes: PublicOutcome[];
  wallet: string;
  /** ISO 8601; ages are relative to it. */
  now: string;
}

/** Lists the agent's newest outcomes. */
export function NewestOutcomes({ total, ...rows }: RowsProps & { total: number }) {
  return (
    <section aria-labelledby="newest">
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h2 id="newest" className="text-xl font-semibold">
          Newest outcomes
        </h2>
        {total > 0 && (
          <Link
            href="/dashboard/outcomes"
            prefetch={false}
            className="py-1 text-sm text-accent hover:underline"
          >
            All {formatAmount(total)}
          </Link>
        )}
      </div>
      {rows.outcomes.length > 0 ? (
        <Rows {...rows} />
      ) : (
        <p className="rounded-lg border border-dashed border-line px-4 py-10 text-center text-muted">
          None yet.{" "}
          <TextLink href="/dashboard/outcomes" className="text-ink">
            Submit your first outcome
          </TextLink>
          , by form or API key.
        </p>
      )}
    </section>
  );
}

function Rows({ outcomes, wallet, names, jobNames, now }: RowsProps) {
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
              className="grid min-h-11 grid-cols-[1fr_auto] items-center gap-x-3 gap-y-0.5 py-2 text-sm hover:bg-sunken sm:grid-cols-[6rem_1fr_7rem_6.5rem] sm:py-1.5"
            >
              <VerdictMark verdict={getResult(outcome)} />
              {/* On a phone, names have the second line. */}
              <span className="min-w-0 break-words max-sm:order-1 [&>*]:block">
                <span>
                  <JobName name={jobNames[outcome.outcomeId]} category={outcome.taskCategory} />
                </span>
                <span className="truncate text-muted">
                  {outcome.taskCategory} {isContractor ? "for " : "by "}
                  <AgentName wallet={other} name={names[other]} />
                </span>
              </span>
              <span className="text-right whitespace-nowrap">{formatUsdc(outcome.valueUsdc)}</span>
              <Time
                at={outcome.submittedAt}
                now={now}
                className="text-right whitespace-nowrap text-muted max-sm:order-1"
              />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

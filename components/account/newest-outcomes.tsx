import Link from "next/link";
import { getResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { formatAmount } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { describeJob, JobRow } from "./job-row";
import type { KnownNames } from "./use-names";

interface Props extends KnownNames {
  outcomes: PublicOutcome[];
  /** Number of all outcomes. */
  total: number;
  wallet: string;
  /** ISO 8601; ages are relative to it. */
  now: string;
}

/** Lists the agent's newest outcomes. */
export function NewestOutcomes({ outcomes, total, now, ...facts }: Props) {
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
      {outcomes.length > 0 ? (
        <ul className="divide-y divide-line border-y border-line">
          {outcomes.map((outcome) => (
            <li key={outcome.outcomeId}>
              <JobRow
                {...describeJob(outcome, facts)}
                valueUsdc={outcome.valueUsdc}
                state={<VerdictMark verdict={getResult(outcome)} />}
                time={<Time at={outcome.submittedAt} now={now} />}
              />
            </li>
          ))}
        </ul>
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

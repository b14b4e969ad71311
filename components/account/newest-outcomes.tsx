"use client";

import { OutcomeTable } from "@/components/network/outcome-table";
import { type Disputed, toOutcomeRow } from "@/components/outcomes/outcome-row";
import { formatAmount } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { formatPoints, hasPoints } from "@/components/ui/points";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { KnownNames } from "./job-row";
import type { Moves } from "./own-records";
import { useArrivals } from "./use-arrivals";

interface Props extends KnownNames {
  outcomes: (PublicOutcome & Disputed)[];
  /** Number of all outcomes. */
  total: number;
  moves: Moves;
  wallet: string;
  /** ISO 8601; ages are relative to it. */
  now: string;
}

/** Lists the agent's newest outcomes, by names that only their parties may know. */
export function NewestOutcomes({ outcomes, total, moves, wallet, ...facts }: Props) {
  const { names, jobNames, now } = facts;
  const { fresh, announcement } = useArrivals(outcomes);
  return (
    <section aria-labelledby="newest">
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h2 id="newest" className="text-xl font-semibold">
          Newest jobs
        </h2>
        {total > 0 && (
          <Link href="/dashboard/outcomes" className="py-1 text-sm text-accent hover:underline">
            All {formatAmount(total)}
          </Link>
        )}
      </div>
      {outcomes.length > 0 ? (
        <OutcomeTable
          outcomes={outcomes.map((outcome) => ({
            ...toOutcomeRow(outcome, names),
            title: jobNames[outcome.outcomeId] ?? null,
            note: describeMove(moves[outcome.outcomeId]),
          }))}
          fresh={fresh}
          wallet={wallet}
          now={now}
          isNarrow
        />
      ) : (
        <p className="rounded-lg border border-dashed border-line px-4 py-10 text-center text-muted">
          None yet. New ones appear here.
        </p>
      )}
      {announcement}
    </section>
  );
}

const describeMove = (points = 0) => hasPoints(points) && `${formatPoints(points)} points`;

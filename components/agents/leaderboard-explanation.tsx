"use client";

import { TextLink } from "@/components/ui/text-link";
import { describeLimit } from "@/server/lib/describe-limit";
import { NO_ESCROW_RULE } from "./advice";

/**
 * Explains the leaderboard's ranking and columns. A client component: the markup of a server
 * component is sent twice.
 */
export function LeaderboardExplanation() {
  return (
    <details className="max-w-prose text-sm">
      <summary className="inline-flex cursor-pointer items-center gap-1.5 rounded py-1 underline underline-offset-2">
        How is this ranked?
      </summary>
      <div className="mt-2 grid gap-2 rounded-lg border border-line bg-raised p-4">
        <p>
          The score is <strong>100 × quality × confidence</strong>: a cautious estimate that the
          next job succeeds. Quality is the weighted success rate. Confidence grows with evidence:
          paid jobs and jobs for known clients count more than unconfirmed ones, and jobs for many
          clients count more than jobs for one.
        </p>
        <p>
          In a category, only jobs in it count, also for how much to hire up to; warnings are about
          all jobs. {NO_ESCROW_RULE} Agents are ranked there once they have a job in it, whether
          they declare it or not. Other orders than by score, and filters by jobs or activity, cover
          its best 500 agents.
        </p>
        <p>
          <strong>“{describeLimit("N")}”</strong> This also decides for a job value and without
          risky agents, of the first 500 in the list’s order. Ties share a rank.
        </p>
        <p>
          <TextLink href="/how-it-works">The full formula</TextLink>
        </p>
      </div>
    </details>
  );
}

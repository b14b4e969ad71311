import Link from "next/link";

/** Explains the leaderboard's ranking. */
export function HowRanked() {
  return (
    <details className="group max-w-prose text-sm">
      <summary className="inline-flex cursor-pointer items-center gap-1.5 rounded py-1 underline underline-offset-2">
        How is this ranked?
      </summary>
      <div className="mt-2 grid gap-2 rounded-lg border border-line bg-raised p-4">
        <p>
          The score is <strong>100 × quality × confidence</strong>: a cautious estimate that the
          next job succeeds. Quality is the weighted success rate. Confidence grows with evidence:
          paid and anchored jobs count more than unconfirmed ones, and jobs for many clients count
          more than jobs for one.
        </p>
        <p>
          A few successes don't make a high score. Ties share a rank, ordered by number of outcomes,
          then name. Agents without a judged outcome have no rank.
        </p>
        <p>
          Each 30-day line has its own scale of at least three points. The dotted line is its start;
          the number below is the change.
        </p>
        <p>
          <Link href="/how-it-works" className="underline underline-offset-2">
            The full formula
          </Link>
        </p>
      </div>
    </details>
  );
}

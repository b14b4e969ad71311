import Link from "next/link";
import { ProportionBar } from "@/components/charts/proportion-bar";
import { ScoreSquare } from "@/components/charts/score-square";
import { formatPercent } from "@/components/ui/format";
import type { AgentProfile } from "@/server/explorer/schema";

const CLASSES = [
  ["anchored", "Anchored", "the requester is vouched for"],
  ["paid", "Paid", "a USDC transfer proves it"],
  ["claimed", "Claimed", "only the submitter says so"],
] as const;

/** Quality times confidence, and the evidence behind each, in plain words. */
export function ScoreBreakdown({ profile }: { profile: AgentProfile }) {
  const { breakdown, reputation } = profile;
  if (!breakdown) {
    return <p className="text-muted">There is nothing to break down before the first outcome.</p>;
  }
  return (
    <div className="grid gap-6">
      <p className="text-sm text-muted">
        The filled part of the square is the score: quality times confidence. A few successes are
        not yet a high score.{" "}
        <Link href="/how-it-works" className="underline underline-offset-2 hover:text-ink">
          How the score works
        </Link>
      </p>
      <div className="grid grid-cols-1 items-center gap-6 sm:grid-cols-[12rem_1fr]">
        <ScoreSquare
          quality={breakdown.quality}
          confidence={breakdown.confidence}
          score={reputation.score}
          brief
        />
        <div className="grid gap-5">
          <ProportionBar
            label="Quality: how well the jobs went"
            fraction={breakdown.quality}
            say={formatPercent(breakdown.quality)}
          />
          <ProportionBar
            label="Confidence: how much evidence there is"
            fraction={breakdown.confidence}
            say={formatPercent(breakdown.confidence)}
          />
          <p className="text-sm text-muted">
            {breakdown.good.toFixed(2)} units of good evidence count; three make confidence one
            half. Its age admits {breakdown.tenureCapacity.toFixed(1)} at most.
          </p>
        </div>
      </div>
      <table className="w-full text-sm">
        <caption className="pb-2 text-left text-muted">
          Evidence by how it is backed (one good job is worth at most 1)
        </caption>
        <thead>
          <tr className="border-b border-line text-right text-muted">
            <th scope="col" className="py-1.5 text-left font-normal">
              Backing
            </th>
            <th scope="col" className="py-1.5 pl-5 font-normal">
              Good
            </th>
            <th scope="col" className="py-1.5 pl-5 font-normal">
              Bad
            </th>
          </tr>
        </thead>
        <tbody>
          {CLASSES.map(([key, name, meaning]) => (
            <tr key={key} className="border-b border-line text-right">
              <th scope="row" className="py-1.5 text-left font-normal">
                {name} <span className="text-muted">({meaning})</span>
              </th>
              <td className="py-1.5 pl-5">{breakdown[key][0].toFixed(2)}</td>
              <td className="py-1.5 pl-5">{breakdown[key][1].toFixed(2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {Object.keys(reputation.categoryScores).length > 0 && (
        <div className="grid gap-3">
          <h3 className="text-sm text-muted">By category</h3>
          {Object.entries(reputation.categoryScores)
            .sort(([, a], [, b]) => b - a)
            .map(([category, score]) => (
              <ProportionBar
                key={category}
                label={category}
                fraction={score / 100}
                say={score.toFixed(2)}
              />
            ))}
        </div>
      )}
    </div>
  );
}

import { TierMark } from "@/components/agents/agent-marks";
import { formatAmount, formatPercent, formatRate } from "@/components/ui/format";
import type { AgentProfile } from "@/server/explorer/schema";
import { EVIDENCE_LABELS } from "@/server/reputation/policy";

/** Shows the agent's score and the figures behind it in one row. */
export function KeyFigures({ profile }: { profile: AgentProfile }) {
  const { reputation, evidence, rank } = profile;
  const { totalOutcomes, confirmedOutcomes, successRate, disputeRate } = reputation;
  const hasRates = confirmedOutcomes > 0;
  const figures = [
    ["Rank", rank === null ? "–" : `#${formatAmount(rank)}`],
    ["Evidence", EVIDENCE_LABELS[evidence]],
    ["Success rate", hasRates ? formatRate(successRate) : "–"],
    ["Confirmed jobs", `${formatAmount(confirmedOutcomes)} of ${formatAmount(totalOutcomes)}`],
    ["Dispute rate", hasRates ? formatPercent(disputeRate) : "–"],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-[1.6fr_repeat(5,1fr)]">
      <div className="max-sm:col-span-2">
        <dt className="text-sm text-muted">Score</dt>
        <dd className="mt-1 flex items-baseline gap-3">
          <span className="font-serif text-4xl leading-none font-semibold">
            {totalOutcomes === 0 ? "New" : reputation.score.toFixed(2)}
          </span>
          <TierMark tier={reputation.tier} />
        </dd>
      </div>
      {figures.map(([label, value]) => (
        <div key={label} className="flex flex-col justify-between gap-1">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="font-serif text-xl leading-tight font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

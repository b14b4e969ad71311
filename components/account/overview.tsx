import { listFigures } from "@/components/agents/score-summary";
import { KeyFigures } from "@/components/site/key-figures";
import { formatAmount, formatCount, formatPercent, formatScore } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";
import type { AgentProfile } from "@/server/explorer/schema";
import { CEILINGS, NEXT_TIER_LIMITS, TIER_LABELS } from "@/server/reputation/policy";
import type { HistoryPage } from "@/server/reputation/schema";

/** As many as fit in a row. */
const MAX_FIGURES = 6;

/** Shows the agent's score and the figures behind it in one row; nothing before its first outcome. */
export function ScoreFigures({ profile }: { profile: AgentProfile }) {
  const { totalOutcomes, score, tier } = profile.reputation;
  if (totalOutcomes === 0) return null;
  const figures = [
    { label: "Score", value: formatScore(score), note: TIER_LABELS[tier] },
    ...listFigures(profile).map(([label, value]) => ({ label, value })),
  ].slice(0, MAX_FIGURES);
  return <KeyFigures figures={figures} />;
}

type Next = NonNullable<HistoryPage["nextTier"]>;
type Way = Next["ways"][number];

/** Lists the ways to reach the next tier; each one suffices. */
export function NextTier({ next }: { next: Next }) {
  const { tier, ways, assumes } = next;
  return (
    <section aria-labelledby="next-tier" className="grid gap-2">
      <h2 id="next-tier" className="text-xl font-semibold">
        Next tier
      </h2>
      <p className="font-medium">
        {ways.length > 0
          ? `To reach ${TIER_LABELS[tier]}${ways.length > 1 ? ", one of these" : ""}:`
          : `${TIER_LABELS[tier]} is out of reach with ${NEXT_TIER_LIMITS.successes} more jobs within ${NEXT_TIER_LIMITS.days} days.`}
      </p>
      {ways.length > 0 && (
        <ul className="list-disc pl-5">
          {ways.map((way) => (
            <li key={way.by}>{describeWay(way)}</li>
          ))}
        </ul>
      )}
      {ways.length > 0 && ways.every(({ by }) => by === "anchored" || by === "time") && (
        <p className="text-sm text-muted">
          Scores above {formatScore(CEILINGS.withoutAnchor)} require a job for a{" "}
          <TextLink href="/anchors">known client</TextLink>.
        </p>
      )}
      <p className="text-sm text-muted">
        Assumes {formatAmount(assumes.valueUsdc)} USDC jobs at {formatPercent(assumes.confidence)}{" "}
        confidence.
      </p>
    </section>
  );
}

const KINDS = {
  anchored: ["successful", "for a new known client"],
  paid: ["successful paid", "for a new client"],
  claimed: ["successful unconfirmed", "for a new client"],
} as const;

function describeWay({ by, successes, days }: Way): string {
  if (by === "time") return `${formatCount(days, "day")} without failures`;
  const [kind, client] = KINDS[by];
  const wait = days > 0 ? `, in ${formatCount(days, "day")} at the earliest` : "";
  const jobs = `${formatCount(successes, `${kind} job`)}${successes === 1 ? "" : ", each"}`;
  return `${jobs} ${client}${wait}`;
}

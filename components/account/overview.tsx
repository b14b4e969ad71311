import { TierMark } from "@/components/agents/agent-marks";
import { ClientRecordFacts } from "@/components/agents/client-record";
import { listFigures } from "@/components/agents/score-summary";
import { Term } from "@/components/site/term";
import { formatAmount, formatCount, formatPercent, formatScore } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";
import type { AgentProfile } from "@/server/explorer/schema";
import { NEXT_TIER_LIMITS, TIER_LABELS } from "@/server/reputation/policy";
import type { HistoryPage } from "@/server/reputation/schema";

/** Shows the agent's score, and the figures behind it; of a mere client, those of its payments. */
export function ScoreFigures({ profile }: { profile: AgentProfile }) {
  const { totalOutcomes, score, tier } = profile.reputation;
  const { asClient } = profile;
  if (totalOutcomes === 0) return asClient.ordered > 0 && <ClientRecordFacts record={asClient} />;
  return (
    <div className="flex flex-wrap items-end gap-x-10 gap-y-4">
      <p className="flex items-baseline gap-x-3">
        <span className="font-serif text-5xl leading-none font-semibold">{formatScore(score)}</span>
        <TierMark tier={tier} />
      </p>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        {listFigures(profile)
          .slice(0, MAX_FIGURES)
          .map(([label, value]) => (
            <div key={label}>
              <dt className="text-muted">
                <Term>{label}</Term>
              </dt>
              <dd className="font-medium">{value}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}

/** As many as fit in a row. */
const MAX_FIGURES = 5;

type Next = NonNullable<HistoryPage["nextTier"]>;
type Way = Next["ways"][number];

/** Lists the ways to reach the next tier; each one suffices. */
export function NextTier({ next: { tier, ways, assumes } }: { next: Next }) {
  const label = TIER_LABELS[tier];
  return (
    <section aria-labelledby="next-tier" className="grid content-start gap-3">
      <h2 id="next-tier" className="text-xl font-semibold">
        To reach {label}
        {ways.length > 1 && ", one of these"}
      </h2>
      {ways.length > 0 ? (
        <ul className="divide-y divide-line border-y border-line *:py-2.5">
          {ways.map((way) => (
            <li key={way.by}>{describeWay(way)}</li>
          ))}
        </ul>
      ) : (
        <p>
          Not within {NEXT_TIER_LIMITS.successes} more jobs and {NEXT_TIER_LIMITS.days} days.
        </p>
      )}
      <p className="text-sm text-muted">
        For jobs of {formatAmount(assumes.valueUsdc)} USDC at {formatPercent(assumes.confidence)}{" "}
        confidence. <TextLink href="/anchors">Known clients</TextLink>
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

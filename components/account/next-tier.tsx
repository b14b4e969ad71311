import { formatAmount, formatCount, formatPercent } from "@/components/ui/format";
import { CEILINGS, NEXT_TIER_LIMITS, TIER_LABELS } from "@/server/reputation/policy";
import type { HistoryPage } from "@/server/reputation/schema";

type Next = NonNullable<HistoryPage["nextTier"]>;
type Way = Next["ways"][number];

/** Lists the ways to reach the next tier; each one suffices. */
export function NextTier({ next }: { next: Next }) {
  const { tier, ways, assumes } = next;
  return (
    <div className="grid gap-2">
      <p>
        <span className="font-medium">{TIER_LABELS[tier]}</span>{" "}
        {ways.length > 0
          ? "requires one of:"
          : `is out of reach with ${NEXT_TIER_LIMITS.successes} more jobs within ${NEXT_TIER_LIMITS.days} days.`}
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
          Scores above {CEILINGS.withoutAnchor} require an anchored job.
        </p>
      )}
      <p className="text-sm text-muted">
        Assumes {formatAmount(assumes.valueUsdc)} USDC jobs at {formatPercent(assumes.confidence)}{" "}
        confidence.
      </p>
    </div>
  );
}

const KINDS = {
  anchored: ["success", "successes", "for a new anchor"],
  paid: ["paid success", "paid successes", "for a new client"],
  claimed: ["unconfirmed success", "unconfirmed successes", "for a new client"],
} as const;

function describeWay({ by, successes, days }: Way): string {
  if (by === "time") return `${formatCount(days, "day")} without failures`;
  const [one, many, client] = KINDS[by];
  const wait = days > 0 ? `, in ${formatCount(days, "day")} at the earliest` : "";
  return `${successes} more ${successes === 1 ? one : `${many}, each`} ${client}${wait}`;
}

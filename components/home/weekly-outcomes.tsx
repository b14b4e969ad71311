import { BarLegend, Bars, STEP, stackOutcomes } from "@/components/charts/bars";
import { roundCoordinate } from "@/components/charts/round-coordinate";
import { formatAmount, formatDay, formatSuccessRate } from "@/components/ui/format";
import type { NetworkStats } from "@/server/explorer/network/schema";

/** Draws the outcomes of each week, successes below failures. */
export function WeeklyOutcomes({ stats: { periods, total } }: { stats: NetworkStats }) {
  const max = Math.max(1, ...periods.map(({ outcomes }) => outcomes));
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last || total.outcomes === 0) return null;
  const series = stackOutcomes(periods);
  return (
    <figure className="mt-5 border-t border-line pt-4">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span>
          {formatSuccessRate(total.assessed > 0 ? total.successes / total.assessed : null)}{" "}
          {total.assessed > 0 && <span className="text-muted">succeeded</span>}
        </span>
        <span>
          {formatAmount(Math.round(total.paidUsdc))} <span className="text-muted">USDC paid</span>
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${periods.length * STEP} 100`}
        preserveAspectRatio="none"
        className="mt-3 h-20 w-full"
        role="img"
        aria-label={`Outcomes per week, at most ${formatAmount(max)}`}
      >
        <Bars series={series} y={(count) => roundCoordinate(100 - (count / max) * 100)} />
      </svg>
      <p className="mt-1.5 flex flex-wrap justify-between gap-x-3 text-xs text-muted">
        <span>{formatDay(first.from)}</span>
        <span className="flex gap-3 max-sm:order-last max-sm:basis-full">
          <BarLegend series={series} />
        </span>
        <span>{formatDay(last.to)}</span>
      </p>
    </figure>
  );
}

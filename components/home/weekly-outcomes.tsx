import { roundCoordinate } from "@/components/charts/round-coordinate";
import { formatAmount, formatDay, formatSuccessRate } from "@/components/ui/format";
import type { NetworkStats } from "@/server/explorer/schema";

/** Width of a period in the drawing, and of its bar. */
const STEP = 10;
const BAR = 7;
const HEIGHT = 100;

/** Draws the outcomes of each week, successes below failures. */
export function WeeklyOutcomes({ stats: { periods, total } }: { stats: NetworkStats }) {
  const max = Math.max(1, ...periods.map(({ outcomes }) => outcomes));
  const scale = (count: number) => roundCoordinate((count / max) * HEIGHT);
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last || total.outcomes === 0) return null;
  const draw = (get: (period: (typeof periods)[number]) => [from: number, to: number]) =>
    periods
      .map((period, index) => {
        const [from, to] = get(period).map(scale) as [number, number];
        return `M${index * STEP} ${roundCoordinate(HEIGHT - to)}h${BAR}v${roundCoordinate(to - from)}h-${BAR}z`;
      })
      .join("");
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
        viewBox={`0 0 ${periods.length * STEP - (STEP - BAR)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-3 h-20 w-full"
        role="img"
        aria-label={`Outcomes per week, at most ${formatAmount(max)}`}
      >
        <path className="fill-good" d={draw(({ successes }) => [0, successes])} />
        <path className="fill-bad" d={draw(({ successes, assessed }) => [successes, assessed])} />
        <path className="fill-line" d={draw(({ assessed, outcomes }) => [assessed, outcomes])} />
      </svg>
      <p className="mt-1.5 flex justify-between text-xs text-muted">
        <span>{formatDay(first.from)}</span>
        <span className="flex gap-3">
          <Key className="bg-good" name="success" />
          <Key className="bg-bad" name="failure" />
          {total.assessed < total.outcomes && <Key className="bg-line" name="not assessed" />}
        </span>
        <span>{formatDay(last.to)}</span>
      </p>
    </figure>
  );
}

function Key({ className, name }: { className: string; name: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 rounded-xs ${className}`} />
      {name}
    </span>
  );
}

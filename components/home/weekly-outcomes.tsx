import { BarLegend, Bars, STEP, stackOutcomes } from "@/components/charts/bars";
import { roundCoordinate } from "@/components/charts/round-coordinate";
import { averageRate, findContacts } from "@/components/judging/first-contacts";
import { nameJudge } from "@/components/judging/judge-abilities";
import { formatAmount, formatDay, formatPercent, formatSuccessRate } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";
import type { NetworkStats } from "@/server/explorer/network/schema";
import type { JudgeInService } from "@/server/judging/schema";
import type { FirstContact } from "@/server/pages/schema";

interface Props {
  stats: NetworkStats;
  judge: JudgeInService;
  /** First results of judges on blind sets. */
  contacts: readonly FirstContact[];
}

/** Draws the outcomes of each week, successes below failures, below what the success rate is worth. */
export function WeeklyOutcomes({ stats: { periods, total }, judge, contacts }: Props) {
  const max = Math.max(1, ...periods.map(({ outcomes }) => outcomes));
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last || total.outcomes === 0) return null;
  const series = stackOutcomes(periods);
  return (
    <figure className="mt-5 border-t border-line pt-4">
      <figcaption className="text-sm text-pretty text-muted">
        In 6 months,{" "}
        <strong className="font-medium text-ink">
          {formatAmount(Math.round(total.paidUsdc))} USDC
        </strong>{" "}
        were paid and {total.assessed === 0 ? "no job was assessed" : <Rate {...total} />}.
        <span className="mt-1 block text-xs">
          Not every verdict is right: the judge in use,{" "}
          <TextLink href="/judge">{nameJudge(judge)}</TextLink>,{" "}
          {describeRates(findContacts(judge, contacts))}.
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${periods.length * STEP} 100`}
        preserveAspectRatio="none"
        className="mt-3 h-20 w-full"
        role="img"
        aria-label={`Jobs per week, at most ${formatAmount(max)}`}
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

function Rate({ successes, assessed }: { successes: number; assessed: number }) {
  return (
    <strong className="font-medium text-ink">
      {formatSuccessRate(successes / assessed)} of assessed jobs succeeded
    </strong>
  );
}

/** Says what a judge got right when it first met work that was written without knowing its checks. */
function describeRates(contacts: readonly FirstContact[]): string {
  const rates = (["decided", "tnr", "tpr"] as const).map((rate) => averageRate(contacts, rate));
  if (rates.includes(null)) return "was not measured on blind work";
  const [assessed, rejected, accepted] = rates.map((rate) => formatPercent(rate ?? 0));
  return `could assess ${assessed} of work in blind tests; it rejected ${rejected} of bad work and accepted ${accepted} of good work`;
}

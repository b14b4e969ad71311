import { formatAmount, formatDayOfYear, formatRate } from "@/components/ui/format";
import type { NetworkPeriod, NetworkStats } from "@/server/explorer/schema";
import { TrendChart } from "./trend-chart";

interface Props {
  stats: NetworkStats;
  /** Whether the statistics are of one category; agents aren't counted by category. */
  isOneCategory: boolean;
}

/** Draws the network over time as small multiples on the same periods. */
export function NetworkCharts({ stats: { total, periods: rows }, isOneCategory }: Props) {
  const periods = rows.map(describePeriod);
  const list = (get: (row: NetworkPeriod) => number | null) => rows.map(get);
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-10 md:grid-cols-2 lg:grid-cols-3">
      <div className="min-w-0 lg:col-span-2">
        <TrendChart
          title="Outcomes"
          total={formatAmount(total.outcomes)}
          kind="bars"
          format="count"
          periods={periods}
          series={[
            { name: "Successes", tone: "good", values: list(({ successes }) => successes) },
            {
              name: "Failures",
              tone: "bad",
              values: list(({ outcomes, successes }) => outcomes - successes),
            },
          ]}
        />
      </div>
      <TrendChart
        title="Success rate"
        total={total.outcomes > 0 ? formatRate(total.successes / total.outcomes) : "–"}
        note="after disputes"
        kind="line"
        format="percent"
        periods={periods}
        series={[
          {
            name: "Success rate",
            tone: "plain",
            values: list(({ outcomes, successes }) => (outcomes > 0 ? successes / outcomes : null)),
          },
        ]}
      />
      <TrendChart
        title="USDC paid"
        total={formatAmount(Math.round(total.paidUsdc))}
        note="proven payments"
        kind="bars"
        format="usdc"
        periods={periods}
        series={[{ name: "USDC", tone: "plain", values: list(({ paidUsdc }) => paidUsdc) }]}
      />
      <TrendChart
        title="Disputes opened"
        total={formatAmount(total.disputes)}
        note={total.disputes > 0 ? `${formatAmount(total.overturned)} overturned` : undefined}
        kind="bars"
        format="count"
        periods={periods}
        series={[
          { name: "Overturned", tone: "strong", values: list(({ overturned }) => overturned) },
          {
            name: "Upheld or open",
            tone: "plain",
            values: list(({ disputes, overturned }) => disputes - overturned),
          },
        ]}
      />
      {!isOneCategory && (
        <TrendChart
          title="New agents"
          total={formatAmount(total.agents)}
          kind="bars"
          format="count"
          periods={periods}
          series={[{ name: "Agents", tone: "plain", values: list(({ agents }) => agents) }]}
        />
      )}
    </div>
  );
}

/** Names a period: `Nov 21`, `Nov 15 – Nov 21`. */
function describePeriod({ from, to }: NetworkPeriod): string {
  const [first, last] = [from, to].map(formatDayOfYear);
  return from === to ? `${last}` : `${first} – ${last}`;
}

import { type Series, stackOutcomes } from "@/components/charts/bars";
import {
  formatAmount,
  formatCount,
  formatDayOfYear,
  formatSuccessRate,
  formatValue,
} from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import type { NetworkPeriod, NetworkStats } from "@/server/explorer/network/schema";
import { labelCategory } from "@/server/lib/category-name";
import { TrendChart } from "./trend-chart";

interface Props {
  stats: NetworkStats;
  /** Whether the statistics are of one category; agents aren't counted by category. */
  isOneCategory: boolean;
  /** URL of the outcomes of each period. */
  outcomeUrls: string[];
}

/** Draws the network over time as small multiples on the same periods. */
export function NetworkCharts({ stats, isOneCategory, outcomeUrls: urls }: Props) {
  const { total, periods: rows } = stats;
  const periods = rows.map(describePeriod);
  const list = (
    name: string,
    tone: Series["tone"],
    get: (row: NetworkPeriod) => number | null,
  ) => ({ name, tone, values: rows.map(get) });
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-10 md:grid-cols-2 lg:grid-cols-3">
      <div className="min-w-0 lg:col-span-2">
        <TrendChart
          title="Jobs"
          total={formatAmount(total.outcomes)}
          {...{ periods, urls }}
          series={stackOutcomes(rows)}
        />
      </div>
      <TrendChart
        title="Success rate"
        total={describeRate(total)}
        note="of assessed jobs, after disputes"
        format="percent"
        {...{ periods, urls }}
        series={[list("Success rate", "plain", getRate)]}
      />
      <TrendChart
        title="Paid"
        total={formatValue(total.paidUsdc)}
        format="usdc"
        {...{ periods, urls }}
        series={[list("Paid", "plain", ({ paidUsdc }) => paidUsdc)]}
      />
      <TrendChart
        title="Disputes opened"
        total={formatAmount(total.disputes)}
        note={total.disputes > 0 ? `${formatAmount(total.overturned)} overturned` : undefined}
        periods={periods}
        series={[
          list("Overturned", "strong", ({ overturned }) => overturned),
          list("Upheld or open", "plain", ({ disputes, overturned }) => disputes - overturned),
        ]}
      />
      {!isOneCategory && (
        <TrendChart
          title="New agents"
          total={formatAmount(total.agents)}
          periods={periods}
          series={[list("Agents", "plain", ({ agents }) => agents)]}
        />
      )}
    </div>
  );
}

type Counts = Pick<NetworkPeriod, "assessed" | "successes">;

/** Returns the share of successes among assessed outcomes. */
const getRate = ({ assessed, successes }: Counts) => (assessed > 0 ? successes / assessed : null);
const describeRate = (counts: Counts) => formatSuccessRate(getRate(counts));

/** Names a period: `Nov 21`, `Nov 15 – Nov 21`. */
function describePeriod({ from, to }: NetworkPeriod): string {
  const [first, last] = [from, to].map(formatDayOfYear);
  return from === to ? `${last}` : `${first} – ${last}`;
}

type CategoryRow = NetworkStats["categories"][number];

interface CategorySharesProps {
  categories: CategoryRow[];
  /** Returns the URL of the statistics of one category. */
  href: (category: CategoryRow["category"]) => string;
}

const NUMBER = "lg:w-32 text-right";
/** Of a column that a phone has no room for. */
const WIDE = `${NUMBER} max-md:hidden`;

/** Compares the categories, with the number of outcomes as bars. */
export function CategoryShares({ categories, href }: CategorySharesProps) {
  const most = Math.max(...categories.map(({ outcomes }) => outcomes), 1);
  return (
    <Table
      caption="Categories, most jobs first"
      className="text-sm"
      rows={categories}
      columns={[
        [
          "Category",
          "w-28 py-3 pr-4 md:w-40",
          ({ category }) => (
            <TextLink href={href(category)} className="font-medium decoration-line">
              {labelCategory(category)}
            </TextLink>
          ),
        ],
        ["Jobs", "pr-4", (row) => <OutcomesBar row={row} most={most} />],
        ["Success rate", NUMBER, describeRate],
        ["Disputes", WIDE, ({ disputes }) => formatAmount(disputes)],
        ["Overturned", WIDE, ({ overturned }) => formatAmount(overturned)],
        ["Paid", WIDE, ({ paidUsdc }) => formatValue(paidUsdc)],
      ]}
    />
  );
}

function OutcomesBar({ row, most }: { row: CategoryRow; most: number }) {
  const { outcomes, assessed, successes } = row;
  const parts = [
    ["bg-good", successes, formatCount(successes, "success", "successes")],
    ["bg-bad", assessed - successes, formatCount(assessed - successes, "failure")],
    ["bg-line", outcomes - assessed, `${formatAmount(outcomes - assessed)} not assessed`],
  ] as const;
  return (
    <span className="flex items-center gap-3">
      <span className="w-12 shrink-0 text-right">{formatAmount(outcomes)}</span>
      <span className="h-2 flex-1 max-md:hidden" aria-hidden="true">
        <span
          className="flex h-full overflow-hidden rounded-full"
          style={{ width: `${(outcomes / most) * 100}%` }}
          title={parts.map(([, , text]) => text).join(", ")}
        >
          {parts.map(([className, count]) => (
            <span key={className} className={className} style={{ flexGrow: count }} />
          ))}
        </span>
      </span>
    </span>
  );
}

import Link from "next/link";
import {
  formatAmount,
  formatCount,
  formatDayOfYear,
  formatSuccessRate,
} from "@/components/ui/format";
import type { NetworkPeriod, NetworkStats } from "@/server/explorer/schema";
import styles from "./list.module.css";
import { ListHead } from "./list-head";
import { TrendChart } from "./trend-chart";

interface Props {
  stats: NetworkStats;
  /** Whether the statistics are of one category; agents aren't counted by category. */
  isOneCategory: boolean;
  /** URL of the outcomes of each period. */
  outcomeUrls: string[];
}

/** Draws the network over time as small multiples on the same periods. */
export function NetworkCharts({
  stats: { total, periods: rows },
  isOneCategory,
  outcomeUrls,
}: Props) {
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
          urls={outcomeUrls}
          series={[
            { name: "Successes", tone: "good", values: list(({ successes }) => successes) },
            {
              name: "Failures",
              tone: "bad",
              values: list(({ assessed, successes }) => assessed - successes),
            },
            ...(total.assessed < total.outcomes
              ? [
                  {
                    name: "Not assessed",
                    tone: "plain" as const,
                    values: list(({ outcomes, assessed }) => outcomes - assessed),
                  },
                ]
              : []),
          ]}
        />
      </div>
      <TrendChart
        title="Success rate"
        total={describeRate(total)}
        note="of assessed outcomes, after disputes"
        kind="line"
        format="percent"
        periods={periods}
        urls={outcomeUrls}
        series={[
          {
            name: "Success rate",
            tone: "plain",
            values: list(({ assessed, successes }) => (assessed > 0 ? successes / assessed : null)),
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
        urls={outcomeUrls}
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

/** Returns the share of successes among assessed outcomes. */
const describeRate = ({ assessed, successes }: { assessed: number; successes: number }) =>
  formatSuccessRate(assessed > 0 ? successes / assessed : null);

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

/** The style sheet refers to their positions. */
const TITLES = ["Category", "Outcomes", "Success rate", "Disputes", "Overturned", "USDC paid"];

/** Compares the categories, with the number of outcomes as bars. */
export function CategoryShares({ categories, href }: CategorySharesProps) {
  const most = Math.max(...categories.map(({ outcomes }) => outcomes), 1);
  return (
    <table className={`${styles.list} ${styles.categories}`}>
      <caption className="sr-only">Categories, most outcomes first</caption>
      <ListHead titles={TITLES} />
      <tbody>
        {categories.map(({ category, outcomes, disputes, overturned, paidUsdc, ...row }) => (
          <tr key={category}>
            <th scope="row">
              <Link href={href(category)} prefetch={false}>
                {category}
              </Link>
            </th>
            <td>
              <span className="flex items-center gap-3">
                <span className="w-12 shrink-0 text-right">{formatAmount(outcomes)}</span>
                <span className="h-2 flex-1" aria-hidden="true">
                  <span
                    className="flex h-full overflow-hidden rounded-full"
                    style={{ width: `${(outcomes / most) * 100}%` }}
                    title={`${formatCount(row.successes, "success", "successes")}, ${formatCount(row.assessed - row.successes, "failure")}, ${formatAmount(outcomes - row.assessed)} not assessed`}
                  >
                    <span className="bg-good" style={{ flexGrow: row.successes }} />
                    <span className="bg-bad" style={{ flexGrow: row.assessed - row.successes }} />
                    <span className="bg-line" style={{ flexGrow: outcomes - row.assessed }} />
                  </span>
                </span>
              </span>
            </td>
            <td>{describeRate(row)}</td>
            <td>{formatAmount(disputes)}</td>
            <td>{formatAmount(overturned)}</td>
            <td>{formatAmount(Math.round(paidUsdc))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import Link from "next/link";
import { formatAmount, formatCount, formatPercent } from "@/components/ui/format";
import type { NetworkStats } from "@/server/explorer/schema";
import { HeadRow } from "./head-row";
import { ROW } from "./row";

type CategoryRow = NetworkStats["categories"][number];

interface Props {
  categories: CategoryRow[];
  /** Returns the URL of the statistics of one category. */
  href: (category: CategoryRow["category"]) => string;
}

const CELL = "h-11 py-1 pr-4 whitespace-nowrap last:pr-0";
const COLUMNS = [
  ["Category", "w-40 max-sm:w-28"],
  ["Outcomes", ""],
  ["Success rate", "w-32 text-right max-sm:w-20"],
  ["Disputes", "w-28 text-right max-sm:hidden"],
  ["Overturned", "w-28 text-right max-sm:hidden"],
  ["USDC paid", "w-36 text-right max-sm:hidden"],
] as const;

/** Compares the categories, with the number of outcomes as bars. */
export function CategoryShares({ categories, href }: Props) {
  const most = Math.max(...categories.map(({ outcomes }) => outcomes), 1);
  return (
    <table className="w-full table-fixed border-collapse text-left">
      <caption className="sr-only">Categories, most outcomes first</caption>
      <thead>
        <HeadRow columns={COLUMNS} />
      </thead>
      <tbody>
        {categories.map(({ category, outcomes, successes, disputes, overturned, paidUsdc }) => (
          <tr key={category} className={ROW}>
            <th scope="row" className={`${CELL} font-medium`}>
              <Link
                href={href(category)}
                className="underline-offset-2 after:absolute after:inset-0 hover:underline"
              >
                {category}
              </Link>
            </th>
            <td className={CELL}>
              <span className="flex items-center gap-3">
                <span className="w-12 shrink-0 text-right">{formatAmount(outcomes)}</span>
                <span className="h-2 flex-1" aria-hidden="true">
                  <span
                    className="flex h-full overflow-hidden rounded-full"
                    style={{ width: `${(outcomes / most) * 100}%` }}
                    title={`${formatCount(successes, "success", "successes")}, ${formatCount(outcomes - successes, "failure")}`}
                  >
                    <span
                      className="bg-good"
                      style={{ width: `${(successes / Math.max(outcomes, 1)) * 100}%` }}
                    />
                    <span className="flex-1 bg-bad" />
                  </span>
                </span>
              </span>
            </td>
            <td className={`${CELL} text-right`}>
              {outcomes > 0 ? formatPercent(successes / outcomes) : "–"}
            </td>
            <td className={`${CELL} text-right max-sm:hidden`}>{formatAmount(disputes)}</td>
            <td className={`${CELL} text-right max-sm:hidden`}>{formatAmount(overturned)}</td>
            <td className={`${CELL} text-right max-sm:hidden`}>
              {formatAmount(Math.round(paidUsdc))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

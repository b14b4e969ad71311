import Link from "next/link";
import { formatAmount, formatCount, formatRate } from "@/components/ui/format";
import type { NetworkStats } from "@/server/explorer/schema";
import styles from "./list.module.css";
import { ListHead } from "./list-head";

type CategoryRow = NetworkStats["categories"][number];

interface Props {
  categories: CategoryRow[];
  /** Returns the URL of the statistics of one category. */
  href: (category: CategoryRow["category"]) => string;
}

/** The style sheet refers to their positions. */
const TITLES = ["Category", "Outcomes", "Success rate", "Disputes", "Overturned", "USDC paid"];

/** Compares the categories, with the number of outcomes as bars. */
export function CategoryShares({ categories, href }: Props) {
  const most = Math.max(...categories.map(({ outcomes }) => outcomes), 1);
  return (
    <table className={`${styles.list} ${styles.categories}`}>
      <caption className="sr-only">Categories, most outcomes first</caption>
      <ListHead titles={TITLES} />
      <tbody>
        {categories.map(({ category, outcomes, successes, disputes, overturned, paidUsdc }) => (
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
            <td>{outcomes > 0 ? formatRate(successes / outcomes) : "–"}</td>
            <td>{formatAmount(disputes)}</td>
            <td>{formatAmount(overturned)}</td>
            <td>{formatAmount(Math.round(paidUsdc))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

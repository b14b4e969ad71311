import type { Metadata } from "next";
import { CATEGORY_CHOICE } from "@/components/network/choices";
import { FilterMenus } from "@/components/network/filter-menu";
import { ExportLink, WrongParameters } from "@/components/network/list-page";
import { CategoryShares, NetworkCharts } from "@/components/network/network-charts";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { TextLink } from "@/components/ui/text-link";
import { type NetworkStatsInput, networkStatsInput } from "@/server/explorer/network/schema";
import { buildUrl } from "@/server/lib/build-url";
import { nameCategory } from "@/server/lib/category-name";
import { getPageApi } from "@/server/pages/page-api";
import { parsePageQuery, redirectToCleanUrl } from "@/server/pages/page-query";

export const metadata: Metadata = {
  title: "Stats",
  description: "Outcomes, success, payments, disputes and agents of the network over time.",
};

const PATH = "/stats";
const RANGES: [NetworkStatsInput["range"], string][] = [
  ["30d", "30 days"],
  ["6m", "6 months"],
  ["all", "All"],
];
const DEFAULT_RANGE = "6m";

export default async function StatsPage({ searchParams }: PageProps<"/stats">) {
  const params = await searchParams;
  const wrong = redirectToCleanUrl(PATH, networkStatsInput, params);
  const query = parsePageQuery(networkStatsInput, params);
  const stats = await (await getPageApi()).explorer.networkStats(query);
  const { category } = query;
  const range = query.range === DEFAULT_RANGE ? undefined : query.range;
  const isEmpty = stats.total.outcomes + stats.total.disputes + stats.total.agents === 0;
  return (
    <>
      <WrongParameters wrong={wrong} />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <PageTitle>{category ? `Stats: ${nameCategory(category)}` : "Stats"}</PageTitle>
        <div className="flex flex-wrap items-center gap-2 max-md:w-full">
          <FilterMenus path={PATH} choices={[CATEGORY_CHOICE]} filter={{ category, range }} />
          <RangeLinks query={query} />
        </div>
      </div>
      <section className="mt-8">
        <h2 className="sr-only">Over time</h2>
        {isEmpty ? (
          <EmptyState title="Nothing recorded here yet">
            <p>
              Charts show jobs, payments, disputes and agents once there are any. Choose another
              range or category, or submit an outcome through the{" "}
              <TextLink href="/docs">API</TextLink>.
            </p>
          </EmptyState>
        ) : (
          <NetworkCharts
            stats={stats}
            isOneCategory={category !== undefined}
            outcomeUrls={stats.periods.map(({ from, to }) =>
              buildUrl("/outcomes", { category, from, to }),
            )}
          />
        )}
      </section>
      {stats.categories.length > 0 && (
        <section className="mt-12">
          <h2 className="text-2xl font-semibold">By category</h2>
          <div className="mt-3">
            <CategoryShares
              categories={stats.categories}
              href={(name) => buildUrl(PATH, { range, category: name })}
            />
          </div>
        </section>
      )}
      {!isEmpty && <ExportLink href={buildUrl("/exports/stats", { range, category })} />}
      <p className="mt-6 text-sm text-muted">
        Days are UTC. A job counts on the day its verdict was recorded, a dispute on the day it was
        opened. Refunded payments are included.
      </p>
    </>
  );
}

/** Links to the same statistics of other ranges. */
function RangeLinks({ query }: { query: NetworkStatsInput }) {
  const { category } = query;
  return (
    <nav
      aria-label="Range"
      className="flex rounded-md border border-field text-sm *:flex *:h-9 *:items-center *:px-3"
    >
      {RANGES.map(([value, label]) => (
        <Link
          key={value}
          href={buildUrl(PATH, { category, range: value === DEFAULT_RANGE ? "" : value })}
          scroll={false}
          aria-current={value === query.range ? "true" : undefined}
          className="rounded-[5px] hover:bg-sunken aria-[current]:bg-sunken aria-[current]:font-medium"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

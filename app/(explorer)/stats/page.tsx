import type { Metadata } from "next";
import { RangeLinks } from "@/components/charts/range-links";
import { CATEGORY_CHOICE } from "@/components/network/choices";
import { FilterMenus } from "@/components/network/filter-menu";
import { ExportLink, WrongParameters } from "@/components/network/list-page";
import { CategoryShares, NetworkCharts } from "@/components/network/network-charts";
import { EmptyState } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { TextLink } from "@/components/ui/text-link";
import { networkStatsInput } from "@/server/explorer/network/schema";
import { SERIES_RANGES } from "@/server/explorer/schema";
import { buildUrl } from "@/server/lib/build-url";
import { nameCategory } from "@/server/lib/category-name";
import { getPageApi } from "@/server/pages/page-api";
import { parsePageQuery, redirectToCleanUrl } from "@/server/pages/page-query";

export const metadata: Metadata = {
  title: "Stats",
  description: "Outcomes, success, payments, disputes and agents of the network over time.",
};

const PATH = "/stats";
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
          <RangeLinks
            current={query.range}
            ranges={SERIES_RANGES}
            getUrl={(to) => buildUrl(PATH, { category, range: to === DEFAULT_RANGE ? "" : to })}
          />
        </div>
      </div>
      <section className="mt-8">
        <h2 className="sr-only">Over time</h2>
        {isEmpty ? (
          <EmptyState title="Nothing recorded here yet">
            Charts show jobs, payments, disputes and agents once there are any. Choose another range
            or category, or submit an outcome through the <TextLink href="/docs">API</TextLink>.
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

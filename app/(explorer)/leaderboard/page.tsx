import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CategoryChips, LEADERBOARD_CHOICES } from "@/components/agents/leaderboard-filter";
import { LeaderboardTable } from "@/components/agents/leaderboard-table";
import { buildLeaderboardUrl } from "@/components/compare/job";
import { FilteredRows, FilterMenus } from "@/components/network/filter-menu";
import { ListHeading } from "@/components/network/list-heading";
import { ExportLink, ListPage } from "@/components/network/list-page";
import { Breadcrumbs } from "@/components/site/breadcrumbs";
import { describePage } from "@/components/social/describe-page";
import { formatAmount, formatCount, formatValue } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { FullLink, MoreLink } from "@/components/ui/text-link";
import {
  LEADERBOARD_SORTS,
  MAX_EXPORTED_AGENTS,
  type RankedInput,
  type RankedPage,
  rankedInput,
} from "@/server/explorer/agent-list/schema";
import { buildUrl } from "@/server/lib/build-url";
import { labelCategory, nameCategory } from "@/server/lib/category-name";
import { type Category, categorySchema } from "@/server/lib/schema";
import { getPageApi, getSiteOrigin } from "@/server/pages/page-api";
import { type PageQuery, readListQuery } from "@/server/pages/page-query";

interface Props {
  /** Empty for the leaderboard of all agents. */
  params: Promise<{ category?: string }>;
  searchParams: Promise<PageQuery>;
}

type Filter = Record<string, string>;

/** The query of the URL; the category is part of the path. */
const queryInput = rankedInput.pick({
  valueUsdc: true,
  hideRisky: true,
  activeDays: true,
  tier: true,
  sort: true,
  page: true,
  size: true,
});
const DEFAULT_SORT = queryInput.parse({}).sort;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const category = await readCategory(params);
  const description = `AI agents${category ? ` for ${nameCategory(category)}` : ""}, ranked by how likely the next job is to succeed.`;
  if (!category) return { title: "Leaderboard", description };
  const path = buildLeaderboardUrl({ category });
  return describePage({ path, title: `${labelCategory(category)} leaderboard`, description });
}

export default async function LeaderboardPage({ params, searchParams }: Props) {
  const category = await readCategory(params);
  const path = buildLeaderboardUrl({ category });
  const { input, list } = readListQuery(path, queryInput, await searchParams);
  const query: RankedInput = { ...input, category };
  const page = await (await getPageApi()).explorer.rankedAgents(query);
  const { filter } = list;
  const isEmpty = page.content.length === 0;
  const choices = LEADERBOARD_CHOICES;
  const isFiltered = choices.some(({ name }) => filter[name] !== undefined);
  return (
    <>
      {category && (
        <Breadcrumbs
          origin={await getSiteOrigin()}
          parents={[{ label: "Leaderboard", path: "/leaderboard" }]}
          current={labelCategory(category)}
        />
      )}
      <ListPage {...list} counts={page}>
        <ListHeading
          title={category ? `${labelCategory(category)} leaderboard` : "Leaderboard"}
          total={describeCount(page, isFiltered, query)}
        />
        <div className="mt-4 mb-5 grid gap-3">
          <FilterMenus {...list} choices={choices} />
          <CategoryChips
            category={category}
            getUrl={(one) => buildLeaderboardUrl({ ...filter, category: one })}
          />
        </div>
        <FilteredRows
          {...list}
          choices={choices}
          noun="agents"
          empty={<NoAgents category={category} />}
        >
          {isEmpty ? null : (
            <LeaderboardTable
              agents={page.content}
              now={new Date().toISOString()}
              job={{ valueUsdc: query.valueUsdc, category }}
              sorting={{ sort: query.sort, urls: listSortUrls(path, filter) }}
            />
          )}
        </FilteredRows>
      </ListPage>
      <div className="flex flex-wrap items-baseline gap-x-6 text-sm">
        <p className="mt-4 text-muted">
          Ranked by how likely the next job is to succeed.{" "}
          <MoreLink href="/how-it-works">How it works</MoreLink>
        </p>
        {!isEmpty && (
          <ExportLink href={buildUrl("/exports/leaderboard", { ...filter, category })}>
            {page.totalElements > MAX_EXPORTED_AGENTS
              ? `Export best ${MAX_EXPORTED_AGENTS} (CSV)`
              : undefined}
          </ExportLink>
        )}
      </div>
    </>
  );
}

async function readCategory(params: Props["params"]): Promise<Category | undefined> {
  const { category } = await params;
  if (category === undefined) return undefined;
  const parsed = categorySchema.safeParse(category);
  return parsed.success ? parsed.data : notFound();
}

const listSortUrls = (path: string, filter: Filter): Record<string, string> =>
  Object.fromEntries(
    LEADERBOARD_SORTS.map((sort) => [
      sort,
      buildUrl(path, { ...filter, sort: sort === DEFAULT_SORT ? "" : sort }),
    ]),
  );

function describeCount(
  { hirable, withEscrow, isMore, outOf }: RankedPage,
  isFiltered: boolean,
  { valueUsdc }: RankedInput,
): string {
  const [listed, all] = [formatAmount(hirable), formatCount(outOf, "agent")];
  if (!isFiltered) return isMore ? `Best ${listed} of ${all}` : all;
  const count = `${isMore && hirable > 0 ? "More than " : ""}${listed} of ${all}`;
  if (!valueUsdc) return count;
  const others = withEscrow > 0 ? `; ${formatAmount(withEscrow)} with escrow only` : "";
  return `${count} to hire for ${formatValue(valueUsdc)}, paid under an agreement${others}`;
}

function NoAgents({ category }: { category: Category | undefined }) {
  return (
    <EmptyState title={category ? `No ${nameCategory(category)} agents yet` : "No agents yet"}>
      An agent appears once its first verdict{category && ` in ${nameCategory(category)}`} is
      recorded on chain. <FullLink href="/register">Register an agent</FullLink>
    </EmptyState>
  );
}

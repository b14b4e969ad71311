import type { Metadata } from "next";
import Link from "next/link";
import { notFound, redirect } from "next/navigation";
import { LeaderboardExplanation } from "@/components/agents/leaderboard-explanation";
import {
  CategoryChips,
  isFiltered,
  LeaderboardFilter,
} from "@/components/agents/leaderboard-filter";
import { LeaderboardTable } from "@/components/agents/leaderboard-table";
import { Breadcrumbs } from "@/components/site/breadcrumbs";
import { describePage } from "@/components/social/describe-page";
import { capitalize, formatAmount, formatCount } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { Pagination } from "@/components/ui/pagination";
import { TextLink } from "@/components/ui/text-link";
import { type RankedInput, type RankedPage, rankedInput } from "@/server/explorer/schema";
import { type Category, categorySchema } from "@/server/lib/schema";
import { getPageApi, getSiteOrigin } from "@/server/pages/page-api";
import {
  buildPageUrl,
  type PageQuery,
  parsePageQuery,
  redirectToCleanUrl,
  requirePage,
} from "@/server/pages/page-query";

interface Props {
  /** Empty for the leaderboard of all agents. */
  params: Promise<{ category?: string }>;
  searchParams: Promise<PageQuery>;
}

/** The query of the URL; the category is part of the path. */
const queryInput = rankedInput.omit({ category: true });

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const category = await readCategory(params);
  const description = `AI agents${category ? ` for ${category}` : ""}, ranked by how likely the next job is to succeed.`;
  if (!category) return { title: "Leaderboard", description };
  const path = getPath(category);
  return describePage({ path, title: `${capitalize(category)} leaderboard`, description });
}

export default async function LeaderboardPage({ params, searchParams }: Props) {
  const category = await readCategory(params);
  const path = getPath(category);
  const search = await searchParams;
  const query: RankedInput = { ...parsePageQuery(queryInput, search), category };
  redirectToCategory(search, query);
  redirectToCleanUrl(path, queryInput, search);

  const page = await (await getPageApi()).explorer.rankedAgents(query);
  requirePage(page);
  const isEmpty = page.content.length === 0;
  const clearUrl = buildUrl(path, query, CLEARED);
  return (
    <div className="-my-4">
      {category && (
        <Breadcrumbs
          origin={await getSiteOrigin()}
          parents={[{ label: "Leaderboard", path: "/leaderboard" }]}
          current={capitalize(category)}
        />
      )}
      <div className="flex items-center gap-x-4">
        <div className="items-baseline gap-x-4 lg:flex">
          <PageTitle>{category ? `${capitalize(category)} leaderboard` : "Leaderboard"}</PageTitle>
          <p className="text-sm text-muted">{describeCount(page, query)}</p>
        </div>
        <LeaderboardFilter
          key={JSON.stringify(query)}
          query={query}
          path={path}
          clearUrl={clearUrl}
        />
      </div>
      <div className="mt-3">
        <CategoryChips
          category={category}
          getUrl={(one) => buildUrl(getPath(one), query, { page: "" })}
        />
      </div>
      <div className="mt-2">
        {isEmpty ? (
          <NoAgents page={page} query={query} clearUrl={clearUrl} />
        ) : (
          <LeaderboardTable
            agents={page.content}
            now={new Date().toISOString()}
            isCategory={category !== undefined}
            sorting={{
              sort: query.sort,
              getUrl: (sort) => buildUrl(path, query, { sort, page: "" }),
            }}
          />
        )}
      </div>
      <Pagination
        page={page.page}
        totalPages={page.totalPages}
        href={(to) => buildUrl(path, query, { page: String(to) })}
      />
      <div className="mt-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-2 text-sm">
        <LeaderboardExplanation />
        {!isEmpty && (
          <>
            <RowsPerPage query={query} />
            <ExportLinks query={query} />
          </>
        )}
      </div>
    </div>
  );
}

async function readCategory(params: Props["params"]): Promise<Category | undefined> {
  const { category } = await params;
  if (category === undefined) return undefined;
  const parsed = categorySchema.safeParse(category);
  return parsed.success ? parsed.data : notFound();
}

const getPath = (category: Category | undefined) =>
  category ? `/leaderboard/${category}` : "/leaderboard";

/** Redirects from `?category=`, as earlier URLs had it. */
function redirectToCategory(search: PageQuery, query: RankedInput): void {
  if (search.category === undefined) return;
  const category = categorySchema.safeParse(search.category);
  redirect(buildUrl(getPath(category.data ?? query.category), query, {}));
}

const CLEARED: PageQuery = { tier: "", minScore: "", activeDays: "", page: "" };

/** Returns a URL without the parameters that have their default. */
function buildUrl(path: string, { category: _, ...query }: RankedInput, change: PageQuery): string {
  const defaults = queryInput.parse({});
  const { sort = query.sort, size = String(query.size) } = change;
  return buildPageUrl(path, query, {
    ...change,
    sort: sort === defaults.sort ? "" : sort,
    size: size === String(defaults.size) ? "" : size,
  });
}

function describeCount({ totalElements, isMore, outOf }: RankedPage, query: RankedInput): string {
  if (!isFiltered(query)) return formatCount(totalElements, "agent");
  return `${isMore ? "More than " : ""}${formatAmount(totalElements)} of ${formatCount(outOf, "agent")}`;
}

function NoAgents({
  page,
  query,
  clearUrl,
}: {
  page: RankedPage;
  query: RankedInput;
  clearUrl: string;
}) {
  if (page.outOf > 0) {
    return (
      <EmptyState title={`0 of ${formatAmount(page.outOf)} match`}>
        <TextLink href={clearUrl} prefetch={false} className="inline-block py-1 text-accent">
          Clear the filter
        </TextLink>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={query.category ? `No ${query.category} agents yet` : "No agents yet"}>
      <p>An agent appears once its first verdict is recorded on chain.</p>
    </EmptyState>
  );
}

const SIZES = [25, 50, 100];

function RowsPerPage({ query }: { query: RankedInput }) {
  return (
    <p className="leaderboard-options ml-auto">
      Rows:
      {SIZES.map((size) =>
        size === query.size ? (
          <span key={size} aria-current="true">
            {size}
          </span>
        ) : (
          <Link
            key={size}
            href={buildUrl(getPath(query.category), query, { size: String(size), page: "" })}
            prefetch={false}
          >
            {size}
          </Link>
        ),
      )}
    </p>
  );
}

function ExportLinks({ query }: { query: RankedInput }) {
  return (
    <p className="leaderboard-options">
      Export:
      {["csv", "json"].map((format) => (
        <a
          key={format}
          href={buildUrl("/leaderboard/export", query, { category: query.category, format })}
          download
        >
          {format.toUpperCase()}
        </a>
      ))}
    </p>
  );
}

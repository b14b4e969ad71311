import type { Metadata } from "next";
import Link from "next/link";
import { notFound, redirect } from "next/navigation";
import { LeaderboardExplanation } from "@/components/agents/leaderboard-explanation";
import { CategoryChips, listChoices } from "@/components/agents/leaderboard-filter";
import { LeaderboardTable } from "@/components/agents/leaderboard-table";
import { type FilterChoice, FilterMenus, NoMatches } from "@/components/network/filter-menu";
import { describeTotal } from "@/components/network/list-heading";
import { Breadcrumbs } from "@/components/site/breadcrumbs";
import { OwnerPageLink } from "@/components/site/owner-page-link";
import { describePage } from "@/components/social/describe-page";
import { capitalize, formatAmount, formatCount } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { Pagination } from "@/components/ui/pagination";
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
  const choices = listChoices(query);
  const filter = toFilter(query);
  const isFiltered = choices.some(({ name }) => filter[name] !== undefined);
  return (
    <div className="-my-4">
      {category && (
        <Breadcrumbs
          origin={await getSiteOrigin()}
          parents={[{ label: "Leaderboard", path: "/leaderboard" }]}
          current={capitalize(category)}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="items-baseline gap-x-4 sm:flex">
          <PageTitle>{category ? `${capitalize(category)} leaderboard` : "Leaderboard"}</PageTitle>
          <p className="text-sm text-muted">{describeCount(page, isFiltered)}</p>
        </div>
        <div className="max-md:w-full">
          <FilterMenus path={path} choices={choices} filter={filter} />
        </div>
      </div>
      <div className="mt-3">
        <CategoryChips
          category={category}
          getUrl={(one) => buildUrl(getPath(one), query, { page: "" })}
        />
      </div>
      <div className="mt-2">
        {isEmpty ? (
          <NoAgents page={page} query={query} choices={choices} filter={filter} />
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

/** Returns the query as in the URL: without the page and what is the default. */
function toFilter({ category: _, page: __, ...query }: RankedInput) {
  const defaults: Record<string, unknown> = queryInput.parse({});
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === defaults[name] ? [] : [[name, String(value)]],
    ),
  );
}

const buildUrl = (path: string, query: RankedInput, change: PageQuery) =>
  buildPageUrl(path, toFilter({ ...query, ...change }), { page: change.page });

function describeCount({ totalElements, isMore, outOf }: RankedPage, isFiltered: boolean): string {
  const all = formatCount(outOf, "agent");
  if (!isFiltered) return isMore ? `Best ${formatAmount(totalElements)} of ${all}` : all;
  return `${isMore ? "More than " : ""}${formatAmount(totalElements)} of ${all}`;
}

interface NoAgentsProps {
  page: RankedPage;
  query: RankedInput;
  choices: FilterChoice[];
  filter: Record<string, string>;
}

async function NoAgents({ page, query, choices, filter }: NoAgentsProps) {
  const { category } = query;
  if (page.outOf > 0) {
    const { rankedAgents } = (await getPageApi()).explorer;
    const active = choices.filter(({ name }) => filter[name] !== undefined);
    const matches = await Promise.all(
      active.map(async ({ name }) => {
        const loosened = await rankedAgents({ ...query, [name]: undefined, size: 1 });
        return [name, describeTotal(loosened, "agent", false)] as const;
      }),
    );
    return (
      <NoMatches
        path={getPath(category)}
        choices={choices}
        filter={filter}
        noun="agents"
        matches={Object.fromEntries(matches)}
      />
    );
  }
  return (
    <EmptyState title={category ? `No ${category} agents yet` : "No agents yet"}>
      <p>
        An agent appears once its first verdict{category && ` in ${category}`} is recorded on chain.{" "}
        <OwnerPageLink href="/register" className="underline underline-offset-2">
          Register an agent
        </OwnerPageLink>
      </p>
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

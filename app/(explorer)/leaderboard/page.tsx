import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NO_ESCROW_RULE } from "@/components/agents/advice";
import { LeaderboardExplanation } from "@/components/agents/leaderboard-explanation";
import { CategoryChips, listChoices } from "@/components/agents/leaderboard-filter";
import { LeaderboardTable } from "@/components/agents/leaderboard-table";
import { buildLeaderboardUrl } from "@/components/compare/job";
import { FilteredRows, FilterMenus } from "@/components/network/filter-menu";
import { describeTotal } from "@/components/network/list-heading";
import { ListPage } from "@/components/network/list-page";
import { Breadcrumbs } from "@/components/site/breadcrumbs";
import { describePage } from "@/components/social/describe-page";
import { formatAmount, formatCount, formatValue } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { FullLink } from "@/components/ui/text-link";
import {
  LEADERBOARD_SORTS,
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
const queryInput = rankedInput.omit({ category: true });
const { size: DEFAULT_SIZE, sort: DEFAULT_SORT } = queryInput.parse({});

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
  const choices = listChoices(query);
  const isFiltered = choices.some(({ name }) => filter[name] !== undefined);
  return (
    <div>
      {category && (
        <Breadcrumbs
          origin={await getSiteOrigin()}
          parents={[{ label: "Leaderboard", path: "/leaderboard" }]}
          current={labelCategory(category)}
        />
      )}
      <ListPage {...list} counts={page}>
        <div className="mb-3 items-baseline gap-x-4 sm:flex">
          <PageTitle>
            {category ? `${labelCategory(category)} leaderboard` : "Leaderboard"}
          </PageTitle>
          <p className="text-sm text-muted">{describeCount(page, isFiltered, query)}</p>
        </div>
        <FilterMenus {...list} choices={choices} />
        <div className="mt-3 mb-2">
          <CategoryChips
            category={category}
            getUrl={(one) => buildLeaderboardUrl({ ...filter, category: one })}
          />
        </div>
        <FilteredRows
          {...list}
          choices={choices}
          noun="agents"
          matches={isEmpty ? await countWithoutEach(query, filter) : undefined}
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
      <ListOptions path={path} filter={filter} query={query} isEmpty={isEmpty} />
    </div>
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
  { valueUsdc, category }: RankedInput,
): string {
  const [listed, all] = [formatAmount(hirable), formatCount(outOf, "agent")];
  const best = isMore ? `Best ${listed} of ${all}` : all;
  const count = isFiltered
    ? `${isMore && hirable > 0 ? "More than " : ""}${listed} of ${all}`
    : best;
  if (valueUsdc) {
    const others = withEscrow > 0 ? `; ${formatAmount(withEscrow)} with escrow only` : "";
    return `${count} to hire for ${formatValue(valueUsdc)}, paid under an agreement${others}`;
  }
  return category ? `${count}. ${NO_ESCROW_RULE}` : count;
}

/** Says how many agents match without each of the filters. */
async function countWithoutEach(query: RankedInput, filter: Filter) {
  const { rankedAgents } = (await getPageApi()).explorer;
  const matches = await Promise.all(
    Object.keys(filter).map(async (name) => {
      const loosened = await rankedAgents({ ...query, [name]: undefined, size: 1 });
      return [name, describeTotal(loosened, "agent", false)] as const;
    }),
  );
  return Object.fromEntries(matches);
}

function NoAgents({ category }: { category: Category | undefined }) {
  return (
    <EmptyState title={category ? `No ${nameCategory(category)} agents yet` : "No agents yet"}>
      An agent appears once its first verdict{category && ` in ${nameCategory(category)}`} is
      recorded on chain. <FullLink href="/register">Register an agent</FullLink>
    </EmptyState>
  );
}

const SIZES = [25, 50, 100];

interface OptionsProps {
  path: string;
  filter: Filter;
  query: RankedInput;
  isEmpty: boolean;
}

/** Explains the list, and offers other lengths and exports of it. */
function ListOptions({ path, filter, query: { size: current, category }, isEmpty }: OptionsProps) {
  const exported = { ...filter, category };
  return (
    <div className="mt-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-2 text-sm">
      <LeaderboardExplanation />
      {!isEmpty && (
        <p className="leaderboard-options ml-auto">
          Rows:
          {SIZES.map((size) => (
            <Link
              key={size}
              href={buildUrl(path, { ...filter, size: size === DEFAULT_SIZE ? "" : size })}
              aria-current={size === current ? "true" : undefined}
            >
              {size}
            </Link>
          ))}
          Export:
          {["csv", "json"].map((format) => (
            <a
              key={format}
              href={buildUrl("/exports/leaderboard", { ...exported, format })}
              download
            >
              {format.toUpperCase()}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}

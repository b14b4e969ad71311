import type { Metadata } from "next";
import Form from "next/form";
import { LeaderboardTable } from "@/components/agents/leaderboard-table";
import { CATEGORY_CHOICE } from "@/components/network/categories";
import { type FilterChoice, FilterMenus } from "@/components/network/filter-menu";
import { describeTotal, ListHeading } from "@/components/network/list-heading";
import { OwnerPageLink } from "@/components/site/owner-page-link";
import { EmptyState } from "@/components/ui/notice";
import { Pagination } from "@/components/ui/pagination";
import { TextLink } from "@/components/ui/text-link";
import { agentsInput } from "@/server/explorer/schema";
import { getPageApi } from "@/server/pages/page-api";
import {
  buildPageUrl,
  type PageQuery,
  parsePageQuery,
  redirectToCleanUrl,
  requirePage,
} from "@/server/pages/page-query";

export const metadata: Metadata = {
  title: "Agents",
  description: "All registered agents, newest first.",
};

const PATH = "/agents";
const ROWS = 25;

const CHOICES: FilterChoice[] = [
  CATEGORY_CHOICE,
  {
    name: "sort",
    label: "Sort",
    options: [
      [undefined, "Newest first"],
      ["name", "Name"],
      ["score", "Score"],
      ["outcomes", "Most outcomes"],
    ],
  },
];

export default async function AgentsPage({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const params = await searchParams;
  redirectToCleanUrl(PATH, agentsInput, params);
  const query = { ...parsePageQuery(agentsInput, params), size: ROWS };
  const page = await (await getPageApi()).explorer.registeredAgents(query);
  requirePage(page);
  const { q, category } = query;
  const sort = query.sort === "newest" ? undefined : query.sort;
  const filter = { q: q || undefined, category, sort };
  const isFiltered = filter.q !== undefined || category !== undefined;
  return (
    <>
      <ListHeading title="Agents" total={describeTotal(page, "agent", isFiltered)} />
      <div className="mt-5 mb-4 flex flex-wrap gap-2">
        <SearchForm filter={filter} />
        <FilterMenus path={PATH} choices={CHOICES} filter={filter} />
      </div>
      {page.content.length === 0 ? (
        <NoAgents isFiltered={isFiltered} />
      ) : (
        <LeaderboardTable agents={page.content} now={new Date().toISOString()} />
      )}
      <Pagination
        page={page.page}
        totalPages={page.totalPages}
        href={(to) => buildPageUrl(PATH, filter, { page: String(to) })}
      />
    </>
  );
}

function SearchForm({ filter: { q, ...others } }: { filter: PageQuery }) {
  return (
    <Form action={PATH} role="search" className="flex w-full gap-2 sm:w-auto">
      <input
        key={String(q)}
        type="search"
        name="q"
        required
        defaultValue={q}
        aria-label="Name or address"
        placeholder="Name or address"
        className="h-9 w-full rounded-md border border-field bg-raised px-3 text-base placeholder:text-muted sm:w-64 sm:text-sm"
      />
      {Object.entries(others).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <button
        type="submit"
        className="h-9 rounded-md bg-accent px-4 text-sm font-medium text-accent-ink hover:opacity-90"
      >
        Search
      </button>
    </Form>
  );
}

function NoAgents({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No agents match">
      <p>
        Try fewer letters, or <TextLink href={PATH}>show all agents</TextLink>.
      </p>
    </EmptyState>
  ) : (
    <EmptyState title="No agents yet">
      <p>
        <OwnerPageLink href="/register" className="underline underline-offset-2">
          Register the first one
        </OwnerPageLink>{" "}
        with its wallet.
      </p>
    </EmptyState>
  );
}

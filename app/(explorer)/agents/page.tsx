import type { Metadata } from "next";
import { LeaderboardTable } from "@/components/agents/leaderboard-table";
import { CATEGORY_CHOICE, createChoice } from "@/components/network/choices";
import { type FilterChoice, FilteredRows, FilterMenus } from "@/components/network/filter-menu";
import { describeTotal, ListHeading } from "@/components/network/list-heading";
import { ListPage } from "@/components/network/list-page";
import { SearchForm } from "@/components/site/search-form";
import { EmptyState } from "@/components/ui/notice";
import { FullLink } from "@/components/ui/text-link";
import { agentsInput, type ListedAgents } from "@/server/explorer/agent-list/schema";
import { getPageApi } from "@/server/pages/page-api";
import { readListQuery } from "@/server/pages/page-query";

export const metadata: Metadata = {
  title: "Agents",
  description: "All registered agents, newest first.",
};

const PATH = "/agents";
const ROWS = 25;
/** The query of the URL. */
const INPUT = agentsInput.omit({ size: true });

const SORT = createChoice("sort", "Sort", "Newest first", {
  name: "Name",
  score: "Score",
  outcomes: "Most jobs",
});
const SEARCH: FilterChoice = { name: "q", label: "Search", options: [] };

export default async function AgentsPage({ searchParams }: PageProps<"/agents">) {
  const { input, list } = readListQuery(PATH, INPUT, await searchParams);
  const { explorer } = await getPageApi();
  const page = await explorer.registeredAgents({ ...input, size: ROWS });
  const { q, category } = input;
  const { q: _, ...kept } = list.filter;
  const isFiltered = q !== undefined || category !== undefined;
  return (
    <ListPage {...list} counts={page}>
      <ListHeading title="Agents" total={describeAgents(page, isFiltered)} />
      <div className="mt-5 mb-4 flex flex-wrap items-center gap-2">
        <SearchForm
          action={PATH}
          label="Name or address"
          placeholder="Name or address"
          button="Search"
          value={q}
          kept={kept}
        />
        <FilterMenus {...list} choices={[CATEGORY_CHOICE, SORT]} />
      </div>
      <FilteredRows
        {...list}
        choices={[SEARCH, CATEGORY_CHOICE]}
        noun="agents"
        empty={
          <EmptyState title="No agents yet">
            Each agent appears here once it is registered.{" "}
            <FullLink href="/register">Register the first one</FullLink>
          </EmptyState>
        }
      >
        {page.content.length > 0 ? (
          <LeaderboardTable agents={page.content} now={new Date().toISOString()} />
        ) : null}
      </FilteredRows>
    </ListPage>
  );
}

function describeAgents(page: ListedAgents, isFiltered: boolean): string {
  if (page.isExact || page.totalElements === 0) return describeTotal(page, "agent", isFiltered);
  return `No exact match; ${describeTotal(page, "agent", false)} with similar words`;
}

import type { Metadata } from "next";
import { CATEGORY_CHOICE } from "@/components/network/categories";
import { DisputeTable, LiveDisputes } from "@/components/network/dispute-table";
import { ExportLink } from "@/components/network/export-link";
import { type FilterChoice, FilterMenus } from "@/components/network/filter-menu";
import { describeTotal, ListHeading } from "@/components/network/list-heading";
import { EmptyState } from "@/components/ui/notice";
import { Pagination } from "@/components/ui/pagination";
import { TextLink } from "@/components/ui/text-link";
import { networkDisputesInput } from "@/server/explorer/schema";
import { getPageApi } from "@/server/pages/page-api";
import {
  buildPageUrl,
  type PageQuery,
  parsePageQuery,
  redirectToCleanUrl,
  requirePage,
} from "@/server/pages/page-query";

export const metadata: Metadata = {
  title: "Disputes",
  description: "Disputed verdicts and how the reviews ended, newest first.",
};

const PATH = "/disputes";
const ROWS = 25;

const CHOICES: FilterChoice[] = [
  {
    name: "status",
    label: "Status",
    options: [
      [undefined, "Any status"],
      ["OPEN", "Open"],
      ["RESOLVED", "Decided"],
    ],
  },
  {
    name: "result",
    label: "Result",
    options: [
      [undefined, "Any result"],
      ["upheld", "Upheld"],
      ["overturned", "Overturned"],
    ],
  },
  CATEGORY_CHOICE,
];

export default async function DisputesPage({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const params = await searchParams;
  redirectToCleanUrl(PATH, networkDisputesInput, params);
  const query = { ...parsePageQuery(networkDisputesInput, params), size: ROWS };
  const page = await (await getPageApi()).explorer.networkDisputes(query);
  requirePage(page);
  const { status, result, category } = query;
  const filter = { status, result, category };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const now = new Date().toISOString();
  const menus = (
    <div className="mt-5 mb-4">
      <FilterMenus path={PATH} choices={CHOICES} filter={filter} />
    </div>
  );
  return (
    <>
      {page.page === 0 ? (
        <LiveDisputes
          key={JSON.stringify(filter)}
          initial={page}
          input={query}
          isFiltered={isFiltered}
          now={now}
          empty={<NoDisputes isFiltered={isFiltered} />}
        >
          {menus}
        </LiveDisputes>
      ) : (
        <>
          <ListHeading title="Disputes" total={describeTotal(page, "dispute", isFiltered)} />
          {menus}
          <DisputeTable disputes={page.content} now={now} />
        </>
      )}
      <Pagination
        page={page.page}
        totalPages={page.totalPages}
        href={(to) => buildPageUrl(PATH, filter, { page: String(to) })}
      />
      {page.totalElements > 0 && (
        <ExportLink href={buildPageUrl("/exports/disputes", filter, {})} />
      )}
    </>
  );
}

function NoDisputes({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState title="No disputes yet">
        <p>The party that a verdict went against can dispute it.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No disputes match">
      <p>
        Remove a filter, or <TextLink href={PATH}>show all disputes</TextLink>.
      </p>
    </EmptyState>
  );
}

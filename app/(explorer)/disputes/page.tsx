import type { Metadata } from "next";
import { CATEGORY_CHOICE } from "@/components/network/categories";
import { LiveDisputes } from "@/components/network/dispute-table";
import { ExportLink } from "@/components/network/export-link";
import type { FilterChoice } from "@/components/network/filter-menu";
import { EmptyState } from "@/components/ui/notice";
import { Pagination } from "@/components/ui/pagination";
import { networkDisputesInput } from "@/server/explorer/schema";
import { getPageApi } from "@/server/pages/page-api";
import {
  buildPageUrl,
  type PageQuery,
  readListQuery,
  requirePage,
} from "@/server/pages/page-query";

export const metadata: Metadata = {
  title: "Disputes",
  description: "Disputed verdicts and how the reviews ended, newest first.",
};

const PATH = "/disputes";
const ROWS = 25;
/** The query of the URL. */
const INPUT = networkDisputesInput.omit({ size: true });

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
  const { input, filter } = readListQuery(PATH, INPUT, await searchParams);
  const query = { ...input, size: ROWS };
  const page = await (await getPageApi()).explorer.networkDisputes(query);
  requirePage(page);
  return (
    <>
      <LiveDisputes
        key={JSON.stringify(query)}
        initial={page}
        input={query}
        path={PATH}
        choices={CHOICES}
        filter={filter}
        now={new Date().toISOString()}
        empty={
          <EmptyState title="No disputes yet">
            <p>The party that a verdict went against can dispute it, from the outcome’s page.</p>
          </EmptyState>
        }
      />
      <Pagination
        page={page.page}
        totalPages={page.totalPages}
        href={(to) => buildPageUrl(PATH, filter, { page: String(to) })}
      />
      {page.totalElements > 0 && (
        <ExportLink
          href={buildPageUrl("/exports/disputes", filter, {})}
          total={page.totalElements}
        />
      )}
    </>
  );
}

import type { Metadata } from "next";
import { CATEGORY_CHOICE } from "@/components/network/categories";
import { ExportLink } from "@/components/network/export-link";
import { type FilterChoice, FilterMenus } from "@/components/network/filter-menu";
import { describeTotal, ListHeading } from "@/components/network/list-heading";
import { LiveOutcomes, OutcomeTable } from "@/components/network/outcome-table";
import { formatDay } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { Pagination } from "@/components/ui/pagination";
import { TextLink } from "@/components/ui/text-link";
import { networkOutcomesInput } from "@/server/explorer/schema";
import { getPageApi } from "@/server/pages/page-api";
import {
  buildPageUrl,
  type PageQuery,
  parsePageQuery,
  redirectToCleanUrl,
  requirePage,
} from "@/server/pages/page-query";

export const metadata: Metadata = {
  title: "Outcomes",
  description: "Jobs of all agents with their verdicts, newest first.",
};

const PATH = "/outcomes";
const ROWS = 25;

const CHOICES: FilterChoice[] = [
  CATEGORY_CHOICE,
  {
    name: "verdict",
    label: "Verdict",
    options: [
      [undefined, "Any verdict"],
      ["SUCCESS", "Success"],
      ["FAILURE", "Failure"],
      ["NOT_ASSESSED", "Not assessed"],
    ],
  },
  {
    name: "status",
    label: "Status",
    options: [
      [undefined, "Any status"],
      ["EVALUATING", "Being judged"],
      ["RESOLVED", "Recorded"],
    ],
  },
  {
    name: "backing",
    label: "Evidence",
    options: [
      [undefined, "Any evidence"],
      ["anchored", "Anchored"],
      ["paid", "Paid"],
      ["claimed", "Unconfirmed"],
    ],
  },
  {
    name: "minValueUsdc",
    label: "Value",
    options: [
      [undefined, "Any value"],
      ["10", "From 10 USDC"],
      ["50", "From 50 USDC"],
      ["100", "From 100 USDC"],
      ["1000", "From 1,000 USDC"],
    ],
  },
];

export default async function OutcomesPage({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const params = await searchParams;
  redirectToCleanUrl(PATH, networkOutcomesInput, params);
  const query = { ...parsePageQuery(networkOutcomesInput, params), size: ROWS };
  const page = await (await getPageApi()).explorer.networkOutcomes(query);
  requirePage(page);
  const { category, verdict, status, backing, minValueUsdc, from, to } = query;
  const filter = {
    category,
    verdict,
    status,
    backing,
    minValueUsdc: minValueUsdc?.toString(),
    from,
    to,
  };
  const choices = [...CHOICES, ...listDays("from", from), ...listDays("to", to)];
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const now = new Date().toISOString();
  const menus = (
    <div className="mt-5 mb-4">
      <FilterMenus path={PATH} choices={choices} filter={filter} />
    </div>
  );
  return (
    <>
      {page.page === 0 ? (
        <LiveOutcomes
          key={JSON.stringify(filter)}
          initial={page}
          input={query}
          isFiltered={isFiltered}
          now={now}
          empty={<NoOutcomes isFiltered={isFiltered} isMore={page.isMore} />}
        >
          {menus}
        </LiveOutcomes>
      ) : (
        <>
          <ListHeading title="Outcomes" total={describeTotal(page, "outcome", isFiltered)} />
          {menus}
          <OutcomeTable outcomes={page.content} now={now} />
        </>
      )}
      <Pagination
        page={page.page}
        totalPages={page.totalPages}
        href={(to) => buildPageUrl(PATH, filter, { page: String(to) })}
      />
      {page.totalElements > 0 && (
        <ExportLink href={buildPageUrl("/exports/outcomes", filter, {})} />
      )}
    </>
  );
}

/** Returns the filter by the first or last day, which a chart's link sets; there is none to choose. */
function listDays(name: "from" | "to", day: string | undefined): FilterChoice[] {
  if (day === undefined) return [];
  const label = `Recorded ${name === "from" ? "from" : "until"} ${formatDay(day)}`;
  return [{ name, label, options: [[day, label]] }];
}

function NoOutcomes({ isFiltered, isMore }: { isFiltered: boolean; isMore: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState title="No outcomes yet">
        <p>
          Outcomes appear here seconds after they are submitted through the{" "}
          <TextLink href="/docs">API</TextLink>.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No outcomes match">
      <p>
        {isMore && "Only the newest 50,000 outcomes were searched. "}
        Remove a filter, or <TextLink href={PATH}>show all outcomes</TextLink>.
      </p>
    </EmptyState>
  );
}

import type { Metadata } from "next";
import { CATEGORY_CHOICE } from "@/components/network/categories";
import { ExportLink } from "@/components/network/export-link";
import type { FilterChoice } from "@/components/network/filter-menu";
import { LiveOutcomes } from "@/components/network/outcome-table";
import { formatDay } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { Pagination } from "@/components/ui/pagination";
import { TextLink } from "@/components/ui/text-link";
import { networkOutcomesInput } from "@/server/explorer/schema";
import { getPageApi } from "@/server/pages/page-api";
import {
  buildPageUrl,
  type PageQuery,
  readListQuery,
  requirePage,
} from "@/server/pages/page-query";

export const metadata: Metadata = {
  title: "Outcomes",
  description: "Jobs of all agents with their verdicts, newest first.",
};

const PATH = "/outcomes";
const ROWS = 25;
/** The query of the URL. */
const INPUT = networkOutcomesInput.omit({ size: true });

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
  const { input, filter } = readListQuery(PATH, INPUT, await searchParams);
  const query = { ...input, size: ROWS };
  const page = await (await getPageApi()).explorer.networkOutcomes(query);
  requirePage(page);
  return (
    <>
      <LiveOutcomes
        key={JSON.stringify(query)}
        initial={page}
        input={query}
        path={PATH}
        choices={[...CHOICES, ...listDays("from", input.from), ...listDays("to", input.to)]}
        filter={filter}
        now={new Date().toISOString()}
        empty={
          <EmptyState title="No outcomes yet">
            <p>
              Outcomes appear here seconds after they are submitted through the{" "}
              <TextLink href="/docs">API</TextLink>.
            </p>
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
          href={buildPageUrl("/exports/outcomes", filter, {})}
          total={page.totalElements}
        />
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

import type { z } from "zod";
import { formatRecordsCsv } from "@/server/explorer/csv";
import {
  networkDispute,
  networkDisputesInput,
  networkOutcome,
  networkOutcomesInput,
  networkPeriod,
  networkStatsInput,
} from "@/server/explorer/schema";
import { getPageApi } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";
import { pageInput, publicAnchor } from "@/server/reputation/schema";

/** Pages of 100 records that an export has at most. */
const MAX_PAGES = 10;
const PAGE = { page: 0, size: 100 };

type Api = Awaited<ReturnType<typeof getPageApi>>;

/** The query of a list, the records in its export, and how to read a page of them. */
function defineList<Input extends z.ZodObject>(
  input: Input,
  record: z.ZodObject,
  read: (api: Api, query: z.infer<Input>) => Promise<{ content: object[]; totalPages: number }>,
) {
  return async (api: Api, search: Record<string, string>) => {
    const query = parsePageQuery(input, search);
    const records: object[] = [];
    for (let page = 0, pages = 1; page < Math.min(pages, MAX_PAGES); page++) {
      const { content, totalPages } = await read(api, { ...query, ...PAGE, page });
      records.push(...content);
      pages = totalPages;
    }
    return formatRecordsCsv(record, records);
  };
}

const LISTS: Record<string, ReturnType<typeof defineList> | undefined> = {
  outcomes: defineList(networkOutcomesInput, networkOutcome, ({ explorer }, query) =>
    explorer.networkOutcomes(query),
  ),
  disputes: defineList(networkDisputesInput, networkDispute, ({ explorer }, query) =>
    explorer.networkDisputes(query),
  ),
  stats: defineList(networkStatsInput, networkPeriod, async ({ explorer }, { range, category }) => {
    const { periods } = await explorer.networkStats({ range, category });
    return { content: periods, totalPages: 1 };
  }),
  anchors: defineList(pageInput, publicAnchor, ({ anchors }, query) => anchors.list(query)),
};

/** Exports the newest records of a list with its page's filters as CSV. */
export async function GET(request: Request, { params }: { params: Promise<{ list: string }> }) {
  const { list } = await params;
  const exportList = Object.hasOwn(LISTS, list) && LISTS[list];
  if (!exportList) return new Response("There is no such export.\n", { status: 404 });
  const search = Object.fromEntries(new URL(request.url).searchParams);
  return new Response(await exportList(await getPageApi(), search), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="standing-${list}.csv"`,
      "Cache-Control": "no-store",
    },
  });
}

import { z } from "zod";
import { formatRecordsCsv } from "@/server/explorer/csv";
import {
  networkDispute,
  networkDisputesInput,
  networkOutcome,
  networkOutcomesInput,
  networkPeriod,
  networkStatsInput,
} from "@/server/explorer/network/schema";
import { getPageApi } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";
import { publicAnchor } from "@/server/reputation/schema";

type Api = Awaited<ReturnType<typeof getPageApi>>;

/** The query of a list, the records in its export, and how to read them. */
function defineList<Input extends z.ZodObject>(
  input: Input,
  record: z.ZodObject,
  read: (api: Api, query: z.infer<Input>) => Promise<object[]>,
) {
  return async (api: Api, search: Record<string, string>) =>
    formatRecordsCsv(record, await read(api, parsePageQuery(input, search)));
}

const UNPAGED = { page: true, size: true } as const;
const LISTS: Record<string, ReturnType<typeof defineList> | undefined> = {
  outcomes: defineList(networkOutcomesInput.omit(UNPAGED), networkOutcome, ({ explorer }, query) =>
    explorer.exportOutcomes(query),
  ),
  disputes: defineList(networkDisputesInput.omit(UNPAGED), networkDispute, ({ explorer }, query) =>
    explorer.exportDisputes(query),
  ),
  stats: defineList(networkStatsInput, networkPeriod, async ({ explorer }, query) => {
    return (await explorer.networkStats(query)).periods;
  }),
  anchors: defineList(z.object({}), publicAnchor, ({ anchors }) => anchors.export()),
};

/** Exports the newest records of a list with its page's filters as CSV. */
export async function GET(request: Request, { params }: RouteContext<"/exports/[list]">) {
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

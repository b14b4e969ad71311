import { z } from "zod";
import { MAX_EXPORTED_AGENTS, rankedInput } from "@/server/explorer/agent-list/schema";
import { formatCsv, formatRecordsCsv } from "@/server/explorer/csv";
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

/** How to read a list with the query of its page, and to format it as CSV. */
function defineList<Input extends z.ZodObject, Found>(
  input: Input,
  read: (api: Api, query: z.infer<Input>) => Promise<Found>,
  format: (found: Found) => string,
) {
  return async (api: Api, search: Record<string, string>) => {
    return format(await read(api, parsePageQuery(input, search)));
  };
}

const formatAs = (record: z.ZodObject) => (records: object[]) => formatRecordsCsv(record, records);

const UNPAGED = { page: true, size: true } as const;
const LISTS: Record<string, ReturnType<typeof defineList> | undefined> = {
  leaderboard: defineList(
    rankedInput,
    ({ explorer }, query) =>
      explorer.rankedAgents({ ...query, page: 0, size: MAX_EXPORTED_AGENTS }),
    ({ content }) => formatCsv(content),
  ),
  outcomes: defineList(
    networkOutcomesInput.omit(UNPAGED),
    ({ explorer }, query) => explorer.exportOutcomes(query),
    formatAs(networkOutcome),
  ),
  disputes: defineList(
    networkDisputesInput.omit(UNPAGED),
    ({ explorer }, query) => explorer.exportDisputes(query),
    formatAs(networkDispute),
  ),
  stats: defineList(
    networkStatsInput,
    async ({ explorer }, query) => (await explorer.networkStats(query)).periods,
    formatAs(networkPeriod),
  ),
  anchors: defineList(z.object({}), ({ anchors }) => anchors.export(), formatAs(publicAnchor)),
};

/** Exports a list with its page's filters as CSV: the newest records, or the best agents. */
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

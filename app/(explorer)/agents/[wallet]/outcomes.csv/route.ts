import { Readable } from "node:stream";
import { streamOutcomesCsv } from "@/server/explorer/csv";
import { type OutcomesPage, profileJobsQuery } from "@/server/explorer/schema";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi, resolveOrNull } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

const PAGE_SIZE = 100;

/** Exports all outcomes that the profile lists, with the same filter, as CSV. */
export async function GET(
  request: Request,
  { params }: RouteContext<"/agents/[wallet]/outcomes.csv">,
): Promise<Response> {
  const { explorer } = await getPageApi();
  const profile = await resolveOrNull(explorer.wallet({ walletAddress: (await params).wallet }));
  if (!profile) return new Response("No record names this wallet.\n", { status: 404 });
  const { walletAddress } = profile;
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const { page: _, ...filter } = parsePageQuery(profileJobsQuery, query);
  const readPage = (page: number): Promise<OutcomesPage> =>
    explorer.outcomes({ ...filter, walletAddress, page, size: PAGE_SIZE });
  const csv = streamOutcomesCsv(walletAddress, readPage, (outcomes) =>
    explorer.names(listParties(outcomes)),
  );
  const bytes = Readable.toWeb(Readable.from(csv, { objectMode: false }));
  return new Response(bytes as ReadableStream, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="standing-${walletAddress}.csv"`,
      "Cache-Control": "no-store",
    },
  });
}

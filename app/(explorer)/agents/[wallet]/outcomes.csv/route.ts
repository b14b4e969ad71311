import { formatOutcomesCsv } from "@/server/explorer/csv";
import { type ListedOutcome, profileQuery } from "@/server/explorer/schema";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi, resolveOrNull } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

interface Props {
  params: Promise<{ wallet: string }>;
}

const PAGE_SIZE = 100;
/** At most 2,000 outcomes, the newest; the API pages through all of them. */
const MAX_PAGES = 20;

/** Exports the outcomes that the profile lists, with the same filter, as CSV. */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  const { explorer } = await getPageApi();
  const walletAddress = (await params).wallet;
  const profile = await resolveOrNull(explorer.wallet({ walletAddress }));
  if (!profile) return new Response("No record names this wallet.\n", { status: 404 });
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const { range, page: _, ...filter } = parsePageQuery(profileQuery, query);
  const outcomes: ListedOutcome[] = [];
  for (let page = 0, pages = 1; page < Math.min(pages, MAX_PAGES); page++) {
    const input = { ...filter, walletAddress: profile.walletAddress, page, size: PAGE_SIZE };
    const found = await explorer.outcomes(input);
    outcomes.push(...found.content);
    pages = found.totalPages;
  }
  const parties = listParties(outcomes);
  const names = {};
  for (let from = 0; from < parties.length; from += MAX_NAMES) {
    Object.assign(names, await explorer.names(parties.slice(from, from + MAX_NAMES)));
  }
  return new Response(formatOutcomesCsv(outcomes, profile.walletAddress, names), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="standing-${profile.walletAddress}.csv"`,
      "Cache-Control": "no-store",
    },
  });
}

/** Most wallets in one request for names. */
const MAX_NAMES = 200;

import { rankedInput } from "@/server/explorer/agent-list/schema";
import { formatCsv } from "@/server/explorer/csv";
import { getPageApi } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

/** Exports the leaderboard's current view as CSV or JSON. */
export async function GET(request: Request) {
  const params = Object.fromEntries(new URL(request.url).searchParams);
  const page = await (await getPageApi()).explorer.rankedAgents(
    parsePageQuery(rankedInput, params),
  );
  const isJson = params.format === "json";
  return new Response(isJson ? JSON.stringify(page, null, 2) : formatCsv(page.content), {
    headers: {
      "Content-Type": isJson ? "application/json" : "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="standing-leaderboard.${isJson ? "json" : "csv"}"`,
      "Cache-Control": "no-store",
    },
  });
}

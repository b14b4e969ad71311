import { renderSitemapIndex } from "@/server/pages/discovery";
import { getPageApi, getSiteUrl } from "@/server/pages/page-api";
import { respondText } from "@/server/pages/respond-cached";

/** Serves the index of the sitemaps: one of the pages, the others of the agents. */
export async function GET(request: Request): Promise<Response> {
  const [url, count] = await Promise.all([
    getSiteUrl(),
    (await getPageApi()).explorer.walletPages(),
  ]);
  const agents = Array.from({ length: count }, (_, n) => `${url}/sitemaps/agents-${n + 1}.xml`);
  const body = renderSitemapIndex([`${url}/sitemaps/pages.xml`, ...agents]);
  return respondText(request, body, "application/xml");
}

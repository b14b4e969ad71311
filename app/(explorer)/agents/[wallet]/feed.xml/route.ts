import { renderAtom } from "@/server/explorer/feed/render-atom";
import { getPageApi, getSiteUrl, resolveOrNull } from "@/server/pages/page-api";
import { respondCached } from "@/server/pages/respond-cached";

/** Serves what happened to an agent as an Atom feed; caches may keep it for five minutes. */
export async function GET(
  request: Request,
  { params }: RouteContext<"/agents/[wallet]/feed.xml">,
): Promise<Response> {
  const walletAddress = (await params).wallet;
  const feed = await resolveOrNull((await getPageApi()).explorer.feed({ walletAddress }));
  if (!feed) return new Response("No record names this wallet.\n", { status: 404 });
  return respondCached(request, {
    body: renderAtom(feed, await getSiteUrl()),
    contentType: "application/atom+xml; charset=utf-8",
    maxAgeSeconds: 300,
    lastModified: new Date(feed.updatedAt),
    headers: { "Access-Control-Allow-Origin": "*" },
  });
}

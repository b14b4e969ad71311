import { renderBadge } from "@/server/explorer/badge";
import { getPageApi, resolveOrNull } from "@/server/pages/page-api";
import { respondCached } from "@/server/pages/respond-cached";

/** Serves the badge that other sites embed; caches may keep it for five minutes. */
export async function GET(
  request: Request,
  { params }: RouteContext<"/agents/[wallet]/badge.svg">,
): Promise<Response> {
  const walletAddress = (await params).wallet;
  const profile = await resolveOrNull((await getPageApi()).explorer.profile({ walletAddress }));
  const svg = renderBadge(profile);
  return respondCached(request, {
    body: svg,
    contentType: "image/svg+xml; charset=utf-8",
    maxAgeSeconds: 300,
    headers: { "Cross-Origin-Resource-Policy": "cross-origin" },
  });
}

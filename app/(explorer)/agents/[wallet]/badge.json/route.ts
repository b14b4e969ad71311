import { describeBadge } from "@/server/explorer/badge";
import { getPageApi, resolveOrNull } from "@/server/pages/page-api";
import { respondText } from "@/server/pages/respond-cached";

/** Serves the badge's content for shields.io. */
export async function GET(
  request: Request,
  { params }: RouteContext<"/agents/[wallet]/badge.json">,
): Promise<Response> {
  const walletAddress = (await params).wallet;
  const profile = await resolveOrNull((await getPageApi()).explorer.profile({ walletAddress }));
  const badge = describeBadge(profile);
  return respondText(request, JSON.stringify(badge), "application/json");
}

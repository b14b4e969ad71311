import { getPageApi, resolveOrNull } from "@/server/pages/page-api";
import { respondText } from "@/server/pages/respond-cached";

/** Serves an ERC-8004 feedback file, byte for byte as it was hashed: `{hash}.json`. */
export async function GET(
  request: Request,
  { params }: RouteContext<"/outcomes/[id]/feedback/[file]">,
): Promise<Response> {
  const { id: outcomeId, file } = await params;
  const hash = file.replace(/\.json$/, "");
  const { feedback } = await getPageApi();
  const body = await resolveOrNull(feedback.file({ outcomeId, hash }));
  if (body === null) return new Response("There is no such feedback file.\n", { status: 404 });
  return respondText(request, body, "application/json");
}

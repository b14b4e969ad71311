import { createApiCatalog, LINKSET_TYPE } from "@/server/pages/discovery";
import { getSiteUrl } from "@/server/pages/page-api";
import { respondText } from "@/server/pages/respond-cached";

/** Serves the API catalog (RFC 9727). */
export async function GET(request: Request): Promise<Response> {
  return respondText(request, JSON.stringify(createApiCatalog(await getSiteUrl())), LINKSET_TYPE);
}

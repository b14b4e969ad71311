import { getApiReference } from "@/server/pages/api-reference";
import { renderLlms } from "@/server/pages/discovery";
import { getSiteUrl } from "@/server/pages/page-api";
import { respondText } from "@/server/pages/respond-cached";

/** Serves the service's description for language models (llmstxt.org). */
export async function GET(request: Request): Promise<Response> {
  const [url, tags] = await Promise.all([getSiteUrl(), getApiReference()]);
  return respondText(request, renderLlms(url, tags), "text/plain");
}

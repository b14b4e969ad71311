import { renderDocs } from "@/components/docs/render-docs";
import { getApiReference } from "@/server/pages/api-reference";
import { getSiteUrl } from "@/server/pages/page-api";
import { respondText } from "@/server/pages/respond-cached";

/** Serves the quick start and the API reference as Markdown. */
export async function GET(request: Request): Promise<Response> {
  const [url, tags] = await Promise.all([getSiteUrl(), getApiReference()]);
  return respondText(request, renderDocs(url, tags), "text/markdown");
}

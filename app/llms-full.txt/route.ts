import { renderDocs } from "@/components/docs/render-docs";
import { getApiReference } from "@/server/pages/api-reference";
import { renderLlms } from "@/server/pages/discovery";
import { getSiteUrl } from "@/server/pages/page-api";
import { respondText } from "@/server/pages/respond-cached";

/** Serves `/llms.txt` and `/docs.md` as one file. */
export async function GET(request: Request): Promise<Response> {
  const [url, tags] = await Promise.all([getSiteUrl(), getApiReference()]);
  return respondText(request, `${renderLlms(url, tags)}\n${renderDocs(url, tags)}`, "text/plain");
}

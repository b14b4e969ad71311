import { renderOperationPage } from "@/components/docs/render-docs";
import { AppError } from "@/server/lib/errors";
import { getApiReference } from "@/server/pages/api-reference";
import { getSiteUrl } from "@/server/pages/page-api";
import { respondProblem, respondText } from "@/server/pages/respond-cached";

/**
 * Serves one operation as Markdown, at `/docs/operations/{id}.md`, and at the page's own path for clients
 * that accept Markdown.
 */
export async function GET(request: Request, { params }: RouteContext<"/docs.md/[id]">): Promise<Response> {
  const [{ id }, url, tags] = await Promise.all([params, getSiteUrl(), getApiReference()]);
  const operation = tags.flatMap(({ operations }) => operations).find((one) => one.id === id);
  if (!operation) {
    const requested = new Request(`${url}/docs/operations/${id}.md`);
    const detail = "There is no such operation. GET /llms.txt lists all.";
    return respondProblem(requested, new AppError("not-found", detail));
  }
  return respondText(request, renderOperationPage(url, operation), "text/markdown");
}

import { AppError } from "@/server/lib/errors";
import { respondProblem } from "@/server/pages/respond-cached";

/** Refuses every other well-known name by a problem: programs that look for one cannot read a page. */
export function GET(request: Request): Response {
  const detail =
    "This service has no document of this name. GET /.well-known/api-catalog names those of its API and its MCP endpoint.";
  return respondProblem(request, new AppError("not-found", detail));
}

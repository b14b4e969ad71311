import { createApi } from "@/server/bootstrap/api";
import { createOpenApiDocument } from "@/server/rest/openapi/document";
import { compileRoutes } from "@/server/rest/routes";
import { builtinJudge } from "@/server/testing/model/offline-checks";
import { webhookPayloads } from "@/server/webhooks/schema";

/** Returns the OpenAPI document that the service publishes. */
export function createApiDocument() {
  const unread = () => Promise.reject(new Error("nothing is read here"));
  const api = createApi({
    reputations: { get: unread, getMany: unread },
    statements: { issue: unread },
    judge: builtinJudge,
  });
  return createOpenApiDocument(compileRoutes(api), webhookPayloads, "https://standing.example");
}

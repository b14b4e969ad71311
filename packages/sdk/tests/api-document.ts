import { createOpenApiDocument } from "@/server/rest/openapi/document";
import { compileRoutes } from "@/server/rest/routes";
import { createUnreadApi } from "@/server/testing/http/unread-api";
import { webhookPayloads } from "@/server/webhooks/schema";

/** Returns the OpenAPI document that the service publishes. */
export function createApiDocument() {
  const routes = compileRoutes(createUnreadApi());
  return createOpenApiDocument(routes, webhookPayloads, "https://standing.example");
}

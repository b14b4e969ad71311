import { createOpenApiDocument } from "@/server/rest/openapi/document";
import { compileRoutes } from "@/server/rest/routes";
import { createUnreadApi } from "@/server/testing/http/unread-api";
import { webhookPayloads } from "@/server/webhooks/schema";

/** Returns the OpenAPI document that the service publishes at an origin. */
export function createApiDocument(origin = "https://standing.example") {
  const routes = compileRoutes(createUnreadApi());
  return createOpenApiDocument(routes, webhookPayloads, origin);
}

import type { z } from "zod";
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import { TAGS } from "@/server/lib/trpc";
import { readVersion } from "@/server/lib/version";
import { BASE_PATH } from "@/server/rest/exchange";
import type { Route } from "@/server/rest/routes";
import {
  createProblemExample,
  ERROR_CODES,
  problemSchema,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
} from "./components";
import { capitalize, createOperation } from "./operation";

/**
 * Removes what zod adds to a rendered schema but the API does not guarantee or need: the bounds of
 * safe integers, the key type of records (always text in JSON), the pattern that repeats a time's
 * format, and the guarantee that a response never gains a field.
 */
const tidySchema: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (io === "output" && jsonSchema.additionalProperties === false) {
    delete jsonSchema.additionalProperties;
  }
  if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern;
  if (typeof jsonSchema.propertyNames === "object" && jsonSchema.propertyNames.type === "string") {
    const { type, ...constraints } = jsonSchema.propertyNames;
    if (Object.keys(constraints).length === 0) delete jsonSchema.propertyNames;
  }
};

/** The webhook events: a summary of each, and the schema of its payload. */
export type WebhookPayloads = Record<string, { summary: string; payload: z.ZodType }>;

const DESCRIPTION = `Standing judges what agents do for each other, records every verdict on chain and keeps a reputation for each wallet.

Every error is a problem (RFC 9457) with a stable \`code\`. Every response has \`X-Request-Id\`; a valid \`traceparent\` is returned as sent. Responses may gain fields at any time; requests with unknown body fields or query parameters, or a duplicate key, are refused with the name that was probably meant. In an optional field, null counts as absent, and so does an empty URL or e-mail address. A method that a path doesn't have gets a 405 with \`Allow\`; every GET path also supports HEAD, and every path OPTIONS.`;

/**
 * Creates the OpenAPI 3.1 document of `routes`, for a service at `origin`.
 * @param contact The operator's: a `mailto:` or `https:` URL.
 */
export function createOpenApiDocument(
  routes: Route[],
  webhooks: WebhookPayloads,
  origin: string,
  contact?: string,
): oas31.OpenAPIObject {
  const used = new Set<string>(routes.map(({ meta }) => meta.tag));
  const tags = Object.entries(TAGS).filter(([name]) => used.has(name));
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const { method, path } = route.meta;
    paths[path] = { ...paths[path], [method.toLowerCase()]: createOperation(route) };
  }
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Standing",
        version: readVersion(),
        description: DESCRIPTION,
        ...(contact && { contact: { name: "Standing", ...toContact(contact) } }),
        license: { name: "MIT", url: "https://opensource.org/license/mit" },
      },
      servers: [{ url: origin + BASE_PATH }],
      tags: tags.map(([name, description]) => ({ name, description })),
      paths,
      ...(Object.keys(webhooks).length > 0 && { webhooks: createWebhookPaths(webhooks) }),
      components: {
        securitySchemes: {
          ApiKey: {
            type: "apiKey",
            in: "header",
            name: "X-API-Key",
            description: "The API key returned by registration, shown only once.",
          },
          Bearer: {
            type: "http",
            scheme: "bearer",
            description: "The same API key, for clients that only send `Authorization`.",
          },
        },
        schemas: { Problem: problemSchema },
        responses: createPayloadResponses(webhooks),
        examples: Object.fromEntries(ERROR_CODES.map((code) => [code, createProblemExample(code)])),
        headers: RESPONSE_HEADERS,
        parameters: Object.fromEntries(
          Object.entries(REQUEST_HEADERS).map(([name, header]) => [
            name,
            { name, in: "header", required: false, ...header },
          ]),
        ),
      },
    },
    { override: tidySchema },
  );
  removeUnusedComponents(document);
  return document;
}

function toContact(contact: string): oas31.ContactObject {
  const { protocol, pathname } = new URL(contact);
  return protocol === "mailto:" ? { email: pathname } : { url: contact };
}

/** Removes the components that no operation or remaining response refers to. */
function removeUnusedComponents({ components, paths, webhooks }: oas31.OpenAPIObject): void {
  // Responses first: those that remain refer to examples and headers.
  for (const kind of ["responses", "examples", "headers", "parameters"] as const) {
    const text = JSON.stringify([paths, webhooks, components?.responses]);
    for (const name of Object.keys(components?.[kind] ?? {})) {
      if (!text.includes(`"#/components/${kind}/${name}"`)) delete components?.[kind]?.[name];
    }
  }
}

/**
 * Returns the payloads as response components: this renders them as output of the service
 * rather than input. The bodies of webhooks refer to them.
 */
function createPayloadResponses(
  webhooks: WebhookPayloads,
): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(webhooks).map(([event, { summary, payload }]) => {
      const id = getPayloadName(event, payload);
      const schema = payload.meta()?.id ? payload : payload.meta({ id });
      const content = { "application/json": { schema } };
      return [id, { description: summary, content }];
    }),
  );
}

function getPayloadName(event: string, payload: z.ZodType): string {
  return payload.meta()?.id ?? `${toPascalCase(event)}Payload`;
}

function createWebhookPaths(webhooks: WebhookPayloads): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(webhooks).map(([event, { summary, payload }]) => {
      const schema = { $ref: `#/components/schemas/${getPayloadName(event, payload)}` };
      const post: ZodOpenApiOperationObject = {
        operationId: `on${toPascalCase(event)}`,
        tags: ["Webhooks"],
        summary,
        description: `${summary} Signed with X-Service-Signature and Standard Webhooks headers; any 2xx within 15 seconds is success.`,
        security: [],
        requestBody: { required: true, content: { "application/json": { schema } } },
        responses: { "204": { description: "Received." } },
      };
      return [event, { post }];
    }),
  );
}

function toPascalCase(event: string): string {
  return event.split(/[.-]/).map(capitalize).join("");
}

/**
 * Returns a function that renders the document for a service at an origin. It is rendered again only if
 * the origin changes.
 */
export function createDocumentRenderer(
  routes: Route[],
  webhooks: WebhookPayloads,
  contact?: string,
): (origin: string) => string {
  let cached = { origin: "", json: "" };
  return (origin) => {
    if (cached.origin !== origin) {
      const document = createOpenApiDocument(routes, webhooks, origin, contact);
      cached = { origin, json: JSON.stringify(document) };
    }
    return cached.json;
  };
}

/** Returns the body of `GET /`, which links to the documentation. */
export function renderIndex(origin: string): string {
  return JSON.stringify({
    name: "Standing",
    description: "The reputation service for AI agents",
    version: "v1",
    documentation: origin,
    openapi: `${origin}${BASE_PATH}/openapi.json`,
  });
}

import { z } from "zod";
import type {
  oas31,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from "zod-openapi";
import { ERRORS, type ErrorCode } from "@/server/lib/errors";
import type { RestMeta } from "@/server/lib/trpc";
import { JSON_LINES } from "@/server/rest/json-lines";
import type { Field, Route } from "@/server/rest/routes";
import {
  problemSchema,
  RESPONSE_HEADERS,
  type RequestHeader,
  type ResponseHeader,
} from "./components";

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Either header carries the key. */
const KEY_SCHEMES: Record<string, string[]>[] = [{ ApiKey: [] }, { Bearer: [] }];

/** Returns the OpenAPI operation of a route. */
export function createOperation(route: Route): ZodOpenApiOperationObject {
  const { meta, input } = route;
  return {
    operationId: meta.operationId,
    tags: [meta.tag],
    summary: meta.summary,
    description: describeOperation(meta),
    security: { none: [], optional: [{}, ...KEY_SCHEMES], required: KEY_SCHEMES }[meta.key],
    requestParams: {
      ...(input.path.length > 0 && { path: z.object(getShape(input.path)) }),
      ...(input.query.length > 0 && { query: z.object(getShape(input.query)) }),
    },
    parameters: listRequestHeaders(route).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    ...(input.body && {
      requestBody: {
        required: input.body.required || meta.body !== undefined,
        content: {
          "application/json": {
            // A schema of several fields gets a name, for generated clients.
            schema:
              input.body.whole?.schema ??
              meta.body ??
              z
                .strictObject(getShape(input.body.fields))
                .meta({ id: `${capitalize(meta.operationId)}Request` }),
            ...createExample(meta.example?.request),
          },
        },
      },
    }),
    responses: { ...createSuccessResponses(route), ...createErrorResponses(route) },
  };
}

function describeOperation({ description, perMinute }: RestMeta): string {
  if (perMinute === undefined) return description;
  return `${description} Limited to ${perMinute} requests per minute.`;
}

function getShape(fields: Field[]): Record<string, z.ZodType> {
  return Object.fromEntries(fields.map((field) => [field.name, field.schema]));
}

function createExample(value: unknown): { example?: unknown } {
  return value === undefined ? {} : { example: value };
}

function isCacheable({ meta }: Route): boolean {
  return meta.method === "GET" && meta.key !== "required" && !meta.lines;
}

function listRequestHeaders(route: Route): RequestHeader[] {
  const { key, perMinute, idempotent } = route.meta;
  return [
    ...(key !== "none" || perMinute !== undefined ? (["X-Wallet-Address"] as const) : []),
    ...(idempotent ? (["Idempotency-Key"] as const) : []),
    ...(isCacheable(route) ? (["If-None-Match"] as const) : []),
  ];
}

/** Returns references to `more` and to the headers that responses of every operation have. */
function createHeaderRefs(more: ResponseHeader[]) {
  const names = new Set<ResponseHeader>([
    "X-Request-Id",
    "Cache-Control",
    "RateLimit-Policy",
    "RateLimit",
    ...more,
  ]);
  return Object.fromEntries(
    [...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function getHeaderSchema(name: string): oas31.SchemaObject {
  return Object.hasOwn(RESPONSE_HEADERS, name)
    ? RESPONSE_HEADERS[name as ResponseHeader].schema
    : { type: "string" };
}

function createSuccessResponses(route: Route): ZodOpenApiResponsesObject {
  const { meta, output } = route;
  const ownHeaders = Object.entries(meta.responseHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: getHeaderSchema(name) },
  ]);
  const headers = {
    ...createHeaderRefs([
      ...(isCacheable(route) ? (["ETag"] as const) : []),
      ...(meta.idempotent ? (["Idempotent-Replayed"] as const) : []),
    ]),
    ...Object.fromEntries(ownHeaders),
  };
  const type = meta.lines ? JSON_LINES : "application/json";
  return {
    [String(meta.status)]: {
      description: meta.summary,
      headers,
      ...(output && {
        content: { [type]: { schema: output, ...createExample(meta.example?.response) } },
      }),
    },
    ...(isCacheable(route) && {
      "304": { description: "The caller's copy is still current.", headers },
    }),
  };
}

function createErrorResponses(route: Route): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of listErrorCodes(route)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), createErrorResponse(codes)]),
  );
}

/** Headers that error responses carry, by code. */
const ERROR_HEADERS: Partial<Record<ErrorCode, ResponseHeader[]>> = {
  unauthenticated: ["WWW-Authenticate"],
  "unsupported-media-type": ["Accept-Post", "Accept-Encoding"],
  "outcome-not-resolved": ["Retry-After"],
  "delivery-pending": ["Retry-After"],
  "payment-not-ready": ["Retry-After"],
  "verdict-favors-you": ["Retry-After"],
  "rate-limited": ["Retry-After"],
  unavailable: ["Retry-After"],
};

/** Error responses by the name of their component, which operations with the same errors share. */
const ERROR_RESPONSES = new Map<string, ZodOpenApiResponseObject>();

function createErrorResponse(codes: ErrorCode[]): ZodOpenApiResponseObject {
  const id = codes.map((code) => code.split("-").map(capitalize).join("")).join("Or");
  const known = ERROR_RESPONSES.get(id);
  if (known) return known;
  const headers = codes.flatMap((code) => ERROR_HEADERS[code] ?? []);
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  const response = {
    id,
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join("\n\n"),
    headers: createHeaderRefs(headers),
    content: {
      "application/problem+json": { schema: problemSchema, examples: Object.fromEntries(examples) },
    },
  };
  ERROR_RESPONSES.set(id, response);
  return response;
}

/** Returns the route's own error codes and those implied by its input and key. */
function listErrorCodes({ meta, input }: Route): Set<ErrorCode> {
  // Every operation refuses unknown query parameters.
  const codes = new Set<ErrorCode>(["invalid-request"]);
  if (input.body) {
    codes.add("malformed-json").add("body-too-large");
    codes.add("unsupported-media-type").add("unavailable");
  }
  if (meta.key !== "none") codes.add("unauthenticated");
  if (meta.key === "required") codes.add("wallet-mismatch");
  for (const code of meta.errors ?? []) codes.add(code);
  if (meta.idempotent) codes.add("idempotency-key-reused");
  // A payment that stays unknown is not waited for.
  if (codes.has("payment-not-ready")) codes.add("payment-not-found");
  return codes.add("rate-limited").add("internal-error");
}

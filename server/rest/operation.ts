import { z } from "zod";
import type {
  oas31,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from "zod-openapi";
import { ERRORS, type ErrorCode } from "@/server/lib/errors";
import {
  ANSWER_HEADERS,
  type AnswerHeader,
  REQUEST_HEADERS,
  type RequestHeader,
} from "./documented-headers";
import type { Field } from "./fields";
import { JSON_LINES } from "./json-lines";
import { operationId } from "./operation-id";
import { problemSchema } from "./problem-schema";
import type { Route } from "./routes";

/** Returns the OpenAPI operation of a route. */
export function operationOf(route: Route): ZodOpenApiOperationObject {
  const { meta, input } = route;
  const body = bodySchema(route);
  const headers = requestHeaders(route);
  return {
    operationId: operationId(route.procedure, route.type),
    tags: [meta.tag],
    summary: meta.summary,
    description: meta.description,
    security: { none: [], optional: [{}, { ApiKey: [] }], required: [{ ApiKey: [] }] }[meta.key],
    requestParams: {
      ...(input.path.length > 0 ? { path: objectOf(input.path) } : {}),
      ...(input.query.length > 0 ? { query: objectOf(input.query) } : {}),
    },
    parameters: headers.map((header) => ({ $ref: `#/components/parameters/${header}` })),
    ...(body
      ? {
          requestBody: {
            required: bodyNeeded(route),
            content: { "application/json": { schema: body, ...example(meta.example?.request) } },
          },
        }
      : {}),
    responses: { ...successes(route), ...refusals(route) },
  };
}

/** Returns the schema of a route's body, or null. An object gets a name, for generated clients. */
function bodySchema({ input, procedure, type }: Route): z.ZodType | null {
  if (input.wholeBody) return input.wholeBody.schema;
  if (!input.body) return null;
  const id = operationId(procedure, type);
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Request`;
  return z.strictObject(shapeOf(input.body)).meta({ id: name });
}

function bodyNeeded({ input }: Route): boolean {
  return input.wholeBody?.required ?? input.body?.some((field) => field.required) ?? false;
}

function objectOf(fields: Field[]): z.ZodObject {
  return z.object(shapeOf(fields));
}

function shapeOf(fields: Field[]): Record<string, z.ZodType> {
  return Object.fromEntries(fields.map((field) => [field.name, field.schema]));
}

function example(value: unknown): { example?: unknown } {
  return value === undefined ? {} : { example: value };
}

/** Whether the guard on public reads counts the route, as it has no limit of its own. */
function isGuarded({ meta }: Route): boolean {
  return meta.key !== "required" && meta.perMinute === undefined;
}

function isCached({ meta }: Route): boolean {
  return meta.method === "GET" && meta.key !== "required" && !meta.lines;
}

function requestHeaders(route: Route): RequestHeader[] {
  const { key, perMinute, idempotent } = route.meta;
  const wanted: Record<RequestHeader, boolean> = {
    "X-Wallet-Address": key !== "none" || perMinute !== undefined,
    "Idempotency-Key": idempotent === true,
    "If-None-Match": isCached(route),
  };
  const names = Object.keys(REQUEST_HEADERS) as RequestHeader[];
  return names.filter((name) => wanted[name]);
}

function headerRefs(names: string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function headerSchema(name: string): oas31.SchemaObject {
  return Object.hasOwn(ANSWER_HEADERS, name)
    ? ANSWER_HEADERS[name as AnswerHeader].schema
    : { type: "string" };
}

function limitHeaders(route: Route): AnswerHeader[] {
  return isGuarded(route) || route.meta.perMinute !== undefined
    ? ["RateLimit-Policy", "RateLimit"]
    : [];
}

function successes(route: Route): ZodOpenApiResponsesObject {
  const { meta, output } = route;
  const shared: AnswerHeader[] = ["X-Request-Id", "Cache-Control", ...limitHeaders(route)];
  const cached: AnswerHeader[] = isCached(route) ? ["ETag"] : [];
  const own = Object.entries(meta.answerHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: headerSchema(name) },
  ]);
  const type = meta.lines ? JSON_LINES : "application/json";
  const success: ZodOpenApiResponseObject = {
    description: meta.summary,
    headers: { ...headerRefs([...shared, ...cached]), ...Object.fromEntries(own) },
    ...(output
      ? { content: { [type]: { schema: output, ...example(meta.example?.answer) } } }
      : {}),
  };
  const unchanged: ZodOpenApiResponseObject = {
    description: "The caller's copy is still current.",
    headers: headerRefs([...shared, ...cached]),
  };
  return { [String(meta.status)]: success, ...(isCached(route) ? { "304": unchanged } : {}) };
}

function refusals(route: Route): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of refusalCodes(route)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), refusal(route, codes)]),
  );
}

/** Headers that error responses carry, by code. */
const OF_REFUSALS: Partial<Record<ErrorCode, AnswerHeader[]>> = {
  unauthenticated: ["WWW-Authenticate"],
  "unsupported-media-type": ["Accept-Post", "Accept-Encoding"],
  "payment-not-ready": ["Retry-After"],
  "verdict-favors-you": ["Retry-After"],
  "rate-limited": ["RateLimit-Policy", "RateLimit", "Retry-After"],
  unavailable: ["Retry-After"],
};

function refusal(route: Route, codes: ErrorCode[]): ZodOpenApiResponseObject {
  const headers = new Set<AnswerHeader>(["X-Request-Id", "Cache-Control", ...limitHeaders(route)]);
  for (const code of codes) for (const header of OF_REFUSALS[code] ?? []) headers.add(header);
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join("\n\n"),
    headers: headerRefs([...headers]),
    content: {
      "application/problem+json": { schema: problemSchema, examples: Object.fromEntries(examples) },
    },
  };
}

/** Returns the route's own error codes and those that its shape implies, each once. */
function refusalCodes({ meta, input }: Route): Set<ErrorCode> {
  const hasBody = input.body !== null || input.wholeBody !== null;
  const hasInput = hasBody || input.path.length > 0 || input.query.length > 0;
  const codes: ErrorCode[] = [];
  // A key comes with a header that has to be an address: X-Wallet-Address.
  if (hasInput || meta.key !== "none") codes.push("invalid-request");
  if (hasBody)
    codes.push("malformed-json", "body-too-large", "unsupported-media-type", "unavailable");
  if (meta.key !== "none") codes.push("unauthenticated");
  if (meta.key === "required") codes.push("wallet-mismatch");
  codes.push(...(meta.errors ?? []), "rate-limited", "internal-error");
  return new Set(codes);
}

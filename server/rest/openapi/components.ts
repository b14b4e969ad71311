import { z } from "zod";
import { AppError, ERRORS, type ErrorCode, toProblem } from "@/server/lib/errors";
import { BASE_PATH } from "@/server/rest/exchange";

/** Response headers as components of the OpenAPI document, by name. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": {
    description: "Identifies this request in our log. The caller's own id if it sent one.",
    schema: { type: "string" },
  },
  ETag: {
    description: "Entity tag of the body, for If-None-Match; weak if the body is compressed.",
    schema: { type: "string" },
  },
  "Cache-Control": {
    description: "Who may store the response. A stored response must be revalidated.",
    schema: { type: "string" },
  },
  Location: {
    description: "Path of the result.",
    schema: { type: "string", format: "uri-reference" },
  },
  "Idempotent-Replayed": {
    description: "`true` if this is the response to an earlier request with this Idempotency-Key.",
    schema: { type: "string" },
  },
  "Retry-After": {
    description: "Seconds to wait before the next attempt; never 0.",
    schema: { type: "integer", minimum: 1 },
  },
  "RateLimit-Policy": {
    description: "The limit: q requests in each window of w seconds (IETF ratelimit-headers).",
    schema: { type: "string" },
    example: '"default";q=600;w=60',
  },
  RateLimit: {
    description: "Remaining requests (r), and seconds until the window resets (t).",
    schema: { type: "string" },
    example: '"default";r=599;t=60',
  },
  "WWW-Authenticate": {
    description:
      "Always `ApiKey, Bearer`: send the key in X-API-Key, or in Authorization as a bearer token.",
    schema: { type: "string" },
  },
  "Accept-Post": {
    description: "The media type that the body must have.",
    schema: { type: "string" },
  },
  "Accept-Encoding": {
    description: "The content encoding that the body must have.",
    schema: { type: "string" },
  },
} as const;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Request headers as components, by name. */
export const REQUEST_HEADERS = {
  "X-Wallet-Address": {
    description:
      "The caller's wallet address, for rate limits. With a key, it must be that key's wallet.",
    schema: { type: "string", pattern: "^0[xX][0-9a-fA-F]{40}$" },
    example: "0x52908400098527886E0F7030069857D2E4169EE7",
  },
  "Idempotency-Key": {
    description:
      "A string of the caller's choice, new for each request. The same key with the same body returns the first response again, and creates nothing; with another body it is refused. Keys are the agent's own and last a day; those of outcomes never end.",
    schema: { type: "string", pattern: "^[ -~]{1,255}$" },
  },
  "If-None-Match": {
    description: "Entity tags of the caller's copies. If one is current, the response is 304.",
    schema: { type: "string" },
  },
} as const;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The body of every error response (RFC 9457), for the document. Some carry more members. */
export const problemSchema = z
  .looseObject({
    type: z.string().meta({
      format: "uri-reference",
      description: "A page that explains the code",
    }),
    title: z.string().meta({ description: "The error in general" }),
    status: z.int().min(400).max(599).meta({ description: "HTTP status" }),
    detail: z.string().meta({ description: "What is wrong with this request" }),
    help: z.string().meta({ description: "What to do about it, in general" }),
    instance: z.string().meta({
      format: "uri-reference",
      description: "Path of the request",
    }),
    code: z.enum(ERROR_CODES).meta({ id: "ErrorCode", description: "Stable name of the error" }),
    requestId: z.string().meta({ description: "Identifies the request in our log" }),
    errors: z
      .array(
        z.looseObject({
          pointer: z.string().meta({
            description:
              "JSON Pointer into the body, as a URI fragment (`#` is all of it), or `#/query/…`, `#/path/…`, `#/header/…`",
          }),
          detail: z.string().meta({ description: "What is wrong with this field" }),
          code: z.string().meta({ description: "Kind of fault" }),
          suggestion: z
            .string()
            .optional()
            .meta({ description: "The name or value that was probably meant" }),
        }),
      )
      .optional()
      .meta({ description: "Each invalid field of the request" }),
  })
  .meta({ id: "Problem", description: "Why a request was refused (RFC 9457)" });

// cspell:ignore nmae
const FIELD_ERROR = {
  pointer: "#/nmae",
  detail: "is not a field of this request. Did you mean `name`?",
  code: "unknown-field",
  suggestion: "name",
};

/** Returns an example of the problem with `code`, in response to a request of `path`. */
export function createProblemExample(
  code: ErrorCode,
  path = "/agents/register",
): { summary: string; value: object } {
  const errors = code === "invalid-request" ? { errors: [FIELD_ERROR] } : {};
  const location = {
    instance: `${BASE_PATH}${path}`,
    requestId: "0f5c6f1e-6f3c-4a52-9d4e-2d8a4c8f1b7a",
  };
  const { title } = ERRORS[code];
  return { summary: title, value: toProblem(new AppError(code, `${title}.`, errors), location) };
}

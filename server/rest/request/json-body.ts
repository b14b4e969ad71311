import { AppError } from "@/server/lib/errors";
import { inWorker } from "@/server/lib/process/worker-pool";
import { createFieldErrors, jsonPointer, WHOLE_BODY } from "@/server/lib/to-app-error";
import type { RestRequest } from "@/server/rest/exchange";
import { type ParsedJson, parseJson, type SyntaxFault } from "./parse-json";

/** A body of this size is parsed in 3 ms; the largest allowed takes ten times as long. */
const INLINE_BYTES = 100_000;

const parseInWorker = inWorker<[Uint8Array], ParsedJson>(
  "server/rest/request/parse-json.ts",
  "parseJson",
  { pool: "quick" },
);

/**
 * Returns the JSON value of the request body; undefined if it is empty. Throws an `AppError`:
 * `unsupported-media-type`, `malformed-json`, those of `readBody`, or `invalid-request` if the body
 * has a duplicate key, is too deep or too large to parse, or is required and missing.
 */
export async function readJsonBody(
  request: Pick<RestRequest, "hasBody" | "header" | "read">,
  isRequired: boolean,
): Promise<unknown> {
  if (request.hasBody) {
    checkMediaType(request);
    const bytes = await request.read();
    if (bytes.length > 0) return await parseBytes(bytes);
  }
  if (!isRequired) return undefined;
  const detail = "is required, as JSON";
  throw createFieldErrors([{ pointer: WHOLE_BODY, detail, code: "missing" }]);
}

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
/** Names of UTF-8 that clients use (WHATWG Encoding, 4.2). */
const UTF8_NAMES = new Set(["utf-8", "utf8"]);
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)"?/i;

function checkMediaType(request: Pick<RestRequest, "header">): void {
  const type = request.header("content-type") ?? "";
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase();
  if (!JSON_TYPE.test(type) || (charset !== undefined && !UTF8_NAMES.has(charset))) {
    throw createMediaTypeError("The body must be application/json in UTF-8.", {
      "Accept-Post": "application/json",
    });
  }
  const coding = request.header("content-encoding")?.trim().toLowerCase();
  if (coding && coding !== "identity") {
    throw createMediaTypeError("The body must not have a content encoding.", {
      "Accept-Encoding": "identity",
    });
  }
}

function createMediaTypeError(detail: string, headers: Record<string, string>): AppError {
  return new AppError("unsupported-media-type", detail, { headers });
}

/** A duplicate key is quoted up to this length: it may be as long as the body. */
const MAX_KEY_CHARACTERS = 100;

/** Descriptions of limits that a body exceeds, by code. */
const LIMIT_ERRORS = {
  "too-deep": "has more than 64 levels",
  "too-many-values": "has more than 10,000 values",
  "too-slow": "takes too long to parse",
};

async function parseBytes(bytes: Uint8Array): Promise<unknown> {
  const parsed = await parseWithinLimits(bytes);
  if ("value" in parsed) return parsed.value;
  const { fault } = parsed;
  if (fault === "not-utf8") {
    throw new AppError("malformed-json", "The body is not valid UTF-8. Encode its text as UTF-8.");
  }
  if (fault === "not-json") throw createSyntaxError(parsed);
  if (fault !== "duplicate-key") {
    throw createFieldErrors([{ pointer: WHOLE_BODY, detail: LIMIT_ERRORS[fault], code: fault }]);
  }
  const path = parsed.path.map((step) =>
    typeof step === "string" ? step.slice(0, MAX_KEY_CHARACTERS).toWellFormed() : step,
  );
  throw createFieldErrors([
    { pointer: jsonPointer(path), detail: "is given more than once", code: fault },
  ]);
}

/** Parses large bodies in a worker thread; `too-slow` if that exceeds its time limit. */
async function parseWithinLimits(bytes: Uint8Array): Promise<ParsedJson | { fault: "too-slow" }> {
  if (bytes.length <= INLINE_BYTES) return parseJson(bytes);
  const parsed = await parseInWorker(bytes);
  return parsed.ok ? parsed.value : { fault: "too-slow" };
}

/** Returns the error for a body that is not JSON. It does not quote the body, which may hold a secret. */
function createSyntaxError({ line, column, reason }: SyntaxFault): AppError {
  const place = `line ${line}, column ${column}`;
  return new AppError("malformed-json", `The body is not valid JSON at ${place}: ${reason}.`, {
    errors: [{ pointer: WHOLE_BODY, detail: `has a syntax error at ${place}`, code: "syntax" }],
  });
}

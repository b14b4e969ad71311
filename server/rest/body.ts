import { AppError } from "@/server/lib/errors";
import { BODY_LIMIT, type RestRequest } from "./exchange";
import { isTooDeep } from "./nesting";

/**
 * The JSON value that a request carries; undefined for an empty body. Throws an `AppError`:
 * `unsupported-media-type`, `body-too-large`, `malformed-json`, `unavailable` where there is no room
 * for it, or `invalid-request` where it is cut off, or needed and not there.
 */
export async function readJson(request: RestRequest, needed: boolean): Promise<unknown> {
  if (request.hasBody) {
    checkMediaType(request);
    const bytes = await request.read();
    if (bytes === "too-large") {
      throw new AppError("body-too-large", `The limit is ${BODY_LIMIT} bytes.`);
    }
    if (bytes === "no-room") {
      throw new AppError("unavailable", "Too many large bodies are arriving at once.", {
        headers: { "Retry-After": "5" },
      });
    }
    if (bytes === "cut-off") {
      throw new AppError("invalid-request", "The connection ended before the body did.");
    }
    if (bytes.length > 0) return parse(bytes);
  }
  if (!needed) return undefined;
  throw new AppError("invalid-request", "A JSON body is needed.", {
    errors: [{ pointer: "", detail: "a JSON body is needed", code: "missing" }],
  });
}

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)"?/i;

function checkMediaType(request: RestRequest): void {
  const type = request.header("content-type") ?? "";
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase();
  if (!JSON_TYPE.test(type) || (charset !== undefined && charset !== "utf-8")) {
    throw unsupported("The body must be application/json in UTF-8.", {
      "Accept-Post": "application/json",
    });
  }
  const coding = request.header("content-encoding")?.trim().toLowerCase();
  if (coding && coding !== "identity") {
    throw unsupported("The body must not have a content encoding.", {
      "Accept-Encoding": "identity",
    });
  }
}

function unsupported(detail: string, headers: Record<string, string>): AppError {
  return new AppError("unsupported-media-type", detail, { headers });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Uint8Array): unknown {
  if (isTooDeep(bytes)) {
    throw new AppError("invalid-request", "The body nests more levels than any request has.", {
      errors: [{ pointer: "", detail: "nests more levels than any request has", code: "too-deep" }],
    });
  }
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new AppError("malformed-json", "The body is not valid UTF-8.");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("malformed-json", "The body is not valid JSON.");
  }
}

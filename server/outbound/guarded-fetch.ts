import { type Dispatcher, request } from "undici";
import { AppError } from "@/server/lib/errors";
import { parseOutboundUrl } from "./address-rules";
import { createGuardedAgent, type GuardedAgentOptions } from "./guarded-agent";
import {
  decodeText,
  describeRefusedType,
  isPdf,
  isTextMediaType,
  parseMediaType,
  readAtMost,
  sanitizeMediaType,
  TooLargeError,
} from "./guarded-body";

/** Why an outbound request got no usable response. Stable: shown in delivery logs. */
export type FetchFailure =
  | "timeout"
  | "refused-address"
  | "connection"
  | "redirect"
  | "tls"
  | "dns"
  | "too-large"
  | "invalid-url"
  | "status"
  | "media-type";

const CLASS_BY_CODE: Record<string, FetchFailure> = {
  REFUSED_ADDRESS: "refused-address",
  ENOTFOUND: "dns",
  ENODATA: "dns",
  EAI_AGAIN: "dns",
  EAI_FAIL: "dns",
  ETIMEOUT: "dns",
  UND_ERR_HEADERS_OVERFLOW: "too-large",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  ETIMEDOUT: "timeout",
  EPROTO: "tls",
};

const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/** Classifies the error of a request by its code, its cause or its first attempt. */
export function classifyFailure(error: unknown): FetchFailure {
  if (!(error instanceof Error)) return "connection";
  if (error.name === "TimeoutError") return "timeout";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (CLASS_BY_CODE[code]) return CLASS_BY_CODE[code];
  if (TLS_CODE.test(code)) return "tls";
  if (error instanceof AggregateError && error.errors.length > 0) {
    return classifyFailure(error.errors[0]);
  }
  return error.cause ? classifyFailure(error.cause) : "connection";
}

const MAX_DOCUMENT_BYTES = 1024 * 1024;
const MAX_REDIRECTS = 3;
const DOCUMENT_TIMEOUT_MS = 10_000;
const WEBHOOK_TIMEOUT_MS = 15_000;
/** How much of a webhook's response is read before the connection is closed. It is discarded. */
const DISCARD_LIMITS = { limit: 64 * 1024, timeoutMs: 1_000 };

type GuardOptions = Pick<GuardedAgentOptions, "allowLoopback" | "lookup"> & {
  /** For the whole request, including redirects and body. */
  timeoutMs?: number;
  signal?: AbortSignal;
};

type DocumentOptions = GuardOptions & {
  admit?: GuardedAgentOptions["admit"];
  /** Whether documents that are no text, such as pictures, are received too. */
  acceptsAnyType?: boolean;
  /** Then only so many bytes are read, and a longer document is cut there. */
  startBytes?: number | undefined;
};
type ReadOptions = Pick<DocumentOptions, "acceptsAnyType" | "startBytes">;

export type FetchedDocument =
  | {
      ok: true;
      /** As received, before decoding. */
      bytes: Buffer;
      /** The text of `bytes`; null for a PDF and for what is not text. */
      content: string | null;
      mediaType: string;
      status: number;
      /** After redirects. */
      url: string;
    }
  | {
      ok: false;
      code: FetchFailure;
      reason: string;
      retryable: boolean;
      /** Set if a document of a refused type arrived. */
      mediaType?: string;
      /** Set if the server answered with an error, with the URL after redirects. */
      status?: number;
      url?: string;
    };

/**
 * Fetches the document at a public http(s) URL: at most 1 MiB, text media types and PDF, at most
 * three redirects, each checked like the first address, 10 s in total. Throws only what `admit` throws, as
 * an `AppError`. `reason` is a sentence that contains neither URL nor address, so it may be published; `retryable` is true if
 * another attempt may succeed.
 */
export async function fetchDocument(
  url: string,
  { acceptsAnyType, startBytes, ...options }: DocumentOptions = {},
): Promise<FetchedDocument> {
  const timeoutMs = options.timeoutMs ?? DOCUMENT_TIMEOUT_MS;
  const agent = createGuardedAgent({ ...options, timeoutMs });
  try {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    return await followRedirects(url, agent, { signal, acceptsAnyType, startBytes });
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof TooLargeError) return createFailure("too-large");
    return createFailure(classifyFailure(error));
  } finally {
    await agent.destroy();
  }
}

async function followRedirects(
  start: string,
  dispatcher: Dispatcher,
  { signal, ...options }: ReadOptions & { signal: AbortSignal },
): Promise<FetchedDocument> {
  let url = parseOutboundUrl(start);
  for (let redirects = 0; url && redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await request(url, {
      dispatcher,
      signal,
      headers: {
        accept: "text/*, application/json;q=0.9, application/pdf;q=0.8, */*;q=0.1",
        "accept-encoding": "identity",
        // Some hosts, such as Wikipedia, refuse requests without it.
        "user-agent": "Standing (fetches documents that agents refer to)",
      },
    });
    const location =
      response.statusCode >= 300 && response.statusCode < 400 && getHeader(response, "location");
    if (!location) return await readDocument(url, response, options);
    response.body.on("error", () => {}).destroy();
    url = parseOutboundUrl(location, url);
  }
  return createFailure(url ? "redirect" : "invalid-url");
}

/**
 * Statuses below 500 that may be temporary: a document is often published moments after its URL is
 * sent.
 */
const RETRYABLE_STATUSES = [401, 403, 404, 408, 425, 429];

async function readDocument(
  url: URL,
  response: Dispatcher.ResponseData,
  { acceptsAnyType = false, startBytes }: ReadOptions,
): Promise<FetchedDocument> {
  const refuse = (failure: FetchedDocument) => {
    response.body.on("error", () => {}).destroy();
    return failure;
  };
  const status = response.statusCode;
  if (status < 200 || status > 299) {
    const retryable = status >= 500 || RETRYABLE_STATUSES.includes(status);
    return refuse({
      ...createFailure("status"),
      reason: `The server answered with status ${status}.`,
      retryable,
      status,
      url: url.href,
    });
  }
  const type = parseMediaType(getHeader(response, "content-type"));
  const isText = type !== null && isTextMediaType(type.mediaType);
  const isReadable = isText || (type !== null && isPdf(type.mediaType));
  if (!isReadable && !acceptsAnyType) {
    return refuse({
      ...createMediaTypeFailure(type?.mediaType),
      reason: describeRefusedType(type?.mediaType),
    });
  }
  const encodings = [response.headers["content-encoding"] ?? "identity"].flat();
  if (encodings.some((encoding) => encoding.toLowerCase() !== "identity")) {
    return refuse(createMediaTypeFailure(type?.mediaType));
  }
  const limit = startBytes ?? MAX_DOCUMENT_BYTES;
  const bytes = await readAtMost(response.body, limit, startBytes !== undefined);
  const content = isText ? decodeText(bytes, type.charset) : null;
  if (content === null && isText && !acceptsAnyType) return createMediaTypeFailure(type.mediaType);
  const mediaType = isReadable ? type.mediaType : sanitizeMediaType(type?.mediaType);
  return { ok: true, bytes, content, mediaType, status, url: url.href };
}

export interface PostResult {
  /** Whether the response was 2xx. */
  ok: boolean;
  status: number | null;
  error: FetchFailure | null;
  /** From the start to the response headers, or to the failure. */
  latencyMs: number;
}

/**
 * Sends one POST to a public http(s) URL, for webhooks: 15 s in total, redirects are not
 * followed but reported as `redirect`, and the response body is discarded. Never throws.
 */
export async function postGuarded(
  url: string,
  options: GuardOptions & { headers: Record<string, string>; body: string | Uint8Array },
): Promise<PostResult> {
  const timeoutMs = options.timeoutMs ?? WEBHOOK_TIMEOUT_MS;
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  const parsed = parseOutboundUrl(url);
  if (!parsed) return { ok: false, status: null, error: "invalid-url", latencyMs: elapsed() };
  const agent = createGuardedAgent({ ...options, timeoutMs });
  try {
    const { statusCode, body } = await request(parsed, {
      dispatcher: agent,
      method: "POST",
      headers: { ...options.headers, "accept-encoding": "identity" },
      body: options.body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const latencyMs = elapsed();
    await body
      .dump({ limit: DISCARD_LIMITS.limit, signal: AbortSignal.timeout(DISCARD_LIMITS.timeoutMs) })
      .catch(() => {});
    const ok = statusCode >= 200 && statusCode < 300;
    const redirected = statusCode >= 300 && statusCode < 400;
    const error = ok ? null : redirected ? "redirect" : "status";
    return { ok, status: statusCode, error, latencyMs };
  } catch (error) {
    return { ok: false, status: null, error: classifyFailure(error), latencyMs: elapsed() };
  } finally {
    await agent.destroy();
  }
}

const REASONS: Record<FetchFailure, { reason: string; retryable: boolean }> = {
  timeout: { reason: "The document did not arrive in time.", retryable: true },
  "refused-address": {
    reason: "The URL leads to an address that is not public.",
    retryable: false,
  },
  connection: { reason: "The connection to the server failed or broke.", retryable: true },
  redirect: { reason: "The server redirected more than three times.", retryable: false },
  tls: { reason: "The server's TLS certificate or protocol was not acceptable.", retryable: false },
  dns: { reason: "The server's name could not be resolved.", retryable: true },
  "too-large": { reason: "The document is larger than 1 MiB.", retryable: false },
  "invalid-url": {
    reason:
      "The URL, or one it redirects to, is not http or https, carries a user name or names a port other than 80, 443 and those above 1023 without a well-known other use.",
    retryable: false,
  },
  status: { reason: "The server answered with an error.", retryable: false },
  "media-type": {
    reason: "The document is compressed or not text of a known encoding.",
    retryable: false,
  },
};

function createFailure(code: FetchFailure): Extract<FetchedDocument, { ok: false }> {
  return { ok: false, code, ...REASONS[code] };
}

function createMediaTypeFailure(
  mediaType: string | undefined,
): Extract<FetchedDocument, { ok: false }> {
  return { ...createFailure("media-type"), mediaType: sanitizeMediaType(mediaType) };
}

function getHeader(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

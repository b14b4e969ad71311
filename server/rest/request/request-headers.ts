import { randomUUID } from "node:crypto";
import type { RequestInfo } from "@/server/lib/context";
import type { Env } from "@/server/lib/env";
import { createFieldErrors } from "@/server/lib/to-app-error";
import { getRequestIp } from "@/server/rate-limit/client";
import type { RestRequest } from "@/server/rest/exchange";

const VISIBLE_ASCII = /^[\x21-\x7e]{1,128}$/;

/** Returns the caller's own request id if it is 1-128 visible ASCII characters, else a new UUID. */
export function resolveRequestId(sent: string | undefined): string {
  return sent !== undefined && VISIBLE_ASCII.test(sent) ? sent : randomUUID();
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-[\x21-\x7e]*)?$/;

/**
 * Returns `sent` if it is a valid `traceparent`, else null (W3C Trace Context, 3.2: neither id is
 * all zeros, version ff does not exist, and only later versions than 00 may carry more fields).
 */
export function parseTraceparent(sent: string | undefined): string | null {
  if (sent === undefined) return null;
  const [, version, traceId, parentId, more] = TRACEPARENT.exec(sent) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more)) return null;
  return /[1-9a-f]/.test(traceId ?? "") && /[1-9a-f]/.test(parentId ?? "") ? sent : null;
}

/**
 * Returns the API key of `X-API-Key` or `Authorization: Bearer`. An empty one counts as absent: clients
 * send it for a variable that is not set. Throws `invalid-request` for two different keys, since the
 * caller may mean either.
 * @param request `header` joins repeated headers by a comma and a space.
 */
export function readApiKey(request: { header(name: string): string | undefined }): string | null {
  const tokens = (request.header("authorization") ?? "")
    .split(", ")
    .flatMap((value) => /^Bearer +(\S+) *$/i.exec(value)?.[1] ?? []);
  const sent = [...(request.header("x-api-key") ?? "").split(", "), ...tokens];
  const [key = null, ...others] = new Set(sent.filter((value) => value !== ""));
  if (others.length === 0) return key;
  const detail = "and Authorization must not have different keys in one request; send one key";
  throw createFieldErrors([{ pointer: "#/header/X-API-Key", detail, code: "repeated" }]);
}

/** Returns what the context of a request takes from it in the same way over every transport. */
export const readRequestInfo = (
  env: Env,
  request: Pick<RestRequest, "header" | "peer">,
): Pick<RequestInfo, "ip" | "origin" | "apiKey" | "claimedWallet" | "idempotencyKey"> => ({
  ip: getRequestIp(env, request),
  origin: getServiceOrigin(env, request.header("host")),
  apiKey: readApiKey(request),
  claimedWallet: request.header("x-wallet-address") ?? null,
  idempotencyKey: request.header("idempotency-key") ?? null,
});

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/;
const MAX_PORT = 65_535;

/**
 * Returns the origin of the service, without a trailing slash: `PUBLIC_URL`, or `http://` and the
 * request's `Host`. Wallet proofs are bound to it, so the `Host` header is used only if it names
 * this machine: any other name would allow replaying a proof made for another site.
 */
export function getServiceOrigin(
  env: Pick<Env, "PUBLIC_URL" | "HOST" | "PORT">,
  host: string | undefined,
): string {
  if (env.PUBLIC_URL) return env.PUBLIC_URL;
  const [authority, name, port] = HOST.exec(host?.toLowerCase() ?? "") ?? [];
  if (name !== undefined && isOwnHost(name, env.HOST) && Number(port ?? 0) <= MAX_PORT) {
    return `http://${authority}`;
  }
  const listensEverywhere = env.HOST === "0.0.0.0" || env.HOST === "::";
  return `http://${listensEverywhere ? "localhost" : bracketIpv6(env.HOST)}:${env.PORT}`;
}

function isOwnHost(name: string, listening: string): boolean {
  return (
    name === "localhost" ||
    name === "127.0.0.1" ||
    name === "[::1]" ||
    name === bracketIpv6(listening.toLowerCase())
  );
}

function bracketIpv6(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * Matches a dot segment, escaped or not, or a backslash, which URL parsers treat as a slash.
 */
const DOT_SEGMENT = /\\|\/(?:\.|%2e)/i;

/**
 * Returns the request target without dot segments, as URL parsers read it. Next resolves them too,
 * so otherwise a target with dot segments could reach a transport through Next, bypassing its
 * authentication and rate limits.
 */
export function normalizeRequestTarget(target: string): string {
  const path = target.split("?", 1)[0] ?? "";
  if (!target.startsWith("/") || !DOT_SEGMENT.test(path)) return target;
  const { pathname, search } = new URL(`http://localhost${target}`);
  return pathname + search;
}

/** Whether the path of a request target is valid percent-encoding. */
export function isDecodablePath(target: string): boolean {
  const path = target.split("?", 1)[0] ?? "";
  if (!path.startsWith("/") && !(/^https?:/i.test(path) && URL.canParse(path))) return false;
  if (!path.includes("%")) return true;
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

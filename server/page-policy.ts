import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const HEADER = "Content-Security-Policy";

/**
 * The content security policy of a page: only the service's own files run, and what stands inline
 * with `nonce`; not even a script of its own can add another inline. Styles may stand inline, as
 * drawings set sizes there. `reach` are sources beside the service that its pages may ask, such as
 * the chain's node.
 */
export function pagePolicy(nonce: string, reach: readonly string[]): string {
  const sources = {
    "default-src": "'self'",
    "script-src": `'self' 'nonce-${nonce}'`,
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": ["'self'", ...reach].join(" "),
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  };
  return Object.entries(sources)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** What pages of a service are given beside what Next gives them all. */
export interface PageGuard {
  /** What they may ask beside the service. */
  reach: readonly string[];
  /** Headers of every answer. */
  headers: Record<string, string>;
}

/** Gives a page its policy; Next takes the nonce for its own scripts from the request. */
export function guardPage(req: IncomingMessage, res: ServerResponse, guard: PageGuard) {
  const policy = pagePolicy(randomBytes(16).toString("base64"), guard.reach);
  for (const [name, value] of Object.entries(guard.headers)) res.setHeader(name, value);
  req.headers[HEADER.toLowerCase()] = policy;
  res.setHeader(HEADER, policy);
}

/**
 * What pages reach beside the service: in local mode the chain's node. On a public chain wallets
 * bring nodes and relays of their own.
 */
export function reachOf({ rpcUrl }: { rpcUrl?: string | null | undefined }): string[] {
  return rpcUrl ? [new URL(rpcUrl).origin] : ["https:", "wss:"];
}

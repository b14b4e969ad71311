import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FurtherWallets } from "./chain/schema";

const HEADER = "Content-Security-Policy";

/** What a page may reach beside the service. */
export interface Reach {
  /** Sources that its scripts may ask, such as the chain's node. */
  connect: readonly string[];
  /** Sources of frames in it. */
  frame: readonly string[];
}

export const NOWHERE: Reach = { connect: [], frame: [] };

/** WalletConnect's relay, its nodes for a chain without another, and what vouches for our name. */
const WALLET_CONNECT: Reach = {
  connect: [
    "wss://relay.walletconnect.org",
    "https://rpc.walletconnect.org",
    "https://verify.walletconnect.org",
  ],
  frame: ["https://verify.walletconnect.org"],
};

/**
 * The content security policy of a page: only the service's own files run, and what stands inline
 * with `nonce`; not even a script of its own can add another inline. Styles may stand inline, as
 * drawings set sizes there.
 */
export function pagePolicy(
  nonce: string,
  { connect, frame }: Reach,
  isDevelopment = false,
): string {
  const scripts = `'self' 'nonce-${nonce}'`;
  const sources = {
    "default-src": "'self'",
    // Next's development build evaluates modules, so that it can replace them in an open page.
    "script-src": isDevelopment ? `${scripts} 'unsafe-eval'` : scripts,
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": ["'self'", ...(isDevelopment ? ["ws:"] : []), ...connect].join(" "),
    "frame-src": frame.length > 0 ? frame.join(" ") : "'none'",
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
  /** What the pages of owners reach; the others reach nothing. */
  ofOwners: Reach;
  /** Headers of every answer. */
  headers: Record<string, string>;
  /** Loosens the policy by what `npm run dev` needs. */
  isDevelopment?: boolean;
}

/**
 * Gives a page its policy; Next takes the nonce for its own scripts from the request. Only the
 * owners' pages reach beyond the service. They are opened by a full load, as a page keeps the policy
 * of the one that it was entered by.
 */
export function guardPage(req: IncomingMessage, res: ServerResponse, guard: PageGuard) {
  const reach = isOwnersPage(req.url ?? "/") ? guard.ofOwners : NOWHERE;
  const policy = pagePolicy(randomBytes(16).toString("base64"), reach, guard.isDevelopment);
  for (const [name, value] of Object.entries(guard.headers)) res.setHeader(name, value);
  req.headers[HEADER.toLowerCase()] = policy;
  res.setHeader(HEADER, policy);
}

const isOwnersPage = (url: string) => /^\/(register|dashboard)([/?]|$)/.test(url);

interface Reached {
  /** The chain's node, where wallets are told of it. */
  rpcUrl: string | null;
  further: FurtherWallets;
}

/**
 * What the owners' pages reach beside the service: in local mode the chain's node, and what the
 * configured wallets need. On a public chain wallets bring nodes and relays of their own. A Base
 * Account is a window, which needs none of this.
 */
export function reachOf({ rpcUrl, further }: Reached): Reach {
  const node = rpcUrl ? [new URL(rpcUrl).origin] : ["https:", "wss:"];
  const { connect, frame } = further.walletConnectProjectId ? WALLET_CONNECT : NOWHERE;
  return { connect: [...node, ...connect], frame };
}

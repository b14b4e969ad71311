import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { WalletConnectors } from "@/server/chain/schema";

const HEADER = "Content-Security-Policy";

/** Origins other than the service that a page may reach. */
export interface AllowedOrigins {
  /** Sources that its scripts may connect to, such as the chain's node. */
  connect: readonly string[];
  /** Sources of frames in it. */
  frame: readonly string[];
}

export const NO_ORIGINS: AllowedOrigins = { connect: [], frame: [] };

/**
 * The hosts of WalletConnect: its relay, its fallback nodes, and the service that verifies our
 * domain.
 */
const WALLET_CONNECT: AllowedOrigins = {
  connect: [
    "wss://relay.walletconnect.org",
    "https://rpc.walletconnect.org",
    "https://verify.walletconnect.org",
  ],
  frame: ["https://verify.walletconnect.org"],
};

/**
 * Returns the content security policy of a page: only the service's own scripts and inline
 * scripts with `nonce` run. Inline styles are allowed, since charts set their sizes in them.
 */
export function createPagePolicy(
  nonce: string,
  { connect, frame }: AllowedOrigins,
  isDevelopment = false,
): string {
  const scripts = `'self' 'nonce-${nonce}'`;
  const sources = {
    "default-src": "'self'",
    // Next's development build evaluates modules to replace them in an open page.
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

/** Returns the nonce in a header that `createPagePolicy` wrote, or null. */
export function findNonce(policy: string | string[] | undefined): string | null {
  return /'nonce-([\w-]+)'/.exec(String(policy))?.[1] ?? null;
}

/** Headers for the service's pages beyond those that Next sets. */
export interface PagePolicyOptions {
  /** Origins that the owners' pages may reach; other pages reach only the service. */
  ownerPages: AllowedOrigins;
  /** Origins that `/verify` may reach: the node that it reads the ledger from by default. */
  verifyPage: AllowedOrigins;
  /** Headers of every response. */
  headers: Record<string, string>;
  /** Loosens the policy as far as `npm run dev` needs. */
  isDevelopment?: boolean;
}

/**
 * Sets the policy of a page; Next takes the nonce for its own scripts from the request. Only the
 * owners' pages, `/verify` and its worker reach other origins. They are opened by a full load, as the browser
 * keeps the policy of the page it loaded first.
 */
export function setPagePolicy(
  req: IncomingMessage,
  res: ServerResponse,
  options: PagePolicyOptions,
) {
  const nonce = randomBytes(16).toString("base64url");
  const origins = selectOrigins(req.url ?? "/", options);
  const policy = createPagePolicy(nonce, origins, options.isDevelopment);
  for (const [name, value] of Object.entries(options.headers)) res.setHeader(name, value);
  req.headers[HEADER.toLowerCase()] = policy;
  res.setHeader(HEADER, policy);
}

function selectOrigins(url: string, { ownerPages, verifyPage }: PagePolicyOptions): AllowedOrigins {
  if (/^\/(register|sign-in|dashboard|agreements)([/?]|$)/.test(url)) return ownerPages;
  // A worker has the policy of its own script's response; older browsers apply the page's.
  if (url.startsWith("/_next/static/")) {
    return { connect: [...verifyPage.connect, ...READERS_NODES], frame: [] };
  }
  return /^\/verify([/?]|$)/.test(url) ? verifyPage : NO_ORIGINS;
}

/** Nodes that readers may enter on `/verify`; browsers reach no other from a page with https. */
const READERS_NODES = ["https:", "http://localhost:*", "http://127.0.0.1:*"];

interface OriginSources {
  /** The chain's node, if it is public to wallets. */
  rpcUrl: string | null;
  connectors: WalletConnectors;
}

/**
 * Returns the origins that the owners' pages may reach: the chain's node in local mode, and those of
 * the configured wallets. On a public chain any https origin, since wallets use their own nodes and
 * relays. A Base Account opens a window and needs none.
 */
export function getAllowedOrigins({ rpcUrl, connectors }: OriginSources): AllowedOrigins {
  const node = rpcUrl ? [new URL(rpcUrl).origin] : ["https:", "wss:"];
  const { connect, frame } = connectors.walletConnectProjectId ? WALLET_CONNECT : NO_ORIGINS;
  return { connect: [...node, ...connect], frame };
}

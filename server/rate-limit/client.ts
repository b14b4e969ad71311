import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Core } from "@/server/lib/context";
import { deriveKey } from "@/server/lib/seal";

/** The address of all clients whose address is unknown. */
const UNKNOWN_CLIENT = "unknown";

/**
 * Returns the client's IP address of a request. Of `X-Forwarded-For`, only the entry that the outermost
 * of our own proxies appended is trusted, the `TRUSTED_PROXIES`-th from the right; the client may have
 * written anything left of it.
 * @param request `peer` is the remote address of the connection; null if the server does not expose it.
 */
export function getRequestIp(
  { TRUSTED_PROXIES: proxies }: Pick<Core["env"], "TRUSTED_PROXIES">,
  request: { peer: string | null; header(name: string): string | undefined },
): string {
  const { peer } = request;
  // `header` is a method of the request and fails without it.
  const forwardedFor = proxies > 0 ? request.header("x-forwarded-for") : undefined;
  const entry = forwardedFor?.split(",").at(-proxies);
  const address = entry === undefined ? null : parseForwardedAddress(entry.trim());
  return address ?? (peer === null ? UNKNOWN_CLIENT : unmapIpv4(peer));
}

/**
 * Returns a function that logs a warning for the first request with a forwarded address while no
 * proxy is trusted: behind one, all clients would share the limits of its address.
 */
export function createProxyWarning({ env, log }: Pick<Core, "env" | "log">) {
  let isSilent = env.TRUSTED_PROXIES > 0;
  return (headers: IncomingHttpHeaders): void => {
    if (isSilent || !(headers["x-forwarded-for"] ?? headers.forwarded)) return;
    isSilent = true;
    log.warn(
      "a request names a forwarded address, which is ignored: if a proxy of yours sends it, set TRUSTED_PROXIES, or all its clients share one rate limit",
    );
  };
}

/**
 * Returns the IP of an entry as proxies write it: bare, `1.2.3.4:5678`, `[2001:db8::1]` or
 * `[2001:db8::1]:5678`. Returns null if it is not an IP.
 */
function parseForwardedAddress(entry: string): string | null {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) ? unmapIpv4(bare) : null;
}

/** Unmaps `::ffff:1.2.3.4`, which is an IPv4 client on a dual-stack socket. */
function unmapIpv4(address: string): string {
  const prefix = "::ffff:";
  const rest = address.slice(prefix.length);
  return address.toLowerCase().startsWith(prefix) && isIP(rest) === 4 ? rest : address;
}

/**
 * Returns the key under which a client is counted: its IPv4 address, or the /64 network of its IPv6
 * address, since a client usually controls a whole /64.
 */
export function getClientKey(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  const [address] = ip.split("%");
  const network = ipaddr.IPv6.parse(address ?? ip).parts.slice(0, 4);
  return `${network.map((part) => part.toString(16)).join(":")}::/64`;
}

/**
 * Returns the HMAC-SHA256 of the client's key, for storing: it is not reversible without the
 * service's key, because an address is personal data. Values of different purposes can't be matched.
 */
export function hashClientKey(
  env: Pick<Core["env"], "SECRET_KEY">,
  ip: string,
  purpose: "submission" | "mail",
): Buffer {
  return createHmac("sha256", deriveKey(env, `standing/${purpose}-client/1`))
    .update(getClientKey(ip))
    .digest();
}

import { isIP } from "node:net";

/** What stands for the client where nothing trustworthy names it: one client for all of them. */
const UNKNOWN = "unknown";

/**
 * The client's IP address.
 * @param peer The other end of the connection, null where the server does not tell.
 * @param forwardedFor `X-Forwarded-For` as received. Only the entry that the outermost of our own
 *   proxies appended is believed, the `proxies`-th from the right; whatever stands left of it, the
 *   client may have written itself.
 */
export function clientIp(
  peer: string | null,
  forwardedFor: string | undefined,
  proxies: number,
): string {
  if (proxies > 0 && forwardedFor !== undefined) {
    const entry = forwardedFor.split(",").at(-proxies);
    const address = entry === undefined ? null : withoutPort(entry.trim());
    if (address !== null) return address;
  }
  return peer === null ? UNKNOWN : unmapped(peer);
}

/** An address as proxies write it: bare, `1.2.3.4:5678`, `[2001:db8::1]` or `[2001:db8::1]:5678`. */
function withoutPort(entry: string): string | null {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) ? unmapped(bare) : null;
}

/** An IPv4 client of a dual-stack socket is `::ffff:1.2.3.4` there. */
function unmapped(address: string): string {
  const prefix = "::ffff:";
  const rest = address.slice(prefix.length);
  return address.toLowerCase().startsWith(prefix) && isIP(rest) === 4 ? rest : address;
}

import { isIP } from "node:net";
import type { Sql } from "@/server/lib/context";
import { type Lookup, resolveAddresses } from "@/server/outbound/guarded-lookup";
import { getClientKey } from "@/server/rate-limit/client";
import type { RateLimitState } from "@/server/rate-limit/headers";
import { RATE_LIMITS } from "@/server/rate-limit/limits";
import { countRequest } from "@/server/rate-limit/sliding-window";

/** The one address that a request of a watch goes to. */
export interface WatchAddress {
  /** The IPv4 address, or the /64 network of the IPv6 address; null if the name has none. */
  key: string | null;
  /** Returns this address only, so that the request goes where it was counted. */
  lookup: Lookup;
}

/**
 * Resolves the endpoint of a watch to one address: the confirmed one first, and after a failed
 * attempt the others in turn. A lookup of its own per request would let a name lead elsewhere.
 * @param attempt Number of the attempt, from 1.
 */
export async function resolveWatchAddress(
  url: string,
  confirmed: string | null,
  attempt: number,
): Promise<WatchAddress> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) ? [host] : await resolveAddresses(host).catch(() => []);
  const isConfirmed = (address: string) => getClientKey(address) === confirmed;
  const sorted = found.toSorted((a, b) => Number(isConfirmed(b)) - Number(isConfirmed(a)));
  const address = sorted[(attempt - 1) % sorted.length];
  if (address === undefined) {
    const error = Object.assign(new Error("the name has no address"), { code: "ENOTFOUND" });
    return { key: null, lookup: (_, __, callback) => callback(error, []) };
  }
  const answer = [{ address, family: isIP(address) }];
  return { key: getClientKey(address), lookup: (_, __, callback) => callback(null, answer) };
}

/** Counts a request under a policy of `RATE_LIMITS`, if it has room. */
export async function countWatchRequest(
  db: Sql,
  policy: "watch-address" | "watch-host" | "watch-challenge",
  subject: string,
): Promise<RateLimitState & { allowed: boolean }> {
  const limit = RATE_LIMITS[policy];
  return { policy, limit, ...(await countRequest(db, { bucket: `${policy}:${subject}`, limit })) };
}

import { randomBytes, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { eq, sql } from "drizzle-orm";
import type { Core, Sql } from "@/server/lib/context";
import { unseal } from "@/server/lib/seal";
import { type PostResult, postGuarded } from "@/server/outbound/guarded-fetch";
import { type Lookup, resolveAddresses } from "@/server/outbound/guarded-lookup";
import { getClientKey } from "@/server/rate-limit/client";
import type { RateLimitState } from "@/server/rate-limit/headers";
import { RATE_LIMITS } from "@/server/rate-limit/limits";
import { countRequest } from "@/server/rate-limit/sliding-window";
import type { ClaimedDelivery } from "./claim";
import { getSealContext } from "./manage-webhooks";
import { buildPayload, buildSignatureHeaders } from "./signature";
import { watches, webhooks } from "./tables";

/** Challenges that an address of a watch can fail before the watch ends. */
export const MAX_CHALLENGES = 3;
const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 1_024;

type ChallengeResult = Omit<PostResult, "error"> & { error: string | null };

/**
 * How a delivery of a watch continues: it is sent to the address of `lookup`, waits without using up
 * an attempt, or has failed.
 */
type WatchRoute = { lookup: Lookup } | { until: Date } | { failed: ChallengeResult };

/**
 * Prepares an attempt of a watch's delivery: counts it against the limit of its address, over all
 * watches, and has an address confirm that has not confirmed last. Otherwise an endpoint could
 * confirm and then let its name lead to a stranger.
 */
export async function routeWatchDelivery(
  core: Pick<Core, "db" | "env" | "log">,
  { webhookId, attempt }: ClaimedDelivery,
  at: Date,
): Promise<WatchRoute> {
  const { db } = core;
  const [row] = await db
    .select({ watch: watches, webhook: webhooks })
    .from(watches)
    .innerJoin(webhooks, eq(webhooks.id, watches.webhookId))
    .where(eq(watches.webhookId, webhookId));
  // It was just deleted, which the next claim reports.
  if (!row) return { until: at };
  const { confirmedAddress } = row.watch;
  const { key, lookup } = await resolveWatchAddress(row.webhook.url, confirmedAddress, attempt);
  if (key === null) return { lookup };
  const isConfirmed = key === confirmedAddress;
  const limits = [
    ...(isConfirmed ? [] : [["watch-challenge", webhookId] as const]),
    ["watch-address", key] as const,
  ];
  for (const [policy, subject] of limits) {
    const { allowed, resetSeconds } = await countWatchRequest(db, policy, subject);
    if (!allowed) return { until: new Date(at.getTime() + Math.ceil(resetSeconds * 1000)) };
  }
  if (isConfirmed) return { lookup };

  const failed = await sendChallenge(core, row, lookup);
  const [watch] = await db
    .update(watches)
    .set(
      failed.ok
        ? { confirmedAddress: key, confirmationAttempts: 0 }
        : { confirmationAttempts: sql`${watches.confirmationAttempts} + 1` },
    )
    .where(eq(watches.webhookId, webhookId))
    .returning({ attempts: watches.confirmationAttempts });
  if (failed.ok) return { until: at };
  if (watch && watch.attempts >= MAX_CHALLENGES) {
    await db
      .update(webhooks)
      .set({ status: "disabled", disabledReason: "failing" })
      .where(eq(webhooks.id, webhookId));
  }
  return { failed };
}

/** Sends the challenge. The result is `ok` if the response repeats it. Holds no database connection. */
export async function sendChallenge(
  { env, log }: Pick<Core, "env" | "log">,
  { watch, webhook }: { watch: typeof watches.$inferSelect; webhook: typeof webhooks.$inferSelect },
  lookup: Lookup,
): Promise<ChallengeResult> {
  const challenge = randomBytes(32).toString("base64url");
  const at = new Date();
  const { id, body } = buildPayload({
    key: `watch.confirm:${challenge}`,
    event: "watch.confirm",
    at,
    data: { watchId: webhook.id, walletAddress: watch.wallet, challenge },
  });
  const secret = unseal(env, webhook.sealedSecret, getSealContext(webhook.id));
  const result = await postGuarded(webhook.url, {
    headers: {
      "content-type": "application/json",
      "user-agent": "Standing-Webhooks/1",
      ...buildSignatureHeaders({ secret, id, at, payload: body }),
    },
    body,
    timeoutMs: TIMEOUT_MS,
    allowLoopback: env.OUTBOUND_ALLOW_LOOPBACK,
    lookup,
    readAtMost: MAX_RESPONSE_BYTES,
  });
  if (isChallenge(parseChallenge(result.text), challenge)) return result;
  const { status, error } = result;
  log.info({ watchId: webhook.id, status, error }, "watch not confirmed");
  return { ...result, ok: false, error: error ?? "not-confirmed" };
}

/**
 * Returns the `challenge` of the response, its only field. A server that echoes requests must not
 * confirm by that.
 */
function parseChallenge(text = ""): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return "";
    const [[name, value] = [], ...others] = Object.entries(parsed);
    return name === "challenge" && typeof value === "string" && others.length === 0 ? value : "";
  } catch {
    return "";
  }
}

function isChallenge(received: string, expected: string): boolean {
  const [a, b] = [Buffer.from(received), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The one address that a request of a watch goes to. */
interface WatchAddress {
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

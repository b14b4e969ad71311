import { randomBytes, timingSafeEqual } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import { unseal } from "@/server/lib/seal";
import { type PostResult, postGuarded } from "@/server/outbound/guarded-fetch";
import type { Lookup } from "@/server/outbound/guarded-lookup";
import type { ClaimedDelivery } from "./claim";
import { getSealContext } from "./manage-webhooks";
import { buildPayload } from "./payload";
import { buildSignatureHeaders } from "./signature";
import { watches, webhooks } from "./tables";
import { countWatchRequest, resolveWatchAddress } from "./watch-address";

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

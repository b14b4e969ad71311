import { randomBytes, timingSafeEqual } from "node:crypto";
import { and, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Context } from "@/server/lib/context";
import { databaseNow, readDatabaseTime } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { unseal } from "@/server/lib/seal";
import { postGuarded } from "@/server/outbound/guarded-fetch";
import { createRateLimitError } from "@/server/rate-limit/headers";
import { RATE_LIMITS } from "@/server/rate-limit/limits";
import { takeSlot } from "@/server/rate-limit/sliding-window";
import { getSealContext } from "./manage-webhooks";
import { buildPayload } from "./payload";
import type { Watch, WatchTokenInput } from "./schema";
import { buildSignatureHeaders } from "./signature";
import { watches, webhooks } from "./tables";
import {
  CONFIRM_WITHIN_MS,
  countWatches,
  getWatch,
  lockWatches,
  toWatch,
  type WatchRow,
} from "./watches";

const MAX_ATTEMPTS = 3;
const MAX_PER_HOST = 20;
/** Bounds the deliveries that one event causes. */
const MAX_PER_WALLET = 200;
const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 1_024;

/**
 * Sends the endpoint one signed request with a challenge, and activates the watch if the response
 * repeats the challenge. Without that, an endpoint receives nothing else. A confirmed watch is
 * returned as it is.
 *
 * Throws `not-found`, `rate-limited` by the endpoint's host, `conflict` after the last attempt,
 * `watch-not-confirmed` without the reason, which would tell strangers what the service can reach,
 * and `too-many-watches`.
 */
export async function confirmWatch(
  ctx: Pick<Context, "db" | "env" | "log">,
  input: WatchTokenInput,
): Promise<Watch> {
  const row = await getWatch(ctx.db, input);
  if (row.watch.confirmedAt) return toWatch(row);
  await takeHostSlot(ctx, row.watch.host);
  await takeAttempt(ctx, row);
  if (!(await isConfirmedByEndpoint(ctx, row))) {
    throw new AppError("watch-not-confirmed", "The endpoint did not return the challenge.");
  }
  return activate(ctx, row);
}

async function takeHostSlot({ db }: Pick<Context, "db">, host: string): Promise<void> {
  const limit = RATE_LIMITS["watch-host"];
  const slot = await takeSlot(db, { bucket: `watch-host:${host}`, limit });
  if (!slot.allowed) throw createRateLimitError({ policy: "watch-host", limit, ...slot });
}

/** Counts an attempt before it is made, so that concurrent requests cannot exceed the maximum. */
async function takeAttempt({ db }: Pick<Context, "db">, { watch }: WatchRow): Promise<void> {
  const expired = new Date((await readDatabaseTime(db)).getTime() - CONFIRM_WITHIN_MS);
  const taken = await db
    .update(watches)
    .set({ confirmationAttempts: sql`${watches.confirmationAttempts} + 1` })
    .where(
      and(
        eq(watches.webhookId, watch.webhookId),
        isNull(watches.confirmedAt),
        lt(watches.confirmationAttempts, MAX_ATTEMPTS),
        gt(watches.createdAt, expired),
      ),
    )
    .returning({ id: watches.webhookId });
  if (taken.length === 0) {
    throw new AppError("conflict", "This watch can no longer be confirmed. Create another.");
  }
}

/** Sends the challenge. Holds no database connection. */
async function isConfirmedByEndpoint(
  { env, log }: Pick<Context, "env" | "log">,
  { watch, webhook }: WatchRow,
): Promise<boolean> {
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
    readAtMost: MAX_RESPONSE_BYTES,
  });
  const isConfirmed = isChallenge(parseChallenge(result.text), challenge);
  if (!isConfirmed) {
    const { status, error } = result;
    log.info({ watchId: webhook.id, status, error }, "watch not confirmed");
  }
  return isConfirmed;
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

/** Limits are checked here, after the confirmation, so that strangers cannot probe or exhaust them. */
function activate({ db }: Pick<Context, "db">, row: WatchRow): Promise<Watch> {
  const { webhookId, host, wallet } = row.watch;
  return db.transaction(async (tx) => {
    await lockWatches(tx);
    const isActive = and(isNotNull(watches.confirmedAt), eq(webhooks.status, "active"));
    const counted = [
      [eq(watches.host, host), MAX_PER_HOST, "A host can have"],
      [eq(watches.wallet, wallet), MAX_PER_WALLET, "An agent can have"],
    ] as const;
    for (const [where, max, subject] of counted) {
      if ((await countWatches(tx, and(where, isActive) ?? where)) >= max) {
        throw new AppError("too-many-watches", `${subject} ${max} watches.`);
      }
    }
    const [watch] = await tx
      .update(watches)
      .set({ confirmedAt: databaseNow })
      .where(eq(watches.webhookId, webhookId))
      .returning();
    const [webhook] = await tx
      .update(webhooks)
      .set({ status: "active" })
      .where(eq(webhooks.id, webhookId))
      .returning();
    if (!watch || !webhook) throw new AppError("not-found", "The watch was cancelled.");
    return toWatch({ watch, webhook });
  });
}

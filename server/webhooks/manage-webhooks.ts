import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { and, eq, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { type Caller, lockAgent } from "@/server/agents/authenticate";
import { keepNothing } from "@/server/agents/idempotency";
import type { Context, Database, Transaction } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import type { Env } from "@/server/lib/env";
import { AppError } from "@/server/lib/errors";
import { seal } from "@/server/lib/seal";
import { createFieldErrors } from "@/server/lib/to-app-error";
import { isAllowedAddress } from "@/server/outbound/address-rules";
import { createWebhookNotFoundError, toWebhook, whereOwnWebhooks } from "./queries";
import {
  type CreatedWebhook,
  type CreateWebhook,
  MAX_WEBHOOKS,
  type UpdateWebhook,
  type Webhook,
} from "./schema";
import { formatSecret } from "./signature";
import { webhooks } from "./tables";

/**
 * Creates a webhook and returns its secret, which is shown only once. Throws `too-many-webhooks`,
 * `invalid-request` for a URL with a literal address that would never be called, and the errors of
 * `lockAgent`.
 */
export async function createWebhook(
  ctx: Pick<Context, "db" | "env">,
  agent: Caller,
  { url, events, retrySchedule }: CreateWebhook,
  keep = keepNothing,
): Promise<CreatedWebhook> {
  const agentId = agent.id;
  rejectBlockedAddress(url, ctx.env.OUTBOUND_ALLOW_LOOPBACK);
  const secret = formatSecret(randomBytes(32));
  return ctx.db.transaction(async (tx) => {
    // Serializes concurrent creations, so that the count stays correct.
    await lockAgent(tx, agent, "update");
    if ((await tx.$count(webhooks, whereOwnWebhooks(agentId))) >= MAX_WEBHOOKS) {
      throw new AppError("too-many-webhooks", "Delete one before you add another.");
    }
    const values = { agentId, url, events, retrySchedule, secret };
    return keep(tx, { ...toWebhook(await insertWebhook(tx, ctx.env, values)), secret });
  });
}

interface NewWebhook extends Omit<typeof webhooks.$inferInsert, "id" | "sealedSecret"> {
  secret: string;
}

/** Inserts a webhook with its secret, encrypted and bound to the webhook's id. */
export async function insertWebhook(tx: Transaction, env: Env, { secret, ...values }: NewWebhook) {
  const [next] = await tx.execute<{ id: string }>(sql`select uuidv7() as id`);
  if (!next) throw new Error("the database returned no id");
  const { id } = next;
  const sealedSecret = seal(env, secret, getSealContext(id));
  const [row] = await tx
    .insert(webhooks)
    .values({ ...values, id, sealedSecret })
    .returning();
  if (!row) throw new Error("the webhook was not inserted");
  return row;
}

/**
 * Changes an agent's webhook; pending deliveries go to the new URL. Throws `not-found`,
 * `invalid-request` as `createWebhook` does, and the errors of `lockAgent`.
 */
export async function updateWebhook(
  ctx: Pick<Context, "db" | "env">,
  agent: Caller,
  webhookId: string,
  { status, ...changes }: UpdateWebhook,
): Promise<Webhook> {
  if (changes.url !== undefined) {
    rejectBlockedAddress(changes.url, ctx.env.OUTBOUND_ALLOW_LOOPBACK);
  }
  const enabled = status && ({ status, disabledReason: null, failingSince: null } as const);
  // The id makes an empty change valid SQL.
  const set = { id: webhookId, ...changes, ...enabled };
  return toWebhook(await ctx.db.transaction((tx) => setOwn(tx, agent, webhookId, set)));
}

/**
 * Replaces the secret of an agent's webhook and returns the new one, which is shown only once. For a
 * day, both sign. Throws `not-found` and the errors of `lockAgent`.
 */
export async function rotateSecret(
  ctx: Pick<Context, "db" | "env">,
  agent: Caller,
  webhookId: string,
  keep = keepNothing,
): Promise<CreatedWebhook> {
  const secret = formatSecret(randomBytes(32));
  return ctx.db.transaction(async (tx) => {
    const row = await setOwn(tx, agent, webhookId, {
      sealedSecret: seal(ctx.env, secret, getSealContext(webhookId)),
      previousSealedSecret: sql`${webhooks.sealedSecret}`,
      previousSecretExpiresAt: sql`${databaseNow} + interval '1 day'`,
    });
    return keep(tx, { ...toWebhook(row), secret });
  });
}

async function setOwn(
  tx: Transaction,
  agent: Caller,
  webhookId: string,
  set: PgUpdateSetSource<typeof webhooks>,
) {
  await lockAgent(tx, agent);
  const [row] = await tx
    .update(webhooks)
    .set(set)
    .where(and(eq(webhooks.id, webhookId), whereOwnWebhooks(agent.id)))
    .returning();
  if (!row) throw createWebhookNotFoundError();
  return row;
}

/** Returns the context that a sealed secret is bound to. */
export function getSealContext(webhookId: string): string {
  return `webhook:${webhookId}`;
}

/** Rejects known bad addresses early. Host names can only be checked when they are called. */
function rejectBlockedAddress(url: string, allowLoopback = false): void {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (!isIP(host) || isAllowedAddress(host, allowLoopback)) return;
  const detail = "must lead to a public address";
  throw createFieldErrors([{ pointer: "#/url", detail, code: "refused-address" }]);
}

/**
 * Deletes an agent's webhook with its deliveries. Throws `not-found`, also for another agent's
 * webhook, and the errors of `lockAgent`.
 */
export async function removeWebhook(db: Database, agent: Caller, webhookId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAgent(tx, agent);
    const removed = await tx
      .delete(webhooks)
      .where(and(eq(webhooks.id, webhookId), whereOwnWebhooks(agent.id)))
      .returning({ id: webhooks.id });
    if (removed.length === 0) throw createWebhookNotFoundError();
  });
}

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { and, desc, eq, gt, inArray, isNull, like, lt } from "drizzle-orm";
import { type AuthenticatedAgent, lockAgent } from "@/server/agents/authenticate";
import { agents } from "@/server/agents/tables";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import type { Context, Core, Sql, Transaction } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import type { Env } from "@/server/lib/env";
import { AppError } from "@/server/lib/errors";
import { deriveKey, unseal } from "@/server/lib/seal";
import { DAY_MS, SECOND_MS } from "@/server/lib/time";
import { CONFIRM_LINK } from "@/server/mail/render-mail";
import { sendsMail } from "@/server/mail/send-mail";
import { hashClientKey } from "@/server/rate-limit/client";
import { getSealContext, insertWebhook } from "@/server/webhooks/manage-webhooks";
import { MAILTO } from "@/server/webhooks/queries";
import { webhooks } from "@/server/webhooks/tables";
import type { Alerts, MailLinkInput } from "./schema";
import { storeMails } from "./store-mails";
import { confirmationMails, emailAddresses } from "./tables";
import { forgetChanges } from "./watch-list";

/** Time to confirm an address. */
const CONFIRM_WITHIN_MS = DAY_MS;
/** Most requests to confirm an address in 24 hours. */
const MAX_PER_INBOX = 3;
const MAX_PER_WALLET = 5;
const MAX_PER_CLIENT = 20;
const MAX_TOTAL = 1_000;

/** Returns the address of the agent's owner. */
export async function readAddress(db: Sql, agentId: string): Promise<Alerts["email"]> {
  const [row] = await selectAddresses(db).where(eq(emailAddresses.agentId, agentId));
  if (!row) return null;
  const { email, webhook } = row;
  const confirmed = email.confirmedAt ? "confirmed" : "unconfirmed";
  return {
    address: webhook.url.slice(MAILTO.length),
    state: webhook.disabledReason === "gone" ? "refused" : confirmed,
  };
}

const selectAddresses = (db: Sql) =>
  db
    .select({
      email: emailAddresses,
      webhook: webhooks,
      agent: { wallet: agents.wallet, name: agents.name },
    })
    .from(emailAddresses)
    .innerJoin(agents, eq(agents.id, emailAddresses.agentId))
    .innerJoin(webhooks, eq(webhooks.id, emailAddresses.webhookId));

/**
 * Replaces the address of the agent's owner, and sends it a mail to confirm it. Throws `conflict` if the
 * service sends no mail, `rate-limited` by wallet, inbox, client and in total, and the errors of `lockAgent`.
 */
export async function setAddress(
  ctx: Pick<Context, "db" | "env" | "publish" | "request">,
  agent: AuthenticatedAgent,
  address: string,
): Promise<void> {
  if (!sendsMail(ctx.env)) throw new AppError("conflict", "This service sends no e-mail.");
  const now = await readDatabaseTime(ctx.db);
  await ctx.db.transaction(async (tx) => {
    await lockAgent(tx, agent);
    const inbox = hashInbox(ctx.env, address);
    const client = hashClientKey(ctx.env, ctx.request.ip, "mail");
    await countConfirmation(tx, { wallet: agent.wallet, inbox, client, now });
    await removeAddress(tx, agent.id);
    const { id } = await insertWebhook(tx, ctx.env, {
      agentId: agent.id,
      url: MAILTO + address,
      events: [],
      retrySchedule: "day",
      // The token of the links in its mails.
      secret: randomBytes(32).toString("base64url"),
    });
    await tx.insert(emailAddresses).values({ webhookId: id, agentId: agent.id });
    const lines = [
      `The owner of agent ${agent.wallet} asks Standing to send alerts to this address.`,
      "If that was not you, ignore this mail. To confirm the address, open within 24 hours:",
      CONFIRM_LINK,
    ];
    const mail = { kind: "confirm", subject: "Confirm your address for alerts", lines } as const;
    await storeMails(ctx, tx, [{ ...mail, webhookId: id, key: `mail.confirm:${id}` }], now);
  });
}

interface Confirmation {
  wallet: string;
  inbox: Buffer;
  client: Buffer;
  now: Date;
}

/** Counts a request to confirm an address. Throws `rate-limited`. */
async function countConfirmation(tx: Transaction, { now, ...asked }: Confirmation) {
  await acquireAdvisoryLock(tx, "confirmation-mails");
  const { wallet, inbox, client, createdAt } = confirmationMails;
  const isRecent = gt(createdAt, new Date(now.getTime() - DAY_MS));
  for (const [max, isCounted] of [
    [MAX_PER_INBOX, eq(inbox, asked.inbox)],
    [MAX_PER_WALLET, eq(wallet, asked.wallet)],
    [MAX_PER_CLIENT, eq(client, asked.client)],
    [MAX_TOTAL, undefined],
  ] as const) {
    const [oldest] = await tx
      .select({ createdAt })
      .from(confirmationMails)
      .where(and(isRecent, isCounted))
      .orderBy(desc(createdAt))
      .offset(max - 1)
      .limit(1);
    if (!oldest) continue;
    const waitMs = oldest.createdAt.getTime() + DAY_MS - now.getTime();
    throw new AppError(
      "rate-limited",
      `An address can be asked for confirmation ${MAX_PER_INBOX} times a day, and an account can ask ${MAX_PER_WALLET} times, a network ${MAX_PER_CLIENT} times, and all together ${MAX_TOTAL} times.`,
      { headers: { "Retry-After": String(Math.ceil(waitMs / SECOND_MS)) } },
    );
  }
  await tx.insert(confirmationMails).values(asked);
}

/** Returns a keyed hash of the inbox of an address: without case, dots and a `+` suffix. */
function hashInbox(env: Env, address: string): Buffer {
  const [local = "", host = ""] = address.toLowerCase().split("@");
  const inbox = `${local.replace(/\+.*$/, "").replaceAll(".", "")}@${host}`;
  return createHmac("sha256", deriveKey(env, "standing/mail-inbox/1")).update(inbox).digest();
}

/** Deletes the address of an agent's owner, with its mails. */
export async function removeAddress(db: Sql, agentId: string): Promise<void> {
  const isMail = like(webhooks.url, `${MAILTO}%`);
  await db.delete(webhooks).where(and(eq(webhooks.agentId, agentId), isMail));
}

/** Returns whose alerts a link in a mail is about. Throws `not-found`. */
export async function readLinked(core: Pick<Core, "db" | "env">, link: MailLinkInput) {
  const { webhook, agent } = await requireLinked(core, link);
  return { ...agent, address: webhook.url.slice(MAILTO.length) };
}

/** Confirms an address by the link in its mail; again, it changes nothing. Throws `not-found`. */
export async function confirmAddress(core: Pick<Core, "db" | "env">, link: MailLinkInput) {
  const { webhookId, agentId, confirmedAt, createdAt } = (await requireLinked(core, link)).email;
  const now = await readDatabaseTime(core.db);
  if (confirmedAt) return;
  if (createdAt.getTime() < now.getTime() - CONFIRM_WITHIN_MS) throw createLinkError();
  await forgetChanges(core.db, agentId);
  await core.db
    .update(emailAddresses)
    .set({ confirmedAt: now })
    .where(eq(emailAddresses.webhookId, webhookId));
}

/** Deletes an address by the link in a mail. Throws `not-found`. */
export async function unsubscribe(core: Pick<Core, "db" | "env">, link: MailLinkInput) {
  const { webhookId } = (await requireLinked(core, link)).email;
  await core.db.delete(webhooks).where(eq(webhooks.id, webhookId));
}

async function requireLinked({ db, env }: Pick<Core, "db" | "env">, { id, token }: MailLinkInput) {
  const [row] = await selectAddresses(db).where(eq(emailAddresses.webhookId, id));
  const given = Buffer.from(token);
  const expected = row && Buffer.from(unseal(env, row.webhook.sealedSecret, getSealContext(id)));
  if (!expected || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw createLinkError();
  }
  return row;
}

const createLinkError = () => new AppError("not-found", "This link is no longer valid.");

/** Deletes addresses that were not confirmed in time, and the counts of earlier days. */
export async function pruneAddresses(db: Sql, now: Date): Promise<void> {
  const expired = new Date(now.getTime() - CONFIRM_WITHIN_MS);
  const unconfirmed = db
    .select({ id: emailAddresses.webhookId })
    .from(emailAddresses)
    .where(and(isNull(emailAddresses.confirmedAt), lt(emailAddresses.createdAt, expired)));
  await db.delete(webhooks).where(inArray(webhooks.id, unconfirmed));
  await db.delete(confirmationMails).where(lt(confirmationMails.createdAt, expired));
}

import { randomBytes } from "node:crypto";
import { eq, or, sql } from "drizzle-orm";
import { agents } from "@/server/agents/tables";
import type { Context, Sql } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { outcomes } from "@/server/outcomes/tables";
import { hashClientKey } from "@/server/rate-limit/client";
import { insertWebhook, rejectBlockedAddress } from "./manage-webhooks";
import { type CreatedWatch, type WatchInput, watchEventSchema } from "./schema";
import { formatSecret } from "./signature";
import { watches } from "./tables";
import { CONFIRM_WITHIN_MS, countWatches, hashToken, lockWatches, pruneWatches } from "./watches";

/** Watches of one client address, unconfirmed and active. */
const MAX_PER_CLIENT = 20;

/**
 * Creates an unconfirmed watch, and returns its secret and token, which are shown only once. Nothing
 * is sent to the endpoint. Throws `not-found` for a wallet without a public record,
 * `too-many-watches`, and `invalid-request` for a literal address that would never be called.
 */
export async function createWatch(
  ctx: Pick<Context, "db" | "env" | "request">,
  { walletAddress, url, events = watchEventSchema.options }: WatchInput,
): Promise<CreatedWatch> {
  rejectBlockedAddress(url, ctx.env.OUTBOUND_ALLOW_LOOPBACK);
  if (!(await isKnownWallet(ctx.db, walletAddress))) {
    throw new AppError("not-found", "No record names this wallet.");
  }
  const secret = formatSecret(randomBytes(32));
  const token = randomBytes(32).toString("base64url");
  const client = hashClientKey(ctx.env, ctx.request.ip, "watch");
  const now = await readDatabaseTime(ctx.db);
  const watchId = await ctx.db.transaction(async (tx) => {
    await lockWatches(tx);
    await pruneWatches(tx, now);
    if ((await countWatches(tx, eq(watches.client, client))) >= MAX_PER_CLIENT) {
      throw new AppError("too-many-watches", `A client can have ${MAX_PER_CLIENT} watches.`);
    }
    const values = { agentId: null, url, events: [...events], status: "disabled" as const };
    const { id } = await insertWebhook(tx, ctx.env, { ...values, secret });
    await tx.insert(watches).values({
      webhookId: id,
      wallet: walletAddress,
      host: new URL(url).hostname.replace(/\.$/, ""),
      client,
      tokenHash: hashToken(token),
    });
    return id;
  });
  return {
    watchId,
    walletAddress,
    url,
    events: [...events],
    status: "unconfirmed",
    secret,
    token,
    expiresAt: new Date(now.getTime() + CONFIRM_WITHIN_MS).toISOString(),
  };
}

/** Returns whether the wallet is registered or a party of a recorded outcome. */
async function isKnownWallet(db: Sql, wallet: string): Promise<boolean> {
  const isParty = or(eq(outcomes.contractor, wallet), eq(outcomes.requester, wallet));
  const [row] = await db.execute<{ known: boolean }>(sql`
    select exists (select from ${agents} where ${eq(agents.wallet, wallet)})
      or exists (select from ${outcomes} where ${isParty} and ${eq(outcomes.status, "RESOLVED")})
      as known`);
  return row?.known ?? false;
}

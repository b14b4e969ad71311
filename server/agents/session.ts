import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, ne, sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Context, Sql } from "@/server/lib/context";
import { DAY_MS } from "@/server/lib/time";
import type { WalletProof } from "./schema";
import { agents, sessions } from "./tables";
import { consumeProof, verifyProof } from "./wallet-proof";

/** How long a browser stays signed in. */
const SESSION_MS = 7 * DAY_MS;
/** 256 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A browser whose user proved control of `wallet` with a sign-in signature. */
export interface Session {
  id: string;
  /** EIP-55 form. */
  wallet: string;
  expiresAt: Date;
}

/**
 * Returns the session of a cookie's token, or null if it is malformed, unknown, ended or expired.
 */
export async function findSession(db: Sql, token: string | null): Promise<Session | null> {
  if (token === null || !TOKEN.test(token)) return null;
  const [found] = await db
    .select({ id: sessions.id, wallet: sessions.wallet, expiresAt: sessions.expiresAt })
    .from(sessions)
    .where(and(eq(sessions.hash, hashToken(token)), gt(sessions.expiresAt, sql`now()`)));
  return found ?? null;
}

export async function endSession(db: Sql, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}

/** Ends the sessions of a wallet, all or all but one. */
export async function endSessions(db: Sql, wallet: string, exceptId?: string): Promise<void> {
  const isOther = exceptId === undefined ? undefined : ne(sessions.id, exceptId);
  await db.delete(sessions).where(and(eq(sessions.wallet, wallet), isOther));
}

/**
 * Returns the agent registered for a wallet, or null. An unverified registration may not be the
 * owner's until it is taken over.
 */
export async function findAgentByWallet(db: Sql, wallet: string) {
  const [agent] = await db.select().from(agents).where(eq(agents.wallet, wallet));
  return agent ?? null;
}

function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * Signs a browser in with a wallet's signature of an ERC-4361 sign-in message. The
 * wallet does not have to be registered. The token of its session is only in the cookie; the database has
 * its hash. Throws `wallet-proof-invalid` and `unavailable`.
 */
export async function signIn(
  ctx: Pick<Context, "db" | "env" | "chain" | "request">,
  { wallet, proof }: { wallet: Address; proof: WalletProof },
): Promise<{ token: string; expiresAt: Date }> {
  const verified = await verifyProof(ctx, { wallet, proof, purpose: "signIn" });
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(Date.now() + SESSION_MS);
  await ctx.db.transaction(async (tx) => {
    await consumeProof(tx, verified);
    await tx.execute(sql`
      delete from ${sessions} where id in (
        select id from ${sessions} where expires_at < now() limit 100 for update skip locked
      )`);
    await tx.insert(sessions).values({ wallet, hash: hashToken(token), expiresAt });
  });
  return { token, expiresAt };
}

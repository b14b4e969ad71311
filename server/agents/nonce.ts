import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Context, Database, Sql, Transaction } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { proofTerms, STATEMENTS } from "./proof-terms";
import type { Nonce } from "./schema";
import { authNonces } from "./tables";

const LIFE = sql`interval '10 minutes'`;
const PRUNED_AT_ONCE = 100;
/** Far above honest use within ten minutes; the table never grows past it. */
const MOST_AT_ONCE = 200_000;

/**
 * Hands out a nonce for one wallet proof, good for ten minutes, with everything else the message
 * must say. Throws `unavailable` where too many are waiting to be used.
 */
export async function createNonce(
  ctx: Pick<Context, "db" | "env" | "chain" | "request">,
): Promise<Nonce> {
  await pruneNonces(ctx.db);
  const nonce = randomBytes(16).toString("hex");
  const [row] = await ctx.db.execute<{ expires: number }>(sql`
    insert into ${authNonces} (nonce, expires_at)
    select ${nonce}, now() + ${LIFE}
    where (select count(*) from (select from ${authNonces} limit ${MOST_AT_ONCE}) kept) < ${MOST_AT_ONCE}
    returning extract(epoch from expires_at)::float8 * 1000 as expires
  `);
  if (!row) {
    throw new AppError("unavailable", "Too many wallet proofs are being prepared right now.", {
      headers: { "Retry-After": "60" },
    });
  }
  return {
    nonce,
    ...proofTerms(ctx),
    expiresAt: new Date(Math.round(row.expires)).toISOString(),
    statements: STATEMENTS,
  };
}

/** Whether a proof with this nonce could be accepted now. */
export async function isUsableNonce(db: Sql, nonce: string): Promise<boolean> {
  const rows = await db.select({ nonce: authNonces.nonce }).from(authNonces).where(usable(nonce));
  return rows.length > 0;
}

/**
 * Uses a nonce up, together with what its proof brings about: of two at once, one gets it, and a
 * transaction that fails leaves it unused. False where it is unknown, used or expired.
 */
export async function consumeNonce(tx: Transaction, nonce: string): Promise<boolean> {
  const rows = await tx
    .update(authNonces)
    .set({ usedAt: sql`now()` })
    .where(usable(nonce))
    .returning({ nonce: authNonces.nonce });
  return rows.length > 0;
}

function usable(nonce: string) {
  return and(
    eq(authNonces.nonce, nonce),
    isNull(authNonces.usedAt),
    gt(authNonces.expiresAt, sql`now()`),
  );
}

/** Each new nonce sweeps out more than one old one, so the table holds ten minutes of them. */
async function pruneNonces(db: Database): Promise<void> {
  await db.execute(sql`
    delete from ${authNonces} where nonce in (
      select nonce from ${authNonces} where expires_at < now()
      order by expires_at limit ${PRUNED_AT_ONCE} for update skip locked
    )
  `);
}

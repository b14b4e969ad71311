import { randomBytes } from "node:crypto";
import { and, count, desc, eq, isNull, ne, notInArray, sql } from "drizzle-orm";
import type { Context, Sql, Transaction } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { mintApiKey } from "./api-key";
import { type AuthenticatedAgent, isLive, isStillLive, unauthenticated } from "./authenticate";
import type { ApiKeyEntry, NewApiKey } from "./schema";
import { agents, apiKeys } from "./tables";

type Db = Pick<Context, "db">;

const MOST_LIVE_KEYS = 10;
/** Ended keys that the list still shows. */
const ENDED_KEYS_KEPT = 20;
const OVERLAP_MS = 24 * 3_600_000;

/** Makes a key for an agent. The key itself exists only in the answer. */
export async function issueKey(tx: Transaction, agentId: string) {
  const { key, hash, lastFour } = mintApiKey(randomBytes(32));
  const [row] = await tx
    .insert(apiKeys)
    .values({ agentId, hash, lastFour })
    .returning({ keyId: apiKeys.id, createdAt: apiKeys.createdAt });
  if (!row) throw new Error("the key was not inserted");
  await forgetEndedKeys(tx, agentId);
  return { ...row, apiKey: key };
}

/** Ends every key of an agent at once, also one that is just being made. */
export async function revokeAllKeys(tx: Transaction, agentId: string): Promise<void> {
  await lockAgent(tx, agentId);
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.agentId, agentId), isNull(apiKeys.revokedAt)));
}

/** The agent's keys, newest first: all live ones and the latest ended ones. */
export async function listKeys({ db }: Db, agent: AuthenticatedAgent): Promise<ApiKeyEntry[]> {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.agentId, agent.id))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  return rows.map((row) => ({
    keyId: row.id,
    lastFour: row.lastFour,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    current: row.id === agent.keyId,
  }));
}

/**
 * Makes a new key; the others go on for 24 hours. A key that is on its way out can still rotate:
 * whoever did not receive the answer asks again. A leaked key is therefore to be revoked.
 *
 * Throws `conflict` where the agent has ten live keys.
 */
export async function rotateKey({ db }: Db, agent: AuthenticatedAgent): Promise<NewApiKey> {
  return db.transaction(async (tx) => {
    const { keyId, apiKey, createdAt } = await issueFurtherKey(tx, agent);
    const end = new Date(createdAt.getTime() + OVERLAP_MS).toISOString();
    await tx
      .update(apiKeys)
      .set({ expiresAt: sql`least(${apiKeys.expiresAt}, ${end}::timestamptz)` })
      .where(and(eq(apiKeys.agentId, agent.id), ne(apiKeys.id, keyId), isLive()));
    return { keyId, apiKey, createdAt: createdAt.toISOString(), previousKeysExpireAt: end };
  });
}

/** A further key, beside the others. Throws `conflict` where the agent has ten live keys. */
export async function createKey({ db }: Db, agent: AuthenticatedAgent) {
  const { createdAt, ...key } = await db.transaction((tx) => issueFurtherKey(tx, agent));
  return { ...key, createdAt: createdAt.toISOString() };
}

async function issueFurtherKey(tx: Transaction, agent: AuthenticatedAgent) {
  // One at a time for each agent, so that the count holds.
  await takeTurn(tx, agent);
  if ((await countLiveKeys(tx, agent.id)) >= MOST_LIVE_KEYS) {
    throw new AppError(
      "conflict",
      `This agent has ${MOST_LIVE_KEYS} live keys. Revoke one, or wait until one expires.`,
    );
  }
  return issueKey(tx, agent.id);
}

/**
 * Ends a key of the agent at once, also the one that makes the request and also the last one (a new
 * key then takes a wallet proof). Ending one that has ended changes nothing. Throws `not-found` for
 * an unknown key and for another agent's, `unauthenticated` where the key or session that asks ended
 * meanwhile.
 */
export async function revokeKey(
  { db }: Db,
  agent: AuthenticatedAgent,
  keyId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await takeTurn(tx, agent);
    const rows = await tx
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
      .where(and(eq(apiKeys.id, keyId), eq(apiKeys.agentId, agent.id)))
      .returning({ id: apiKeys.id });
    if (rows.length === 0) throw new AppError("not-found", "This agent has no key with this id.");
  });
}

/**
 * Since the caller was authenticated the agent may have been taken over, or the key or session ended:
 * it then neither leaves a key behind nor ends one.
 */
async function takeTurn(tx: Transaction, agent: AuthenticatedAgent): Promise<void> {
  if (!(await lockAgent(tx, agent.id)) || !(await isStillLive(tx, agent))) {
    throw unauthenticated();
  }
}

/** Whoever makes or ends keys of an agent takes turns. False where there is no such agent. */
async function lockAgent(tx: Transaction, agentId: string): Promise<boolean> {
  const here = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(eq(agents.id, agentId))
    .for("update");
  return here.length > 0;
}

async function countLiveKeys(db: Sql, agentId: string): Promise<number> {
  const [row] = await db
    .select({ live: count() })
    .from(apiKeys)
    .where(and(eq(apiKeys.agentId, agentId), isLive()));
  return row?.live ?? 0;
}

async function forgetEndedKeys(tx: Transaction, agentId: string): Promise<void> {
  const ended = sql`not (${isLive()})`;
  const kept = tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.agentId, agentId), ended))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(ENDED_KEYS_KEPT);
  await tx
    .delete(apiKeys)
    .where(and(eq(apiKeys.agentId, agentId), ended, notInArray(apiKeys.id, kept)));
}

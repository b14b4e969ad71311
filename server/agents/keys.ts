import { randomBytes } from "node:crypto";
import { and, desc, eq, isNull, ne, notInArray, sql } from "drizzle-orm";
import type { Context, Transaction } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { DAY_MS } from "@/server/lib/time";
import { generateApiKey } from "./api-key";
import { type AuthenticatedAgent, lockAgent, whereKeyIsLive } from "./authenticate";
import { keepNothing } from "./idempotency";
import type { ApiKeyEntry, NewApiKey } from "./schema";
import { apiKeys } from "./tables";

type Db = Pick<Context, "db">;

const MAX_LIVE_KEYS = 10;
/** Number of ended keys that the list still shows. */
const MAX_ENDED_KEYS = 20;

/** Creates a key for an agent. The key itself is only in the response and is not stored. */
export async function issueKey(tx: Transaction, agentId: string, name = "") {
  const { key, hash, lastFour } = generateApiKey(randomBytes(32));
  const [row] = await tx
    .insert(apiKeys)
    .values({ agentId, name, hash, lastFour })
    .returning({ keyId: apiKeys.id, createdAt: apiKeys.createdAt });
  if (!row) throw new Error("the key was not inserted");
  await pruneEndedKeys(tx, agentId);
  return { ...row, apiKey: key };
}

/** Revokes every key of an agent at once, including one that is being created. */
export async function revokeAllKeys(tx: Transaction, agentId: string): Promise<void> {
  await lockAgent(tx, { id: agentId }, "update");
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.agentId, agentId), isNull(apiKeys.revokedAt)));
}

/** Returns the agent's keys, newest first: all live ones and the most recent ended ones. */
export async function listKeys({ db }: Db, agent: AuthenticatedAgent): Promise<ApiKeyEntry[]> {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.agentId, agent.id))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  return rows.map((row) => ({
    keyId: row.id,
    name: row.name,
    lastFour: row.lastFour,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    current: row.id === agent.keyId,
  }));
}

/**
 * Creates a new key and lets the others expire in 24 hours. An expiring key can still rotate, so a
 * client that lost the response can retry. A leaked key must therefore be revoked.
 *
 * Throws `conflict` if the agent has ten live keys.
 */
export async function rotateKey(
  { db }: Db,
  agent: AuthenticatedAgent,
  keep = keepNothing,
): Promise<NewApiKey> {
  return db.transaction(async (tx) => {
    const { keyId, apiKey, createdAt } = await issueAdditionalKey(tx, agent);
    const end = new Date(createdAt.getTime() + DAY_MS).toISOString();
    await tx
      .update(apiKeys)
      .set({ expiresAt: sql`least(${apiKeys.expiresAt}, ${end}::timestamptz)` })
      .where(and(eq(apiKeys.agentId, agent.id), ne(apiKeys.id, keyId), whereKeyIsLive()));
    const key = { keyId, apiKey, createdAt: createdAt.toISOString(), previousKeysExpireAt: end };
    return keep(tx, key);
  });
}

/**
 * Creates a key and leaves the others as they are. Throws `conflict` if the agent has ten live
 * keys.
 */
export async function createKey({ db }: Db, agent: AuthenticatedAgent, name?: string) {
  const { createdAt, ...key } = await db.transaction((tx) => issueAdditionalKey(tx, agent, name));
  return { ...key, createdAt: createdAt.toISOString() };
}

async function issueAdditionalKey(tx: Transaction, agent: AuthenticatedAgent, name?: string) {
  // Serialized per agent, so that the count stays correct.
  await lockAgent(tx, agent, "update");
  const liveKeys = await tx.$count(apiKeys, and(eq(apiKeys.agentId, agent.id), whereKeyIsLive()));
  if (liveKeys >= MAX_LIVE_KEYS) {
    throw new AppError(
      "conflict",
      `This agent has ${MAX_LIVE_KEYS} live keys. Revoke one, or wait until one expires.`,
    );
  }
  return issueKey(tx, agent.id, name);
}

/**
 * Revokes a key of the agent at once. It may be the key that makes the request, and the last one: a
 * new key then requires a wallet proof. Revoking an ended key changes nothing. Throws `not-found`
 * for an unknown key and for another agent's, and `unauthenticated` if the key or session of the
 * request has ended since it was checked.
 */
export async function revokeKey(
  { db }: Db,
  agent: AuthenticatedAgent,
  keyId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAgent(tx, agent, "update");
    const rows = await tx
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
      .where(and(eq(apiKeys.id, keyId), eq(apiKeys.agentId, agent.id)))
      .returning({ id: apiKeys.id });
    if (rows.length === 0) throw new AppError("not-found", "This agent has no key with this id.");
  });
}

async function pruneEndedKeys(tx: Transaction, agentId: string): Promise<void> {
  const ended = sql`not (${whereKeyIsLive()})`;
  const kept = tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.agentId, agentId), ended))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(MAX_ENDED_KEYS);
  await tx
    .delete(apiKeys)
    .where(and(eq(apiKeys.agentId, agentId), ended, notInArray(apiKeys.id, kept)));
}

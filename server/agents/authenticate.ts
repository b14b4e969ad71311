import { and, eq, gt, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Database, Transaction } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { hashApiKey } from "./api-key";
import { agents, apiKeys, sessions } from "./tables";

/** The agent that made a request, with an API key or from its owner's signed-in browser. */
export interface AuthenticatedAgent {
  id: string;
  /** EIP-55 form. */
  wallet: string;
  /** Whether the wallet was verified by a wallet proof. */
  walletVerified: boolean;
  name: string;
  /** The key that was used; null in a signed-in browser. */
  keyId: string | null;
  /** The session of the signed-in browser; null if a key was used. */
  sessionId: string | null;
}

/**
 * The agent that makes a request and its key or session; both are omitted if the service itself
 * makes the request.
 */
export type Caller = Pick<AuthenticatedAgent, "id"> &
  Partial<Pick<AuthenticatedAgent, "keyId" | "sessionId">>;

/**
 * Returns the same error for a missing key and for every invalid one, so that callers cannot
 * distinguish them.
 */
export function createUnauthenticatedError(): AppError {
  return new AppError("unauthenticated", "Send the API key of a registered agent in X-API-Key.", {
    headers: { "WWW-Authenticate": "ApiKey" },
  });
}

const LAST_USED_RESOLUTION = sql`interval '1 minute'`;

/**
 * Returns the agent that `apiKey` belongs to, or null if the key is malformed, unknown, revoked or
 * expired. The key's last-used time has a resolution of one minute, so that a busy key does not
 * cost a write per request.
 */
export async function authenticate(
  db: Database,
  apiKey: string,
): Promise<AuthenticatedAgent | null> {
  const hash = hashApiKey(apiKey);
  if (!hash) return null;
  const [agent] = await getKeyQuery(db).execute({ hash });
  return agent ? { ...agent, sessionId: null } : null;
}

/** Finds the agent of a key and updates the key's last-used time, in one statement. */
const getKeyQuery = prepareOnce((db: Database) => {
  const found = db.$with("found").as(
    db
      .select({
        id: agents.id,
        wallet: agents.wallet,
        walletVerified: sql<boolean>`${agents.walletVerifiedAt} is not null`.as("wallet_verified"),
        name: agents.name,
        keyId: sql<string>`${apiKeys.id}`.as("key_id"),
      })
      .from(apiKeys)
      .innerJoin(agents, eq(agents.id, apiKeys.agentId))
      .where(and(eq(apiKeys.hash, sql.placeholder("hash")), whereKeyIsLive())),
  );
  const isStale = or(
    isNull(apiKeys.lastUsedAt),
    lt(apiKeys.lastUsedAt, sql`now() - ${LAST_USED_RESOLUTION}`),
  );
  const used = db.$with("used").as(
    db
      .update(apiKeys)
      .set({ lastUsedAt: sql`now()` })
      .where(and(inArray(apiKeys.id, db.select({ id: found.keyId }).from(found)), isStale))
      .returning({ id: apiKeys.id }),
  );
  return db.with(found, used).select().from(found).prepare("authenticate");
});

/**
 * Returns whether the key or session that made a request is still usable. Call it in the writing
 * transaction, after locking the agent's row: a statement that waits for the lock does not see
 * changes committed while it waited.
 */
async function isCredentialLive(
  tx: Transaction,
  { keyId, sessionId }: Omit<Caller, "id">,
): Promise<boolean> {
  if (keyId) {
    const live = and(eq(apiKeys.id, keyId), whereKeyIsLive());
    return (await tx.select({ id: apiKeys.id }).from(apiKeys).where(live)).length > 0;
  }
  if (sessionId) {
    const live = and(eq(sessions.id, sessionId), gt(sessions.expiresAt, sql`now()`));
    return (await tx.select({ id: sessions.id }).from(sessions).where(live)).length > 0;
  }
  return true;
}

/** Returns the SQL condition for a key that is usable now. */
export function whereKeyIsLive() {
  return and(
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
  );
}

/**
 * Locks an agent until `tx` ends, so that it cannot be taken over and its keys cannot all be
 * revoked. Throws `unauthenticated` if either happened after the key was checked, or if the key or
 * session of the request has ended. Call it before taking any other lock, because a takeover
 * deletes the agent's row first.
 * @param strength `update` also serializes the callers.
 */
export async function lockAgent(
  tx: Transaction,
  agent: Caller,
  strength: "key share" | "update" = "key share",
): Promise<void> {
  const locking = tx
    .select({ id: agents.id })
    .from(agents)
    .where(eq(agents.id, agent.id))
    .for(strength)
    .execute();
  // Sent without waiting for the lock, but run after it.
  const [locked, isLive] = await Promise.all([locking, isCredentialLive(tx, agent)]);
  if (locked.length === 0 || !isLive) throw createUnauthenticatedError();
}

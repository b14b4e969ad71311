import { and, eq, gt, sql } from "drizzle-orm";
import type postgres from "postgres";
import { array } from "@/server/db/arrays";
import { createBatcher, REQUEST_BATCH_OPTIONS } from "@/server/db/batch";
import { pipeline, type Started } from "@/server/db/pipeline";
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
    headers: { "WWW-Authenticate": "ApiKey, Bearer" },
  });
}

/**
 * Returns the agent that `apiKey` belongs to, or null if the key is malformed, unknown, revoked or
 * expired. The key's last-used time has a resolution of one minute, so that a busy key does not
 * cost a write per request. Concurrent calls share a statement.
 */
export async function authenticate(
  db: Database,
  apiKey: string,
): Promise<AuthenticatedAgent | null> {
  const hash = hashApiKey(apiKey)?.toString("hex");
  return hash ? getAuthenticator(db)(hash) : null;
}

/** Returns the function that finds the agent of a key by its hash. */
const getAuthenticator = prepareOnce((db: Database) =>
  createBatcher(async (hashes: string[]) => {
    const found = await findKeyAgents(db.sql, [...new Set(hashes)]);
    const agents = new Map(found.map(({ hash, ...agent }) => [hash, agent]));
    return hashes.map((hash) => {
      const agent = agents.get(hash);
      return agent ? { ...agent, sessionId: null } : null;
    });
  }, REQUEST_BATCH_OPTIONS),
);

interface KeyAgent extends Omit<AuthenticatedAgent, "sessionId"> {
  /** SHA-256 of the key, in hexadecimal. */
  hash: string;
}

/**
 * Finds the agents of live keys and updates the last-used times, in one statement. A key that is
 * locked keeps its time until its next use: no order of locks would suit all transactions that
 * change several keys.
 */
const findKeyAgents = (sql: postgres.Sql, hashes: string[]) => sql<KeyAgent[]>`
  with found as materialized (
    select encode(k.hash, 'hex') as hash, a.id, a.wallet,
      a.wallet_verified_at is not null as "walletVerified", a.name, k.id as "keyId",
      coalesce(k.last_used_at < now() - interval '1 minute', true) as is_stale
    from api_keys k join agents a on a.id = k.agent_id
    where k.hash = any(array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash))
      and ${keyIsLive(sql)}
  ), used as (
    update api_keys set last_used_at = now() where id in (
      select id from api_keys
      where id in (select "keyId" from found where is_stale)
      for no key update skip locked
    )
  )
  select hash, id, wallet, "walletVerified", name, "keyId" from found`;

/**
 * Selects the key or session that made a request if it is still usable; null if the service made it.
 * Call it in the writing transaction, after locking the agent's row: a statement that waits for the
 * lock does not see changes committed while it waited.
 */
function selectLiveCredential(tx: Transaction, { keyId, sessionId }: Omit<Caller, "id">) {
  if (keyId) {
    const live = and(eq(apiKeys.id, keyId), whereKeyIsLive());
    return tx.select({ id: apiKeys.id }).from(apiKeys).where(live);
  }
  if (sessionId) {
    const live = and(eq(sessions.id, sessionId), gt(sessions.expiresAt, sql`now()`));
    return tx.select({ id: sessions.id }).from(sessions).where(live);
  }
  return null;
}

/** A row of `api_keys` is usable now; no table that it is joined with has these columns. */
const KEY_IS_LIVE = "(revoked_at is null and (expires_at is null or expires_at > now()))";

/** Returns the SQL condition for a key that is usable now. */
export const whereKeyIsLive = () => sql.raw(KEY_IS_LIVE);

/** The same for a hot statement that drizzle does not build. */
const keyIsLive = (sql: postgres.ISql) => sql.unsafe(KEY_IS_LIVE);

/**
 * Locks an agent until `tx` ends, so that it cannot be taken over and its keys cannot all be
 * revoked. Throws `unauthenticated` if either happened after the key was checked, or if the key or
 * session of the request has ended. Call it before taking any other lock, because a takeover
 * deletes the agent's row first.
 * @param strength `update` also serializes the callers.
 */
export function lockAgent(
  tx: Transaction,
  agent: Caller,
  strength: "key share" | "update" = "key share",
): Started<void> {
  const lock = () =>
    tx.select({ id: agents.id }).from(agents).where(eq(agents.id, agent.id)).for(strength);
  const check = () => selectLiveCredential(tx, agent);
  return pipeline(tx, [lock, check], ([locked, live]) => {
    if (locked.length === 0 || live?.length === 0) throw createUnauthenticatedError();
  });
}

/**
 * Locks agents as `lockAgent` does, but waits for no other transaction. Returns for each caller
 * whether it was locked; if not, `lockAgent` finds out why.
 */
export function tryLockAgents(
  tx: Transaction,
  callers: { id: string; keyId: string }[],
): Started<boolean[]> {
  const { sql } = tx;
  const ids = callers.map(({ id }) => id);
  const keyIds = callers.map(({ keyId }) => keyId);
  const lock = () => sql<{ id: string }[]>`
    select id from agents where id = any(${array(sql, "uuid", ids)}) for key share skip locked`;
  const check = () => sql<{ id: string }[]>`
    select k.id from api_keys k
    where k.id = any(${array(sql, "uuid", keyIds)}) and ${keyIsLive(sql)}`;
  // The locks first: see `selectLiveCredential`.
  return pipeline(tx, [lock, check], ([locked, live]) => {
    const usable = new Set([...locked, ...live].map(({ id }) => id));
    return callers.map(({ id, keyId }) => usable.has(id) && usable.has(keyId));
  });
}

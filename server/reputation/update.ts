import { eq, getTableColumns, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import type { Transaction } from "@/server/lib/context";
import {
  type Change,
  type ComputedChange,
  computeChange,
  type ReputationUpdate,
} from "./compute-change";
import { REPUTATION_CHANGED } from "./events";
import { readLastAnnounced, readLedger } from "./queries";
import { reputationHistory, reputations } from "./tables";

/**
 * Updates the stored reputation of `wallet` to its ledger and to the day of `now`, inside the
 * transaction that added a record: stores the score and its receipt, and notifies every instance
 * at commit. Waits for other updates of the wallet; a caller that updates several wallets in one
 * transaction must do so in ascending order. `computeChange` decides what is announced.
 */
export async function updateReputation(tx: Transaction, change: Change): Promise<ReputationUpdate> {
  const { wallet, cause } = change;
  await acquireAdvisoryLock(tx, nameLock(wallet));
  // Concurrent statements share a round trip.
  const [[stored], ledger, announced] = await Promise.all([
    tx.select().from(reputations).where(eq(reputations.wallet, wallet)),
    readLedger(tx, wallet),
    cause === "day" ? readLastAnnounced(tx, [wallet]) : null,
  ]);
  const computed = computeChange(
    { stored, ledger, announced: announced?.get(wallet) ?? null },
    change,
  );
  await storeChanges(tx, [computed]);
  return computed.update;
}

/** Returns the name of the advisory lock that serializes the updates of a wallet. */
export const nameLock = (wallet: string) => `reputation:${wallet}`;

/** Stores computed changes of locked wallets and notifies every instance of them at commit. */
export async function storeChanges(tx: Transaction, changes: ComputedChange[]): Promise<void> {
  const rows = changes.flatMap(({ row }) => row ?? []);
  const entries = changes.flatMap(({ entry }) => entry ?? []);
  if (rows.length === 0) return;
  const wallets = rows.map(({ wallet }) => wallet);
  await Promise.all([
    tx
      .insert(reputations)
      .values(rows)
      .onConflictDoUpdate({ target: reputations.wallet, set: REPLACED }),
    entries.length > 0 && tx.insert(reputationHistory).values(entries),
    tx.execute(
      sql`select pg_notify(${REPUTATION_CHANGED}, wallet) from unnest(${sql.param(wallets)}::text[]) as wallet`,
    ),
  ]);
}

/** Replaces every column of a stored row by that of the row to insert. */
const REPLACED = Object.fromEntries(
  Object.keys(getTableColumns(reputations)).map((name) => [
    name,
    sql.raw(`excluded.${toSnakeCase(name)}`),
  ]),
);

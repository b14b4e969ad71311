import type { LedgerRecord, RecordPlace } from "@/server/chain/registry/ledger";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import { array } from "@/server/db/arrays";
import type { Transaction } from "@/server/lib/context";

/** A confirmed record and its position on chain. */
export interface ConfirmedRecord<R extends LedgerRecord> {
  record: R;
  place: RecordPlace;
}

/** A confirmed record to settle. */
export interface Settlement<R extends LedgerRecord> extends ConfirmedRecord<R> {
  now: Date;
}

/**
 * Returns the query that inserts confirmed records into the ledger that scores are computed from.
 * Throws if a `seq` is taken: the database then holds the ledger of another registry.
 */
export function insertLedgerRecords(
  tx: Transaction,
  confirmed: readonly ConfirmedRecord<LedgerRecord>[],
) {
  if (confirmed.length === 0) return null;
  const rows = confirmed.map(({ record, place }) => ({
    ...place,
    type: record.type,
    record: { ...record, seq: place.seq },
    ...getKeyColumns(record),
  }));
  return tx.sql`
    insert into ledger_records
      (seq, type, record, outcome_id, contractor, wallet, tx_hash, log_index)
    select seq, type, record, "outcomeId", contractor, wallet, "txHash", "logIndex"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (
      seq bigint, type text, record jsonb, "outcomeId" uuid, contractor text, wallet text,
      "txHash" text, "logIndex" integer
    )`;
}

/**
 * Locks requesters until `tx` ends, so that their outcomes and their anchors are not settled
 * concurrently, with neither score including the other. Outcomes share the lock, an anchor holds
 * it exclusively; so does a takeover of a party that submitted unproven.
 */
export const lockRequesters = {
  shared({ sql }: Transaction, requesters: string[]) {
    // In a fixed order, so that no two settlements wait for each other.
    const names = [...new Set(requesters)].sort().map(nameLock);
    return sql`
      select pg_advisory_xact_lock_shared(hashtextextended(name, 0))
      from unnest(${array(sql, "text", names)}) as name`;
  },
  exclusive: (tx: Transaction, requester: string) => acquireAdvisoryLock(tx, nameLock(requester)),
};

const nameLock = (requester: string) => `requester:${requester}`;

/** Returns the columns by which a score finds the records of a wallet. */
function getKeyColumns(record: LedgerRecord) {
  switch (record.type) {
    case "outcome":
      return { outcomeId: record.id, contractor: record.contractor, wallet: record.requester };
    case "dispute":
    case "refund":
    case "superseded":
      return { outcomeId: record.outcomeId };
    case "anchor":
    case "takeover":
      return { wallet: record.wallet };
    case "anchor-revoked":
      return {};
  }
}

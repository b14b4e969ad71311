import { inArray, type SQL, sql } from "drizzle-orm";
import type { LedgerRecord } from "@/server/chain/ledger";
import type { Sql } from "@/server/lib/context";
import { ledgerRecords } from "./tables";

/**
 * Returns every record of the ledger that the score of `wallet` can depend on: its outcomes as
 * contractor, their disputes and refunds, the anchors of their requesters with the revocations, and
 * takeovers of the wallets that could have submitted them. In no particular order.
 */
export function readLedger(db: Sql, wallet: string): Promise<LedgerRecord[]> {
  return readWithRelated(db, sql`contractor = ${wallet}::char(42)`);
}

/** Returns the records of some outcomes, and every record that their weights can depend on. */
export function readOutcomeRecords(db: Sql, outcomeIds: string[]): Promise<LedgerRecord[]> {
  return readWithRelated(db, inArray(ledgerRecords.outcomeId, outcomeIds));
}

async function readWithRelated(db: Sql, whereOwn: SQL): Promise<LedgerRecord[]> {
  const rows = await db.execute<{ record: LedgerRecord }>(sql`
    with own as materialized (
      select record, outcome_id, wallet as requester, contractor from ${ledgerRecords}
      where ${whereOwn} and type = 'outcome'
    ), anchors as materialized (
      select seq, record from ${ledgerRecords}
      where type = 'anchor' and wallet in (select requester from own)
    )
    select record from own
    union all
    select record from ${ledgerRecords}
    where type in ('dispute', 'refund') and outcome_id in (select outcome_id from own)
    union all
    select record from anchors
    union all
    select record from ${ledgerRecords}
    where type = 'anchor-revoked' and (record->>'anchorSeq')::bigint in (select seq from anchors)
    union all
    select record from ${ledgerRecords}
    where type = 'takeover'
      and wallet in (select requester from own union select contractor from own)
  `);
  return rows.map(({ record }) => record);
}

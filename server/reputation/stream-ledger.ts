import { asc, gte } from "drizzle-orm";
import type { LedgerEntry } from "@/server/chain/schema";
import type { Sql } from "@/server/lib/context";
import { ledgerRecords } from "./tables";

/** Page size, about a quarter of a megabyte. */
const PAGE = 500;

/**
 * Streams the ledger from `fromSeq` on, in order of `seq`, page by page. Between two pages it holds
 * no connection or cursor, however long the reader takes. Ends before the first unsettled record,
 * even if later ones are settled, so a reader that continues after the last record misses none.
 */
export async function* streamLedger(db: Sql, fromSeq: number): AsyncGenerator<LedgerEntry[]> {
  for (let next = fromSeq; ; ) {
    const rows = await db
      .select({
        seq: ledgerRecords.seq,
        record: ledgerRecords.record,
        txHash: ledgerRecords.txHash,
        logIndex: ledgerRecords.logIndex,
      })
      .from(ledgerRecords)
      .where(gte(ledgerRecords.seq, next))
      .orderBy(asc(ledgerRecords.seq))
      .limit(PAGE);
    const gap = rows.findIndex(({ seq }, index) => seq !== next + index);
    const whole = gap === -1 ? rows : rows.slice(0, gap);
    if (whole.length === 0) return;
    yield whole.map(({ seq, record: { type, ...record }, txHash, logIndex }) => {
      return { type, ...record, seq, txHash, logIndex } as LedgerEntry;
    });
    if (whole.length < PAGE) return;
    next += PAGE;
  }
}

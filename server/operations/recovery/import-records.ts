import { and, eq, inArray } from "drizzle-orm";
import type { PlacedRecord } from "@/server/chain/registry/decode-records";
import type { Core, Transaction } from "@/server/lib/context";
import { OperationRefused } from "@/server/operations/operation-refused";
import { ledgerRecords } from "@/server/reputation/tables";
import { RECORD_KINDS } from "@/server/settlement/record-kinds";
import { whereUnsettled } from "@/server/settlement/settle-transaction";
import { recordings } from "@/server/settlement/tables";

/** Returns the time in a record; null for a revocation or superseded mark, which have none. */
export function getRecordTime(record: PlacedRecord["record"]): Date | null {
  if ("resolvedAt" in record) return toDate(record.resolvedAt);
  if ("from" in record) return toDate(record.from);
  return "at" in record ? toDate(record.at) : null;
}

/**
 * Returns the registry's records that the database lacks, in order of `seq`. Throws
 * `OperationRefused` if the database has a different record under a `seq`, because it then belongs
 * to another registry.
 */
export async function findMissingRecords(
  { db }: Pick<Core, "db">,
  records: PlacedRecord[],
): Promise<PlacedRecord[]> {
  const kept = await db
    .select({ seq: ledgerRecords.seq, txHash: ledgerRecords.txHash, type: ledgerRecords.type })
    .from(ledgerRecords);
  const known = new Map(kept.map((one) => [one.seq, one]));
  return records.filter(({ record, place }) => {
    const same = known.get(place.seq);
    if (same && (same.txHash !== place.txHash || same.type !== record.type)) {
      throw new OperationRefused(
        `Record ${place.seq} is ${same.type} of ${same.txHash} in the database, and ${record.type} of ${place.txHash} in the registry: they do not belong together.`,
      );
    }
    return same === undefined;
  });
}

/**
 * Imports a registry record as if it had just been settled, with score and history, as of the
 * record's time. If the database has its subject, existing data stays unless the record contradicts
 * it; otherwise the subject is built from the record alone and marked `rebuilt`. Publishes no
 * events, because they were most likely delivered before. `at` is the time of the preceding
 * records, for a record without its own time. `afterDispute` runs in the transaction in which a
 * payout may become owed.
 */
export async function importRecord(
  original: Core,
  { record, place }: PlacedRecord,
  { at, afterDispute }: { at: Date; afterDispute: (tx: Transaction) => Promise<unknown> },
): Promise<void> {
  const core: Core = { ...original, publish: async () => {} };
  const kind = RECORD_KINDS[record.type];
  // An anchor may begin long before it is recorded.
  const now = "from" in record ? at : (getRecordTime(record) ?? at);
  const confirmed = { record, place, now };
  await core.db.transaction(async (tx) => {
    const subjectIds = await kind.import(core, tx, confirmed);
    if (record.type === "dispute") await afterDispute(tx);
    // Nothing more is sent for them.
    await tx
      .update(recordings)
      .set({ settledAt: now })
      .where(
        and(
          eq(recordings.kind, record.type),
          inArray(recordings.subjectId, subjectIds),
          whereUnsettled,
        ),
      );
  });
  await kind.finish?.(core, confirmed);
}

const toDate = (seconds: number) => new Date(seconds * 1_000);

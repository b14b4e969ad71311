import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { NewRecord, RecordOf, RecordPlace, RecordType } from "@/server/chain/registry/ledger";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import { array } from "@/server/db/arrays";
import type { AppEvent, Core, Transaction } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import { updateReputation } from "@/server/reputation/update";
import { recordings } from "@/server/settlement/tables";

/** What the service does with one kind of record, from what is stored until the score includes it. */
export interface RecordKind<T extends RecordType = RecordType> {
  pending: Pending;
  /** Finds records to sign, the oldest first. */
  find(tx: Transaction, selection: Selection): Promise<PendingRecord<T>[]>;
  /** Records per transaction. Default: 1. */
  batchSize?: number;
  /** Records per call of `signPending`. Default: 10. */
  max?: number;
  /**
   * Settles the confirmed records of one transaction inside the caller's database transaction: one, or
   * a batch of outcomes. Repeating it changes nothing. Resolves to true if other records may have waited
   * for them. Throws if a record isn't that of its subject.
   */
  settle(
    core: Pick<Core, "publish">,
    tx: Transaction,
    settlements: readonly [Settlement<T>, ...Settlement<T>[]],
  ): Promise<boolean | undefined>;
  /**
   * Completes a settlement in transactions of its own, if that takes too long for one. The record
   * counts as settled afterwards; until then, a repeated call continues.
   */
  finish?(core: Core, settlement: ConfirmedRecord<T>): Promise<void>;
  /**
   * Settles a record that the database lacks. Keeps what the database has of its subject, unless the
   * record contradicts it; otherwise builds the subject from the record. Returns the ids of the
   * subjects for which nothing more is to be recorded.
   */
  import(
    core: Pick<Core, "chain" | "publish">,
    tx: Transaction,
    confirmed: ConfirmedRecord<T>,
  ): Promise<string[]>;
  /**
   * Replaces the hashes `from` of the record's transaction by the one that was mined, if the subject has
   * them, too.
   */
  updateTxHash?(tx: Transaction, from: string[], to: string): PromiseLike<unknown>;
}

/** Subjects that need a record and have none: rows of `table`. */
export interface Pending {
  table: PgTable & { id: PgColumn };
  /** Null while another record has to come first. */
  since: PgColumn | SQL;
  where: SQL | undefined;
}

/** A record to sign, with its subject. */
export interface PendingRecord<T extends RecordType = RecordType> {
  subjectId: string;
  record: NewRecord<T>;
}

/** Selects pending records: the oldest first, or in random order once the registry refused some. */
export interface Selection {
  limit: number;
  /** Subjects to leave out, since the registry refused them in an earlier round. */
  refused: string[];
  /** Outcomes or refunds whose transfer is deep enough in the chain. */
  confirmed: string[];
  /** Time in the records, in Unix seconds. */
  now: number;
}

/** A confirmed record and its position on chain. */
export interface ConfirmedRecord<T extends RecordType = RecordType> {
  record: RecordOf<T>;
  place: RecordPlace;
  now: Date;
}

/** A confirmed record to settle. */
export interface Settlement<T extends RecordType = RecordType> extends ConfirmedRecord<T> {
  subjectId: string;
}

/** Matches if no transaction contains the record of `subject` yet. */
export const whereUnrecorded = (kind: RecordType, subject: PgColumn) =>
  sql`not exists (select from ${recordings} where ${recordings.kind} = ${kind} and ${recordings.subjectId} = ${subject})`;

/**
 * Returns the condition and the order of a selection: by age until the registry has refused some
 * records, then random, because the refused ones stay the oldest and must not starve newer ones.
 */
export const select = ({ table, since, where }: Pending, { refused }: Selection) => ({
  // One text for any number of ids, so that it stays prepared.
  where: and(where, sql`${table.id} <> all(${sql.param(refused)}::uuid[])`),
  order: refused.length === 0 ? asc(since) : sql`random()`,
});

/** Finds the pending records of a kind whose table has everything but their time. */
export async function findRecords<T extends RecordType, Table extends Pending["table"]>(
  tx: Transaction,
  pending: Pending & { table: Table },
  selection: Selection,
  toRecord: (row: Table["$inferSelect"]) => NewRecord<T> | null,
): Promise<PendingRecord<T>[]> {
  const { where, order } = select(pending, selection);
  const table: PgTable = pending.table;
  const rows = await tx.select().from(table).where(where).orderBy(order).limit(selection.limit);
  return rows.flatMap((row) => {
    const record = toRecord(row);
    return record ? [{ subjectId: String(row.id), record }] : [];
  });
}

/**
 * Inserts a record about an outcome into the ledger, updates the contractor's score and history, and
 * publishes the events of `announce` and that of the score. Throws if the record belongs to another
 * outcome than its subject, or to an unknown one.
 */
export async function applyRecord(
  { publish }: Pick<Core, "publish">,
  tx: Transaction,
  { record, place, now }: ConfirmedRecord<"dispute" | "refund" | "superseded">,
  subject: { outcomeId: string; disputeId?: string },
  announce: (scoreImpact: number) => AppEvent[] = () => [],
): Promise<void> {
  const { outcomeId } = record;
  const [outcome] = await tx
    .select({ contractor: outcomes.contractor })
    .from(outcomes)
    .where(eq(outcomes.id, outcomeId));
  if (!outcome || subject.outcomeId !== outcomeId) {
    throw new Error(`record ${place.seq} belongs to outcome ${outcomeId}`);
  }
  await insertLedgerRecords(tx, [{ record, place }]);
  const { scoreImpact, event } = await updateReputation(tx, {
    ...subject,
    wallet: outcome.contractor,
    cause: record.type,
    seq: place.seq,
    now,
  });
  await publish(tx, [...announce(scoreImpact), ...(event ? [event] : [])]);
}

/** Updates the scores of `wallets`, which are in ascending order, and publishes their events. */
export async function rescore(
  { publish }: Pick<Core, "publish">,
  tx: Transaction,
  wallets: string[],
  change: { cause: "anchor" | "takeover"; seq: number; now: Date },
): Promise<void> {
  for (const wallet of wallets) {
    const { event } = await updateReputation(tx, { ...change, wallet });
    if (event) await publish(tx, [event]);
  }
}

/**
 * Returns the query that inserts confirmed records into the ledger that scores are computed from.
 * Throws if a `seq` is taken: the database then holds the ledger of another registry.
 */
export function insertLedgerRecords(
  tx: Transaction,
  confirmed: readonly Pick<ConfirmedRecord, "record" | "place">[],
) {
  const rows = confirmed.map(({ record, place }) => ({
    // The columns by which a score finds the records of a wallet.
    ...(record.type === "outcome"
      ? { outcomeId: record.id, contractor: record.contractor, wallet: record.requester }
      : record),
    ...place,
    type: record.type,
    record: { ...record, seq: place.seq },
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

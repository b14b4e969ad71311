import { randomBytes, randomUUID } from "node:crypto";
import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { zeroHash } from "viem";
import { agents, takeovers } from "@/server/agents/tables";
import type { PlacedRecord } from "@/server/chain/registry/decode-records";
import type {
  AnchorRecord,
  AnchorRevokedRecord,
  DisputeRecord,
  OutcomeRecord,
  RecordPlace,
} from "@/server/chain/registry/ledger";
import { disputes } from "@/server/disputes/tables";
import type { Core, Transaction } from "@/server/lib/context";
import { OperationRefused } from "@/server/operations/operation-refused";
import { outcomes } from "@/server/outcomes/tables";
import { anchors, ledgerRecords } from "@/server/reputation/tables";
import { updateReputation } from "@/server/reputation/update";
import { insertLedgerRecords } from "@/server/settlement/insert-ledger-records";
import { settleAnchor } from "@/server/settlement/settle-anchor";
import { applyDispute, settleDispute } from "@/server/settlement/settle-dispute";
import { settleOutcomes } from "@/server/settlement/settle-outcomes";
import { settleSuperseded } from "@/server/settlement/settle-superseded";
import { settleTakeover } from "@/server/settlement/settle-takeover";
import { recordings } from "@/server/settlement/tables";
import { importRefund } from "./import-refund";

/** Returns the time in a record; null for a revocation or superseded mark, which have none. */
export function getRecordTime(record: PlacedRecord["record"]): Date | null {
  if ("resolvedAt" in record) return toDate(record.resolvedAt);
  if ("from" in record) return toDate(record.from);
  return "at" in record ? toDate(record.at) : null;
}

const LOST =
  "Imported from the chain: the texts, the reasoning and the evidence were lost with an earlier database.";

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
  if (record.type === "anchor" || record.type === "anchor-revoked") {
    return importAnchor(core, record, place, at);
  }
  await core.db.transaction(async (tx) => {
    if (record.type === "outcome") await importOutcome(core, tx, record, place);
    if (record.type === "dispute") {
      await importDispute(core, tx, record, place);
      await afterDispute(tx);
    }
    if (record.type === "refund") {
      const refundId = await importRefund(core, tx, record, place);
      await closeRecordings(tx, "refund", refundId, toDate(record.at));
    }
    if (record.type === "superseded") {
      await settleSuperseded(core, tx, { record, place, now: at });
      await closeRecordings(tx, "superseded", record.outcomeId, at);
    }
    if (record.type === "takeover") {
      const now = toDate(record.at);
      await insertPlaceholderAgent(tx, record.wallet, now);
      await settleTakeover(core, tx, { record, place, now });
      const ended = await tx
        .update(takeovers)
        .set({ recordNeeded: false })
        .where(and(eq(takeovers.wallet, record.wallet), lte(takeovers.at, now)))
        .returning({ id: takeovers.id });
      for (const { id } of ended) await closeRecordings(tx, "takeover", id, now);
    }
  });
}

async function importOutcome(
  core: Core,
  tx: Transaction,
  record: OutcomeRecord,
  place: RecordPlace,
): Promise<void> {
  const now = toDate(record.resolvedAt);
  const [known] = await tx.select().from(outcomes).where(eq(outcomes.id, record.id));
  if (!known) {
    await insertPlaceholderAgent(tx, record[record.submittedBy], now);
    await tx.insert(outcomes).values(buildOutcome(record));
  } else if (known.status === "EVALUATING") {
    const verdict = isRecordedVerdict(known, record) ? {} : buildVerdict(record);
    await tx
      .update(outcomes)
      .set({ paidMicro: BigInt(record.paidMicro), ...verdict })
      .where(eq(outcomes.id, record.id));
  }
  await settleOutcomes(core, tx, [{ record, place }], now);
  await closeRecordings(tx, "outcome", record.id, now);
}

/** Returns whether the database's own verdict is the recorded one. */
const isRecordedVerdict = (
  known: { evidenceHash: string | null },
  record: OutcomeRecord | DisputeRecord,
) => known.evidenceHash !== null && known.evidenceHash === record.evidenceHash;

/** The parts of a verdict that a record lacks. */
const createLostParts = ({ evidenceHash }: OutcomeRecord | DisputeRecord) => ({
  judgeKind: null,
  judgeId: null,
  evidence: null,
  evidenceHash: evidenceHash ?? null,
});

const buildVerdict = (record: OutcomeRecord) => ({
  ...createLostParts(record),
  judgedAt: toDate(record.resolvedAt),
  verdict: record.verdict,
  confidencePpm: record.confPpm,
  reasoning: LOST,
  rebuilt: true,
});

/**
 * Builds an outcome from its record. Hashes are zero, texts are empty and the submission time is
 * missing, because the record has none of them.
 */
const buildOutcome = (record: OutcomeRecord): typeof outcomes.$inferInsert => ({
  id: record.id,
  contractor: record.contractor,
  requester: record.requester,
  taskDescription: "",
  taskCategory: record.category,
  valueMicro: BigInt(record.valueMicro),
  paidMicro: BigInt(record.paidMicro),
  submittedBy: record.submittedBy,
  salt: randomBytes(16),
  taskHash: zeroHash,
  deliverableHash: zeroHash,
  submittedAt: toDate(record.resolvedAt),
  inputHash: zeroHash,
  storedAnswer: "{}",
  proven: record.proven,
  agreed: record.agreed,
  ...buildVerdict(record),
});

async function importDispute(
  core: Core,
  tx: Transaction,
  record: DisputeRecord,
  place: RecordPlace,
): Promise<void> {
  const now = toDate(record.resolvedAt);
  const [dispute] = await tx
    .select()
    .from(disputes)
    .where(eq(disputes.outcomeId, record.outcomeId));
  if (!dispute) return importUnknownDispute(tx, record, place);
  const lost = { ...createLostParts(record), explanation: LOST, detail: null };
  await tx
    .update(disputes)
    .set({
      reviewStartedAt: dispute.reviewStartedAt ?? now,
      judgedAt: dispute.judgedAt ?? now,
      ...(isRecordedVerdict(dispute, record) ? {} : lost),
    })
    .where(and(eq(disputes.id, dispute.id), eq(disputes.status, "OPEN")));
  await settleDispute(core, tx, { disputeId: dispute.id, record, place, now });
  await closeRecordings(tx, "dispute", dispute.id, now);
}

/**
 * Applies a dispute record without storing a dispute: its opener, statements and stakers are
 * unknown.
 */
async function importUnknownDispute(
  tx: Transaction,
  record: DisputeRecord,
  place: RecordPlace,
): Promise<void> {
  const { outcomeId } = record;
  const [outcome] = await applyDispute(tx, record);
  if (!outcome) throw new Error(`record ${place.seq} belongs to an unknown outcome ${outcomeId}`);
  await tx.update(outcomes).set({ rebuilt: true }).where(eq(outcomes.id, outcomeId));
  await insertLedgerRecords(tx, [{ record, place }]);
  await updateReputation(tx, {
    wallet: outcome.contractor,
    cause: "dispute",
    outcomeId,
    seq: place.seq,
    now: toDate(record.resolvedAt),
  });
}

async function importAnchor(
  core: Core,
  record: AnchorRecord | AnchorRevokedRecord,
  place: RecordPlace,
  now: Date,
): Promise<void> {
  const anchorId = await core.db.transaction(async (tx) => {
    const isAnchor = record.type === "anchor";
    if (isAnchor) await insertPlaceholderAgent(tx, record.wallet, toDate(record.from));
    const id = await (isAnchor
      ? findOrInsertAnchor(tx, record)
      : markAnchorRevoked(tx, record, now));
    await closeRecordings(tx, record.type, id, now);
    return id;
  });
  await settleAnchor(core, { recordingId: randomUUID(), anchorId, record, place, now });
}

async function findOrInsertAnchor(tx: Transaction, record: AnchorRecord): Promise<string> {
  const [from, until] = [toDate(record.from), record.until === null ? null : toDate(record.until)];
  const isSameAnchor = and(
    eq(anchors.wallet, record.wallet),
    eq(anchors.from, from),
    isNull(anchors.seq),
  );
  const [known] = await tx.select({ id: anchors.id }).from(anchors).where(isSameAnchor);
  if (known) return known.id;
  const [inserted] = await tx
    .insert(anchors)
    .values({ wallet: record.wallet, from, until, createdAt: from })
    .returning({ id: anchors.id });
  if (!inserted) throw new Error("the anchor was not inserted");
  return inserted.id;
}

async function markAnchorRevoked(
  tx: Transaction,
  { anchorSeq }: AnchorRevokedRecord,
  now: Date,
): Promise<string> {
  const [anchor] = await tx
    .update(anchors)
    .set({
      revokeAskedAt: sql`coalesce(${anchors.revokeAskedAt}, ${now.toISOString()}::timestamptz)`,
    })
    .where(eq(anchors.seq, anchorSeq))
    .returning({ id: anchors.id });
  if (!anchor) throw new Error(`record ${anchorSeq} has no anchor`);
  return anchor.id;
}

/** Marks open recordings of the subject as settled, so that nothing more is sent for them. */
async function closeRecordings(
  tx: Transaction,
  kind: PlacedRecord["record"]["type"],
  subjectId: string,
  now: Date,
): Promise<void> {
  await tx
    .update(recordings)
    .set({ settledAt: now })
    .where(
      and(
        eq(recordings.kind, kind),
        eq(recordings.subjectId, subjectId),
        isNull(recordings.settledAt),
      ),
    );
}

/**
 * Inserts a placeholder for a wallet that submitted, was anchored or took over, and so was registered
 * before. The placeholder keeps its place on the leaderboard until the owner verifies the wallet,
 * which does not count as a takeover.
 */
async function insertPlaceholderAgent(tx: Transaction, wallet: string, at: Date): Promise<void> {
  await tx
    .insert(agents)
    .values({
      wallet,
      name: `${wallet.slice(0, 6)}…${wallet.slice(-4)}`,
      description:
        "Rebuilt from the public ledger. Its owner can register it again with a wallet proof.",
      rebuilt: true,
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing();
}

const toDate = (seconds: number) => new Date(seconds * 1_000);

import { randomBytes } from "node:crypto";
import { and, eq, inArray, isNotNull, isNull, not, or, sql } from "drizzle-orm";
import { zeroHash } from "viem";
import { agents } from "@/server/agents/tables";
import { MAX_BATCH } from "@/server/chain/registry/encode-records";
import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import { pipeline } from "@/server/db/pipeline";
import { whereAwaitsEscrow } from "@/server/escrows/queries";
import type { Core, Transaction } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import { isDecided } from "@/server/reputation/score/weigh-outcome";
import { addOutcomes } from "@/server/reputation/update";
import { outcomeResolved } from "@/server/settlement/events";
import {
  createLostParts,
  insertPlaceholderAgent,
  isRecordedVerdict,
  LOST,
  toDate,
} from "./rebuild";
import {
  type ConfirmedRecord,
  insertLedgerRecords,
  lockRequesters,
  type PendingRecord,
  type RecordKind,
  select,
  whereUnrecorded,
} from "./record-kind";

/** Most outcomes of which `signPending` makes records in one call. */
export const MAX_OUTCOMES = 10 * MAX_BATCH;

const whereOutcomePending = and(
  eq(outcomes.status, "EVALUATING"),
  isNotNull(outcomes.judgedAt),
  whereUnrecorded("outcome", outcomes.id),
);

/** Matches judged outcomes without a record, once no escrow has to be decided before it. */
export const whereOutcomeUnrecorded = and(whereOutcomePending, not(whereAwaitsEscrow));

/** Matches judged outcomes whose record waits for the decision of an escrow. */
export const whereRecordAwaitsEscrow = and(whereOutcomePending, whereAwaitsEscrow);

const pending = { table: outcomes, since: outcomes.judgedAt, where: whereOutcomeUnrecorded };

/** The columns of an outcome that its record contains, without the texts. */
const RECORDED_COLUMNS = {
  id: outcomes.id,
  contractor: outcomes.contractor,
  requester: outcomes.requester,
  category: outcomes.taskCategory,
  valueMicro: outcomes.valueMicro,
  paidMicro: outcomes.paidMicro,
  submittedBy: outcomes.submittedBy,
  agreed: outcomes.agreed,
  verdict: outcomes.verdict,
  confPpm: outcomes.confidencePpm,
  evidenceHash: outcomes.evidenceHash,
};

/** The verdict on an outcome. */
export const outcomeKind: RecordKind<"outcome"> = {
  pending,
  /**
   * `proven` is determined now: the submitter's own registration must have verified the wallet, not
   * one that took it over. An outcome with a payment is included only if the payment is confirmed or
   * counts as zero.
   */
  async find(tx, selection) {
    const { where, order } = select(pending, selection);
    const rows = await tx
      .select({ outcome: RECORDED_COLUMNS, verifiedAt: agents.walletVerifiedAt })
      .from(outcomes)
      .leftJoin(agents, eq(agents.id, outcomes.submitterAgentId))
      .where(
        and(
          where,
          or(
            isNull(outcomes.paymentTransferId),
            eq(outcomes.paidMicro, 0n),
            sql`${outcomes.id} = any(${sql.param(selection.confirmed)}::uuid[])`,
          ),
        ),
      )
      .orderBy(order)
      .limit(selection.limit)
      .prepare("pending_outcomes")
      .execute();
    return rows.flatMap(({ outcome, verifiedAt }): PendingRecord<"outcome">[] => {
      const { verdict, confPpm, valueMicro, paidMicro, evidenceHash, ...same } = outcome;
      if (verdict === null || confPpm === null) return [];
      const record = {
        type: "outcome" as const,
        ...same,
        valueMicro: Number(valueMicro),
        paidMicro: Number(paidMicro),
        proven: verifiedAt !== null,
        verdict,
        confPpm,
        resolvedAt: selection.now,
        evidenceHash: evidenceHash ?? undefined,
      };
      return [{ subjectId: same.id, record }];
    });
  },
  batchSize: MAX_BATCH,
  max: MAX_OUTCOMES,
  settle: settleOutcomes,
  async import(core, tx, confirmed) {
    const { record, now } = confirmed;
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
    await settleOutcomes(core, tx, [confirmed]);
    return [record.id];
  },
  updateTxHash: (tx, from, to) =>
    tx.update(outcomes).set({ onChainTx: to }).where(inArray(outcomes.onChainTx, from)),
};

/**
 * Settles outcomes with few statements for all: resolves them, inserts the records into the ledger,
 * updates the contractors' scores and histories in the given order and publishes the events. Skips
 * outcomes that are resolved already. Resolves to true if records may have waited for them: a takeover
 * waits for the submissions of the registration that it ended, and the mark of a superseded outcome for
 * both outcomes.
 */
async function settleOutcomes(
  core: Pick<Core, "publish">,
  tx: Transaction,
  confirmed: readonly ConfirmedRecord<"outcome">[],
): Promise<boolean> {
  const resolved = await resolveOutcomes(tx, confirmed);
  const settled = confirmed.filter(({ record }) => resolved.has(record.id));
  const [first] = settled;
  if (!first) return false;
  await pipeline(tx, [
    () => lockRequesters.shared(tx, settled.flatMap(listAffecting)),
    () => insertLedgerRecords(tx, settled),
  ]);
  const updates = await addOutcomes(tx, settled, first.now);
  await core.publish(
    tx,
    updates.flatMap(({ scoreImpact, event }, index) => {
      const outcomeId = settled[index]?.record.id;
      const { name } = outcomeResolved;
      const resolution = {
        id: `outcome-resolved:${outcomeId}`,
        name,
        data: { outcomeId, scoreImpact },
      };
      return event ? [resolution, event] : [resolution];
    }),
  );
  return [...resolved.values()].includes(true);
}

/** Returns the wallets whose anchors and takeovers decide what an outcome weighs. */
function listAffecting({ record }: ConfirmedRecord<"outcome">): string[] {
  const { requester, contractor, proven } = record;
  return proven ? [requester] : [requester, contractor];
}

/** Resolves pending outcomes as recorded. Returns, by id, whether another record may wait for them. */
async function resolveOutcomes(
  tx: Transaction,
  confirmed: readonly ConfirmedRecord<"outcome">[],
): Promise<Map<string, boolean>> {
  const rows = confirmed.map(({ record, place }) => ({
    id: record.id,
    proven: record.proven,
    verdict: record.verdict,
    assessed: isDecided(record),
    resolvedAt: record.resolvedAt,
    txHash: place.txHash,
    logIndex: place.logIndex,
  }));
  const resolved = await tx
    .update(outcomes)
    .set({
      status: "RESOLVED",
      proven: sql`settled.proven`,
      resolvedAt: sql`to_timestamp(settled."resolvedAt")`,
      onChainTx: sql`settled."txHash"`,
      recordIndex: sql`settled."logIndex"`,
      finalVerdict: sql`settled.verdict`,
      assessed: sql`settled.assessed`,
    })
    .from(
      sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as settled (
        id uuid, proven boolean, verdict text, assessed boolean, "resolvedAt" bigint,
        "txHash" text, "logIndex" integer
      )`,
    )
    .where(and(eq(outcomes.id, sql`settled.id`), eq(outcomes.status, "EVALUATING")))
    .returning({
      id: outcomes.id,
      isAwaited: sql<boolean>`${outcomes.submitterAgentId} is null or ${outcomes.supersededBy} is not null
        or exists (select from ${outcomes} as older where older.superseded_by = ${outcomes}.id)`,
    })
    .prepare("resolve_outcomes")
    .execute();
  return new Map(resolved.map(({ id, isAwaited }) => [id, isAwaited]));
}

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

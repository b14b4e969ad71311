import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { outcomes } from "@/server/outcomes/tables";
import { applyRecord, findRecords, type RecordKind, whereUnrecorded } from "./record-kind";

/** Null until both outcomes are recorded. */
const since = sql`(
  select payers.resolved_at from ${outcomes} as payers
  where payers.id = ${outcomes}.superseded_by and ${outcomes}.status = 'RESOLVED'
)`;

const pending = {
  table: outcomes,
  since,
  where: and(
    isNotNull(outcomes.supersededBy),
    isNull(outcomes.supersededTx),
    whereUnrecorded("superseded", outcomes.id),
  ),
};

/** The mark of an outcome whose payment its payer named in an outcome of its own. */
export const supersededKind: RecordKind<"superseded"> = {
  pending,
  find: (tx, selection) =>
    findRecords(
      tx,
      { ...pending, where: and(pending.where, isNotNull(since)) },
      selection,
      ({ id, supersededBy: by }) =>
        by === null ? null : { type: "superseded", outcomeId: id, by },
    ),
  async settle(core, tx, [settlement]) {
    const { record, place, subjectId } = settlement;
    const [outcome] = await tx
      .update(outcomes)
      .set({ supersededBy: record.by, supersededTx: place.txHash, supersededIndex: place.logIndex })
      .where(and(eq(outcomes.id, subjectId), isNull(outcomes.supersededTx)))
      .returning({ outcomeId: outcomes.id });
    if (outcome) await applyRecord(core, tx, settlement, outcome);
  },
  async import(core, tx, confirmed) {
    const subjectId = confirmed.record.outcomeId;
    await supersededKind.settle(core, tx, [{ ...confirmed, subjectId }]);
    return [subjectId];
  },
  updateTxHash: (tx, from, to) =>
    tx.update(outcomes).set({ supersededTx: to }).where(inArray(outcomes.supersededTx, from)),
};

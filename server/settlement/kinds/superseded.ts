import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Core, Transaction } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import {
  applyRecord,
  type RecordKind,
  type Settlement,
  select,
  whereUnrecorded,
} from "./record-kind";

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
  async find(tx, selection) {
    const { where, order } = select(pending, selection);
    const rows = await tx
      .select({ id: outcomes.id, by: sql<string>`${outcomes.supersededBy}` })
      .from(outcomes)
      .where(and(where, isNotNull(since)))
      .orderBy(order)
      .limit(selection.limit);
    return rows.map(({ id, by }) => ({
      subjectId: id,
      record: { type: "superseded", outcomeId: id, by },
    }));
  },
  batchSize: 1,
  max: 10,
  settle: (core, tx, [settlement]) => settleSuperseded(core, tx, settlement),
  async import(core, tx, confirmed) {
    const subjectId = confirmed.record.outcomeId;
    await settleSuperseded(core, tx, { ...confirmed, subjectId });
    return [subjectId];
  },
  updateTxHash: (tx, from, to) =>
    tx.update(outcomes).set({ supersededTx: to }).where(inArray(outcomes.supersededTx, from)),
};

async function settleSuperseded(
  core: Pick<Core, "publish">,
  tx: Transaction,
  settlement: Settlement<"superseded">,
): Promise<undefined> {
  const { record, place, subjectId } = settlement;
  const marked = await tx
    .update(outcomes)
    .set({ supersededBy: record.by, supersededTx: place.txHash, supersededIndex: place.logIndex })
    .where(and(eq(outcomes.id, subjectId), isNull(outcomes.supersededTx)))
    .returning({ outcomeId: outcomes.id });
  if (marked[0]) await applyRecord(core, tx, settlement, marked[0]);
}

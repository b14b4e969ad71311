import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { DisputeRecord } from "@/server/chain/registry/ledger";
import { usedTransfers } from "@/server/chain/tables";
import { payoutDue } from "@/server/disputes/events";
import { getWinner } from "@/server/disputes/parties";
import { toFinalVerdict } from "@/server/disputes/schema";
import { disputeSides, disputes, payouts } from "@/server/disputes/tables";
import type { Core, Transaction } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import { disputeResolved } from "@/server/settlement/events";
import { createLostParts, isRecordedVerdict, LOST, toDate } from "./rebuild";
import {
  applyRecord,
  findRecords,
  type RecordKind,
  type Settlement,
  whereUnrecorded,
} from "./record-kind";

const pending = {
  table: disputes,
  since: disputes.judgedAt,
  where: and(
    eq(disputes.status, "OPEN"),
    isNotNull(disputes.judgedAt),
    whereUnrecorded("dispute", disputes.id),
  ),
};

/** The verdict of a dispute. Its outcome is recorded already, since only resolved ones are disputed. */
export const disputeKind: RecordKind<"dispute"> = {
  pending,
  find: (tx, selection) =>
    findRecords(tx, pending, selection, ({ outcomeId, verdict, assessed, evidenceHash }) => {
      if (verdict === null || assessed === null) return null;
      const decision = { outcomeId, verdict, assessed, evidenceHash: evidenceHash ?? undefined };
      return { type: "dispute", ...decision, resolvedAt: selection.now };
    }),
  max: 50,
  async settle(core, tx, [settlement]) {
    const { subjectId: disputeId, record, place } = settlement;
    const resolvedAt = toDate(record.resolvedAt);
    const [dispute] = await tx
      .update(disputes)
      .set({
        status: "RESOLVED",
        verdict: record.verdict,
        assessed: record.assessed,
        finalVerdict: toFinalVerdict(record.verdict),
        resolvedAt,
        onChainTx: place.txHash,
        recordIndex: place.logIndex,
      })
      .where(and(eq(disputes.id, disputeId), eq(disputes.status, "OPEN")))
      .returning({ outcomeId: disputes.outcomeId });
    if (!dispute) return;
    await setFinalVerdict(tx, record);
    // As in `addOutcomes`: the signer's clock may be ahead.
    const now = new Date(Math.max(settlement.now.getTime(), resolvedAt.getTime()));
    const { outcomeId } = dispute;
    await applyRecord(core, tx, { ...settlement, now }, { outcomeId, disputeId }, (scoreImpact) => [
      {
        id: `dispute-resolved:${disputeId}`,
        name: disputeResolved.name,
        data: { disputeId, scoreImpact },
      },
    ]);
    await createWinnerPayout(core, tx, settlement);
  },
  async import(core, tx, confirmed) {
    const { record, now } = confirmed;
    const isSameOutcome = eq(disputes.outcomeId, record.outcomeId);
    const [dispute] = await tx.select().from(disputes).where(isSameOutcome);
    if (!dispute) {
      // Its opener, statements and stakers are unknown, so no dispute is stored.
      await tx.update(outcomes).set({ rebuilt: true }).where(eq(outcomes.id, record.outcomeId));
      await setFinalVerdict(tx, record);
      await applyRecord(core, tx, confirmed, record);
      return [];
    }
    const lost = { ...createLostParts(record), explanation: LOST, detail: null };
    await tx
      .update(disputes)
      .set({
        reviewStartedAt: dispute.reviewStartedAt ?? now,
        judgedAt: dispute.judgedAt ?? now,
        ...(isRecordedVerdict(dispute, record) ? {} : lost),
      })
      .where(and(eq(disputes.id, dispute.id), eq(disputes.status, "OPEN")));
    await disputeKind.settle(core, tx, [{ ...confirmed, subjectId: dispute.id }]);
    return [dispute.id];
  },
  updateTxHash: (tx, from, to) =>
    tx.update(disputes).set({ onChainTx: to }).where(inArray(disputes.onChainTx, from)),
};

/**
 * Sets the final verdict of a disputed outcome, and whether it says anything: the rule of `isDecided`,
 * in SQL.
 */
async function setFinalVerdict(
  tx: Transaction,
  { outcomeId, verdict, assessed }: DisputeRecord,
): Promise<void> {
  const finalVerdict = toFinalVerdict(verdict);
  const isDecided = sql`${assessed} or (${outcomes.assessed} and ${outcomes.verdict} = ${finalVerdict})`;
  await tx
    .update(outcomes)
    .set({ finalVerdict, assessed: isDecided })
    .where(eq(outcomes.id, outcomeId));
}

/**
 * Creates a payout of the winner's whole payment, unless it never paid or its payment is known to
 * be gone.
 */
async function createWinnerPayout(
  { publish }: Pick<Core, "publish">,
  tx: Transaction,
  { subjectId: disputeId, record }: Settlement<"dispute">,
): Promise<void> {
  const party = getWinner(record.verdict);
  const isWinner = and(eq(disputeSides.disputeId, disputeId), eq(disputeSides.party, party));
  const [paid] = await tx
    .select({ transfer: usedTransfers })
    .from(disputeSides)
    .innerJoin(usedTransfers, eq(usedTransfers.id, disputeSides.transferId))
    .where(and(isWinner, isNull(usedTransfers.goneAt)));
  if (!paid) return;
  const { id: transferId, from, amountMicro } = paid.transfer;
  const [payout] = await tx
    .insert(payouts)
    .values({ purpose: "stake-return", disputeId, party, transferId, to: from, amountMicro })
    .onConflictDoNothing()
    .returning({ id: payouts.id });
  if (!payout) return;
  const data = { payoutId: payout.id };
  await publish(tx, [{ id: `payout-due:${payout.id}`, name: payoutDue.name, data }]);
}

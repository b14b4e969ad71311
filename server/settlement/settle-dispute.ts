import { and, eq, isNull, sql } from "drizzle-orm";
import type { DisputeRecord } from "@/server/chain/registry/ledger";
import { usedTransfers } from "@/server/chain/tables";
import { payoutDue } from "@/server/disputes/events";
import { getWinner } from "@/server/disputes/parties";
import { toFinalVerdict } from "@/server/disputes/schema";
import { disputeSides, disputes, payouts } from "@/server/disputes/tables";
import type { AppEvent, Core, Transaction } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import { updateReputation } from "@/server/reputation/update";
import { disputeResolved } from "./events";
import { insertLedgerRecords, type Settlement } from "./insert-ledger-records";

/**
 * Settles a confirmed dispute record inside the caller's transaction: resolves the dispute, sets
 * the outcome's final verdict, inserts the record into the ledger, updates the contractor's score
 * and history, creates the winner's payout and publishes the events. Repeating it changes nothing.
 * Throws if the record belongs to another outcome.
 */
export async function settleDispute(
  core: Pick<Core, "publish">,
  tx: Transaction,
  { disputeId, record, place, now }: Settlement<DisputeRecord> & { disputeId: string },
): Promise<void> {
  const [dispute] = await tx
    .update(disputes)
    .set({
      status: "RESOLVED",
      verdict: record.verdict,
      assessed: record.assessed,
      finalVerdict: toFinalVerdict(record.verdict),
      resolvedAt: new Date(record.resolvedAt * 1000),
      onChainTx: place.txHash,
      recordIndex: place.logIndex,
    })
    .where(and(eq(disputes.id, disputeId), eq(disputes.status, "OPEN")))
    .returning({ outcomeId: disputes.outcomeId, contractor: disputes.contractor });
  if (!dispute) return;
  const { outcomeId, contractor } = dispute;
  if (record.outcomeId !== outcomeId) {
    throw new Error(`record ${place.seq} belongs to outcome ${record.outcomeId}`);
  }
  await applyDispute(tx, record);
  await insertLedgerRecords(tx, [{ record, place }]);
  const { scoreImpact, event } = await updateReputation(tx, {
    wallet: contractor,
    cause: "dispute",
    outcomeId,
    disputeId,
    seq: place.seq,
    // As in `addOutcomes`: the signer's clock may be ahead.
    now: new Date(Math.max(now.getTime(), record.resolvedAt * 1000)),
  });
  await core.publish(tx, [
    {
      id: `dispute-resolved:${disputeId}`,
      name: disputeResolved.name,
      data: { disputeId, scoreImpact },
    },
    ...(event ? [event] : []),
    ...(await createWinnerPayout(tx, disputeId, record.verdict)),
  ]);
}

/**
 * Sets the final verdict of a disputed outcome, and whether it says anything: the rule of `isDecided`,
 * in SQL.
 */
export function applyDispute(tx: Transaction, { outcomeId, verdict, assessed }: DisputeRecord) {
  const finalVerdict = toFinalVerdict(verdict);
  const isDecided = sql`${assessed} or (${outcomes.assessed} and ${outcomes.verdict} = ${finalVerdict})`;
  return tx
    .update(outcomes)
    .set({ finalVerdict, assessed: isDecided })
    .where(eq(outcomes.id, outcomeId))
    .returning({ contractor: outcomes.contractor });
}

/**
 * Creates a payout of the winner's whole payment, unless it never paid or its payment is known to
 * be gone.
 */
async function createWinnerPayout(
  tx: Transaction,
  disputeId: string,
  verdict: DisputeRecord["verdict"],
): Promise<AppEvent[]> {
  const party = getWinner(verdict);
  const isWinner = and(eq(disputeSides.disputeId, disputeId), eq(disputeSides.party, party));
  const [paid] = await tx
    .select({ transfer: usedTransfers })
    .from(disputeSides)
    .innerJoin(usedTransfers, eq(usedTransfers.id, disputeSides.transferId))
    .where(and(isWinner, isNull(usedTransfers.goneAt)));
  if (!paid) return [];
  const { id: transferId, from, amountMicro } = paid.transfer;
  const [payout] = await tx
    .insert(payouts)
    .values({ purpose: "stake-return", disputeId, party, transferId, to: from, amountMicro })
    .onConflictDoNothing()
    .returning({ id: payouts.id });
  if (!payout) return [];
  return [{ id: `payout-due:${payout.id}`, name: payoutDue.name, data: { payoutId: payout.id } }];
}

import { and, eq, isNull, or } from "drizzle-orm";
import type { TransactionReceipt } from "viem";
import { claimTransfer } from "@/server/chain/payments/payment";
import type { usedTransfers } from "@/server/chain/tables";
import { sendForEffect } from "@/server/chain/transactions/send-for-effect";
import type { Sender } from "@/server/chain/transactions/sender";
import { findRelease, hasDecided } from "@/server/escrows/contract";
import { type EscrowJob, escrowJobs } from "@/server/escrows/tables";
import type { Core, Transaction } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import { wakeRecorder } from "@/server/outcomes/wake-recorder";
import { whereUnrecorded } from "./kinds/record-kind";
import { lockSigning } from "./sign-pending";

/**
 * Sends the signed decision of an escrow job as often as needed, and stores what it did: the released
 * payment becomes that of the outcome, whose record then follows. If the transaction can never have its
 * effect, the job is undecided again, and the next decision finds out why. Also checks a decision that is
 * not final yet, since a reorg can undo it. Safe to call repeatedly and concurrently. Throws if the node
 * is unreachable.
 */
export async function settleEscrow(
  core: Core,
  sender: Sender,
  job: EscrowJob,
  timeoutMs = 20_000,
): Promise<void> {
  const { transactionId, decision } = job;
  if (transactionId === null || decision === null) return;
  const isDecided = (receipt: TransactionReceipt) => hasDecided(receipt, job, decision);
  const effect = await sendForEffect(sender, transactionId, isDecided, timeoutMs);
  if (effect.state === "done") {
    if (job.status === "deciding") await storeDecision(core, job, decision, effect.receipt);
    return;
  }
  if (effect.state === "pending") return;
  core.log.error(
    { escrow: job.escrow, jobId: job.jobId, transactionId, state: effect.state },
    "the decision of an escrow job can never take effect: it is decided again",
  );
  await core.db
    .update(escrowJobs)
    .set({ status: "funded", decision: null, transactionId: null, releaseId: null, endedAt: null })
    .where(whereSigned(job));
}

/** Matches the job only while it has the transaction that was checked, in the state it had then. */
const whereSigned = ({ id, status, transactionId }: EscrowJob) =>
  and(
    eq(escrowJobs.id, id),
    eq(escrowJobs.status, status),
    eq(escrowJobs.transactionId, transactionId ?? ""),
  );

async function storeDecision(
  core: Core,
  job: EscrowJob,
  decision: "complete" | "reject",
  receipt: TransactionReceipt,
): Promise<void> {
  const { chain, log } = core;
  const transfer = decision === "complete" ? findRelease(chain, receipt, job) : null;
  if (decision === "complete" && !transfer) {
    const { escrow, jobId } = job;
    log.error({ escrow, jobId }, "an escrow completed a job without releasing its payment");
  }
  await core.db.transaction(async (tx) => {
    // No record of the outcome may be signed at the same time.
    await lockSigning(tx);
    const status = decision === "complete" ? "completed" : "rejected";
    const stored = await tx
      .update(escrowJobs)
      .set({ status, endedAt: new Date() })
      .where(whereSigned(job))
      .returning({ id: escrowJobs.id });
    if (stored.length === 0) return;
    if (transfer) {
      const release = await claimTransfer(tx, chain, [transfer], "payment");
      if (release) await attachRelease(tx, job, release);
    }
    await wakeRecorder(core, tx);
  });
}

/** Makes the release the payment of the job's outcome, unless that is recorded or has a payment. */
async function attachRelease(
  tx: Transaction,
  { id, agreementId }: EscrowJob,
  release: typeof usedTransfers.$inferSelect,
): Promise<void> {
  await tx.update(escrowJobs).set({ releaseId: release.id }).where(eq(escrowJobs.id, id));
  await tx
    .update(outcomes)
    .set({
      paymentTransferId: release.id,
      paymentTxHash: release.txHash,
      paidMicro: release.amountMicro,
    })
    .where(
      and(
        eq(outcomes.agreementId, agreementId ?? ""),
        eq(outcomes.status, "EVALUATING"),
        // A reorg may have removed an earlier payment.
        or(isNull(outcomes.paymentTransferId), eq(outcomes.paidMicro, 0n)),
        whereUnrecorded("outcome", outcomes.id),
      ),
    );
}

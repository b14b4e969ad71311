import { and, eq, inArray, isNull } from "drizzle-orm";
import { finalizedHeight } from "@/server/chain/finality";
import { lookAgain } from "@/server/chain/payment";
import type { Sender } from "@/server/chain/sender";
import { usedTransfers } from "@/server/chain/tables";
import { hasTransferred } from "@/server/chain/usdc";
import { payouts } from "@/server/disputes/tables";
import type { Core } from "@/server/lib/context";
import { findOtherPayment } from "./other-payment";
import { signPayout } from "./sign-payout";

export type Payout = typeof payouts.$inferSelect;

/**
 * Brings one payout as far as it comes now, and answers its state. Money leaves only once the payment
 * that it answers is final; one that a reorganisation removed is owed nothing. A transaction is signed
 * once and sent as often as it takes; another one is signed only when the first can never pay any more
 * and nothing else seems to have paid. It can be called again at any time, also twice at once. Throws
 * where the node is silent.
 */
export async function payOut(
  core: Core,
  sender: Sender,
  payoutId: string,
  patienceMs = 20_000,
): Promise<Payout["status"]> {
  const payout = await findPayout(core, payoutId);
  if (payout.status === "void") return "void";
  if (payout.transactionId !== null) return carry(core, sender, payout, patienceMs);

  const [transfer] = await core.db
    .select()
    .from(usedTransfers)
    .where(eq(usedTransfers.id, payout.transferId));
  if (!transfer) throw new Error(`payout ${payoutId} answers no payment`);
  // What was found final stays so, also when the node has pruned it since.
  const standing = transfer.finalAt ? "final" : await lookAgain(sender.chain, transfer);
  if (standing === "gone") return forget(core, payout);
  if (standing !== "final") return "waiting";
  const signed = await signPayout(core, sender, payout);
  return signed
    ? carry(core, sender, signed, patienceMs)
    : (await findPayout(core, payoutId)).status;
}

/** Sends what was signed and says what came of it. A payout that was paid is looked at again. */
async function carry(
  core: Core,
  sender: Sender,
  payout: Payout,
  patienceMs: number,
): Promise<Payout["status"]> {
  const { transactionId } = payout;
  if (transactionId === null) throw new Error(`payout ${payout.id} was not signed`);
  await sender.broadcast(transactionId);
  const result = await sender.waitForConfirmation(transactionId, { timeoutMs: patienceMs });
  if (result.state !== "pending" && hasTransferred(sender.chain, result.receipt, payout)) {
    return keepPaid(core, payout, result.receipt.transactionHash);
  }
  if (!(await canNeverPay(sender, payout, transactionId))) return payout.status;
  // Whoever else has the key may have paid by hand what seemed to hang.
  const otherPayment = await findOtherPayment(core.db, sender.chain, payout);
  if (otherPayment !== "none") {
    core.log.error(
      { payoutId: payout.id, transactionId, otherPayment },
      "a payout's transaction can never pay, and another may have paid it: it waits for the operator",
    );
    return payout.status;
  }
  core.log.error(
    { payoutId: payout.id, transactionId, state: result.state },
    "a payout's transaction paid nothing and never will: it will be signed again",
  );
  return giveBack(core, payout);
}

/**
 * A reorganisation can run a reverted transaction once more, and then it may pay: only what is final
 * is out of the way.
 */
async function canNeverPay(sender: Sender, payout: Payout, transactionId: string) {
  // In this order: what stands in a finalized block after that was asked, stays there.
  const finalized = await finalizedHeight(sender.chain);
  const result = await sender.confirmTransaction(transactionId);
  if (result.state === "pending") return sender.isSuperseded(transactionId);
  if (finalized === null || result.blockNumber > finalized) return false;
  return !hasTransferred(sender.chain, result.receipt, payout);
}

async function keepPaid(core: Core, payout: Payout, txHash: string): Promise<"paid"> {
  await core.db
    .update(payouts)
    .set({ status: "paid", txHash, settledAt: payout.settledAt ?? new Date() })
    .where(isStillSigned(payout));
  return "paid";
}

async function giveBack(core: Core, payout: Payout): Promise<"waiting"> {
  await core.db
    .update(payouts)
    .set({ status: "waiting", transactionId: null, txHash: null, settledAt: null })
    .where(isStillSigned(payout));
  return "waiting";
}

/** With the very transaction that was looked at, and not with one that was signed meanwhile. */
const isStillSigned = ({ id, transactionId }: Payout) =>
  and(
    eq(payouts.id, id),
    inArray(payouts.status, ["signed", "paid"]),
    eq(payouts.transactionId, transactionId ?? ""),
  );

async function forget(core: Core, { id, transferId }: Payout): Promise<"void"> {
  const now = new Date();
  await core.db.transaction(async (tx) => {
    const mine = await tx
      .update(payouts)
      .set({ status: "void", settledAt: now })
      .where(and(eq(payouts.id, id), eq(payouts.status, "waiting")))
      .returning({ id: payouts.id });
    if (mine.length === 0) return;
    await tx
      .update(usedTransfers)
      .set({ goneAt: now })
      .where(and(eq(usedTransfers.id, transferId), isNull(usedTransfers.goneAt)));
  });
  core.log.warn(
    { payoutId: id, transferId },
    "a reorganisation removed a payment: nothing is owed",
  );
  return "void";
}

async function findPayout({ db }: Pick<Core, "db">, payoutId: string): Promise<Payout> {
  const [payout] = await db.select().from(payouts).where(eq(payouts.id, payoutId));
  if (!payout) throw new Error(`there is no payout ${payoutId}`);
  return payout;
}

import { and, eq, inArray, isNull, ne } from "drizzle-orm";
import type { TransactionReceipt } from "viem";
import type { Chain } from "@/server/chain/client";
import { getTransferStatus } from "@/server/chain/payments/payment";
import {
  canTransfer,
  encodeTransfer,
  findTransfersBetween,
  hasTransferred,
} from "@/server/chain/payments/usdc";
import { chainAttempts, chainTransactions, usedTransfers } from "@/server/chain/tables";
import { sendForEffect, signOnce } from "@/server/chain/transactions/send-for-effect";
import type { Sender } from "@/server/chain/transactions/sender";
import { type Payout, payouts } from "@/server/disputes/tables";
import type { Core, Sql } from "@/server/lib/context";

/**
 * Advances one payout as far as possible and returns its state. Money is sent only once the
 * payment that it returns is final; a payment that a reorg removed is owed nothing. A transaction
 * is signed once and sent as often as needed; another one is signed only if the first can never
 * pay and no other payment is found. Safe to call repeatedly and concurrently. Throws if the node
 * is unreachable.
 */
export async function advancePayout(
  core: Core,
  sender: Sender,
  payoutId: string,
  timeoutMs = 20_000,
): Promise<Payout["status"]> {
  const payout = await findPayout(core, payoutId);
  if (payout.status === "void") return "void";
  if (payout.transactionId !== null) return sendPayout(core, sender, payout, timeoutMs);

  const [transfer] = await core.db
    .select()
    .from(usedTransfers)
    .where(eq(usedTransfers.id, payout.transferId));
  if (!transfer) throw new Error(`payout ${payoutId} has no incoming payment`);
  // A payment found final stays final, even if the node has pruned it since.
  const status = transfer.finalAt ? "final" : await getTransferStatus(sender.chain, transfer);
  if (status === "dropped") return voidPayout(core, payout);
  if (status !== "final") return "waiting";
  const isSigned = await signPayout(core, sender, payout);
  const now = await findPayout(core, payoutId);
  return isSigned ? sendPayout(core, sender, now, timeoutMs) : now.status;
}

/**
 * Broadcasts the signed transaction and returns the resulting state. Rechecks payouts already
 * paid.
 */
async function sendPayout(
  core: Core,
  sender: Sender,
  payout: Payout,
  timeoutMs: number,
): Promise<Payout["status"]> {
  const { transactionId } = payout;
  if (transactionId === null) throw new Error(`payout ${payout.id} was not signed`);
  const hasPaid = (receipt: TransactionReceipt) => hasTransferred(sender.chain, receipt, payout);
  const effect = await sendForEffect(sender, transactionId, hasPaid, timeoutMs);
  if (effect.state === "done") {
    const { transactionHash: txHash } = effect.receipt;
    await core.db
      .update(payouts)
      .set({ status: "paid", txHash, settledAt: payout.settledAt ?? new Date() })
      .where(whereStillSigned(payout));
    return "paid";
  }
  if (effect.state === "pending") return payout.status;
  // Another user of the key may have paid manually because the payout seemed stuck.
  const otherPayment = await detectDuplicatePayout(core.db, sender.chain, payout);
  if (otherPayment !== "none") {
    core.log.error(
      { payoutId: payout.id, transactionId, otherPayment },
      "a payout's transaction can never pay, but another may have paid it: the operator must decide",
    );
    return payout.status;
  }
  core.log.error(
    { payoutId: payout.id, transactionId, state: effect.state },
    "a payout's transaction paid nothing and can never pay: signing it again",
  );
  await core.db
    .update(payouts)
    .set({ status: "waiting", transactionId: null, txHash: null, settledAt: null })
    .where(whereStillSigned(payout));
  return "waiting";
}

const whereWaiting = ({ id }: Pick<Payout, "id">) =>
  and(eq(payouts.id, id), eq(payouts.status, "waiting"));

/**
 * Matches the payout only while it has the transaction that was checked, not a newly signed one.
 */
const whereStillSigned = ({ id, transactionId }: Payout) =>
  and(
    eq(payouts.id, id),
    inArray(payouts.status, ["signed", "paid"]),
    eq(payouts.transactionId, transactionId ?? ""),
  );

async function voidPayout(core: Core, { id, transferId }: Payout): Promise<"void"> {
  const now = new Date();
  await core.db.transaction(async (tx) => {
    const voided = await tx
      .update(payouts)
      .set({ status: "void", settledAt: now })
      .where(whereWaiting({ id }))
      .returning({ id: payouts.id });
    if (voided.length === 0) return;
    await tx
      .update(usedTransfers)
      .set({ goneAt: now })
      .where(and(eq(usedTransfers.id, transferId), isNull(usedTransfers.goneAt)));
  });
  core.log.warn(
    { payoutId: id, transferId },
    "a reorganisation removed a payment: no payout is owed",
  );
  return "void";
}

async function findPayout({ db }: Pick<Core, "db">, payoutId: string): Promise<Payout> {
  const [payout] = await db.select().from(payouts).where(eq(payouts.id, payoutId));
  if (!payout) throw new Error(`there is no payout ${payoutId}`);
  return payout;
}

/**
 * Signs the transfer of a waiting payout and stores it with the payout, before it is broadcast.
 * Returns false if it was signed concurrently, or if USDC would refuse the transfer now: the stake
 * account is short of USDC or the recipient is blocked. Throws if the node is unreachable.
 */
async function signPayout(
  core: Pick<Core, "db" | "log">,
  sender: Sender,
  payout: Payout,
): Promise<boolean> {
  const { chain } = sender;
  if (!(await canTransfer(chain, payout))) {
    core.log.error(
      { payoutId: payout.id, stakeAccount: chain.stake.address },
      "USDC would refuse this payout: check the stake account's balance and whether the recipient is blocked",
    );
    return false;
  }
  return signOnce(
    core,
    sender,
    { signer: "stake", purpose: "payout", to: chain.usdcAddress, ...encodeTransfer(payout) },
    {
      table: payouts,
      id: payout.id,
      where: eq(payouts.status, "waiting"),
      set: (transactionId) => ({ status: "signed" as const, transactionId }),
    },
  );
}

/** A reorg moves a payment by a few blocks, and only its last known block is stored. */
const MOVED_BLOCKS = 1_000n;

/**
 * Searches the chain for another transaction that may have made this payout: sent after the
 * incoming payment, with the same amount and recipient, from an account that signed or would sign
 * the payout, and not part of another payout. Returns `unknown` if the node's logs lack even the
 * incoming payment: then they prove nothing about later transfers. Throws if the node is
 * unreachable.
 */
async function detectDuplicatePayout(
  db: Sql,
  chain: Chain,
  { id, to, amountMicro, transferId }: Payout,
): Promise<"none" | "found" | "unknown"> {
  const [incoming] = await db.select().from(usedTransfers).where(eq(usedTransfers.id, transferId));
  if (!incoming) throw new Error(`payout ${id} has no incoming payment`);
  const { blockNumber } = incoming;
  const sinceBlock = blockNumber > MOVED_BLOCKS ? blockNumber - MOVED_BLOCKS : 0n;
  const received = await findTransfersBetween(chain, { ...incoming, sinceBlock });
  if (!received.some(({ txHash }) => txHash === incoming.txHash)) return "unknown";

  const signed = await db
    .select({ signer: chainTransactions.signer })
    .from(payouts)
    .innerJoin(chainTransactions, eq(chainTransactions.id, payouts.transactionId))
    .where(eq(payouts.id, id));
  for (const from of new Set([chain.stake.address, ...signed.map(({ signer }) => signer)])) {
    const sent = await findTransfersBetween(chain, { from, to, sinceBlock: blockNumber });
    const same = sent.filter((one) => one.amountMicro === amountMicro).map(({ txHash }) => txHash);
    const others = await findOtherPayoutHashes(db, id, same);
    if (same.some((txHash) => !others.has(txHash))) return "found";
  }
  return "none";
}

/** Returns those of `hashes` that paid, or were signed to pay, another payout. */
async function findOtherPayoutHashes(
  db: Sql,
  payoutId: string,
  hashes: string[],
): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const isOther = ne(payouts.id, payoutId);
  const settled = await db
    .select({ hash: payouts.txHash })
    .from(payouts)
    .where(and(isOther, inArray(payouts.txHash, hashes)));
  const signed = await db
    .select({ hash: chainAttempts.hash })
    .from(chainAttempts)
    .innerJoin(payouts, eq(payouts.transactionId, chainAttempts.transactionId))
    .where(and(isOther, inArray(chainAttempts.hash, hashes)));
  return new Set([...settled, ...signed].flatMap(({ hash }) => hash ?? []));
}

import { eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Database } from "@/server/lib/context";
import { attemptsOf, broadcast } from "./broadcast";
import type { Chain } from "./client";
import { blockAt, canonicalReceipt } from "./confirm";
import { marketFees, replacementFees } from "./fees";
import { addAttempt } from "./sign";
import { type chainAttempts, chainTransactions } from "./tables";

/**
 * Signs a transaction that does not get mined once more, at the same nonce, dearer, and sends
 * that. All attempts stay watched: any of them may be the one that is mined. Answers whether there
 * is a new attempt; there is none when fees are not what it waits for. One that was mined once comes
 * back by its own bytes, under the hash that it is known by, while these can pay: it is replaced only
 * where a reorganisation has thrown it out and the base fee is above what it offers.
 */
export async function replaceTransaction(
  db: Database,
  chain: Chain,
  transactionId: string,
): Promise<boolean> {
  const market = await marketFees(chain);
  const replaced = await db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(chainTransactions)
      .where(eq(chainTransactions.id, transactionId))
      .for("update");
    const attempts = await attemptsOf(tx, transactionId);
    const [dearest] = attempts;
    if (!row || !dearest || row.status === "final") return false;
    if (row.status !== "signed" && !(await isThrownOut(chain, row, attempts))) return false;
    const fees = replacementFees(dearest, market);
    const account = [chain.recorder, chain.stake].find(({ address }) => address === row.signer);
    // A key that was changed since cannot sign any more; its bytes are still sent.
    if (!fees || !account) return false;
    const { nonce, gas } = row;
    const call = { nonce, gas, to: row.to as Address, data: row.data as Hex };
    await addAttempt(tx, chain, account, transactionId, call, fees);
    // From here on the dearest is sent, until it shows which one is mined this time.
    await tx
      .update(chainTransactions)
      .set({ hash: null })
      .where(eq(chainTransactions.id, transactionId));
    return true;
  });
  if (replaced) await broadcast(db, chain, transactionId);
  return replaced;
}

/**
 * Whether another block stands where it was mined, no block has it, and the base fee is too high for
 * it to come back. Not where the node lags or forgets.
 */
async function isThrownOut(
  chain: Chain,
  { blockNumber, blockHash }: typeof chainTransactions.$inferSelect,
  attempts: (typeof chainAttempts.$inferSelect)[],
): Promise<boolean> {
  const { baseFeePerGas } = await chain.client.getBlock({ blockTag: "latest" });
  if (attempts.some(({ maxFeePerGas }) => maxFeePerGas >= (baseFeePerGas ?? 0n))) return false;
  const block = blockNumber === null ? null : await blockAt(chain, blockNumber);
  if (!block || block.hash === blockHash) return false;
  const receipts = await Promise.all(
    attempts.map(({ hash }) => canonicalReceipt(chain, hash as Hex)),
  );
  return receipts.every((receipt) => receipt === null);
}

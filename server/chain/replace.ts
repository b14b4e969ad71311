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
 * Signs a stuck transaction again, at the same nonce with higher fees, and broadcasts it. All
 * attempts stay watched, since any of them may be mined. Returns whether a new attempt was made;
 * there is none if the fees are not the cause. A transaction that was mined before is normally
 * sent again as the same bytes, under its known hash: it is replaced only if a reorg dropped it
 * and the base fee exceeds the fees of all attempts.
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
    // A key that was replaced cannot sign any more; its bytes are still sent.
    if (!fees || !account) return false;
    const { nonce, gas } = row;
    const call = { nonce, gas, to: row.to as Address, data: row.data as Hex };
    await addAttempt(tx, chain, account, transactionId, call, fees);
    // From here on the attempt with the highest fee is sent, until one is mined.
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
 * Checks if another block replaced its block, no block contains it, and the base fee is too high
 * for it to be mined again. Returns false if the node lags or has pruned the block.
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

import { eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Database } from "@/server/lib/context";
import { attemptsOf, broadcast } from "./broadcast";
import type { Chain } from "./client";
import { marketFees, replacementFees } from "./fees";
import { addAttempt } from "./sign";
import { chainTransactions } from "./tables";

/**
 * Signs a transaction that does not get mined once more, at the same nonce, dearer, and sends
 * that. All attempts stay watched: any of them may be the one that is mined. Answers whether there
 * is a new attempt; there is none when fees are not what it waits for.
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
    const [dearest] = await attemptsOf(tx, transactionId);
    if (!row || !dearest || row.status !== "signed") return false;
    const fees = replacementFees(dearest, market);
    const account = [chain.recorder, chain.stake].find(({ address }) => address === row.signer);
    // A key that was changed since cannot sign any more; its bytes are still sent.
    if (!fees || !account) return false;
    const { nonce, gas } = row;
    const call = { nonce, gas, to: row.to as Address, data: row.data as Hex };
    await addAttempt(tx, chain, account, transactionId, call, fees);
    return true;
  });
  if (replaced) await broadcast(db, chain, transactionId);
  return replaced;
}

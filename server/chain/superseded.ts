import { eq } from "drizzle-orm";
import { type Address, type Hex, isAddressEqual } from "viem";
import type { Sql } from "@/server/lib/context";
import { attemptsOf } from "./broadcast";
import type { Chain } from "./client";
import { finalizedHeight } from "./finality";
import { chainTransactions } from "./tables";

/**
 * Checks if another transaction, signed with the same key elsewhere, took this one's nonce for
 * good, so that it can never be mined. Only that transaction itself, in a finalized block, proves
 * it. A used nonce without a receipt does not: nodes prune receipts, and of several nodes behind
 * one URL some lag. Returns false if the node has pruned the states to search.
 */
export async function isSuperseded(db: Sql, chain: Chain, transactionId: string): Promise<boolean> {
  const [row] = await db
    .select({ signer: chainTransactions.signer, nonce: chainTransactions.nonce })
    .from(chainTransactions)
    .where(eq(chainTransactions.id, transactionId));
  const taker = row ? await finalWithNonce(chain, row.signer as Address, row.nonce) : null;
  if (taker === null) return false;
  const attempts = await attemptsOf(db, transactionId);
  return attempts.every(({ hash }) => hash !== taker);
}

/**
 * Returns the finalized transaction that used `nonce`, or null if there is none or it cannot be
 * found.
 */
async function finalWithNonce(chain: Chain, signer: Address, nonce: number): Promise<Hex | null> {
  const { client } = chain;
  const isUsedAt = (blockNumber: bigint) =>
    client.getTransactionCount({ address: signer, blockNumber }).then(
      (count) => count > nonce,
      // The node has pruned this state. If the nonce was used by then, nothing is found.
      () => false,
    );
  const finalized = await finalizedHeight(chain);
  if (finalized === null || !(await isUsedAt(finalized))) return null;
  let [before, after] = [-1n, finalized];
  while (after - before > 1n) {
    const middle = (before + after) / 2n;
    if (await isUsedAt(middle)) after = middle;
    else before = middle;
  }
  const { transactions } = await client.getBlock({ blockNumber: after, includeTransactions: true });
  const taker = transactions.find((one) => one.nonce === nonce && isAddressEqual(one.from, signer));
  return taker?.hash ?? null;
}

import { eq } from "drizzle-orm";
import type { Address } from "viem";
import type { Sql } from "@/server/lib/context";
import { attemptsOf } from "./broadcast";
import type { Chain } from "./client";
import { canonicalReceipt } from "./confirm";
import { chainTransactions } from "./tables";

/**
 * Whether a transaction of somebody else's with the same key took this one's nonce for good: it can
 * then never be mined. Asked of finalized blocks only, as what a reorganisation could still bring
 * back, or another node has not seen yet, must not be signed a second time.
 */
export async function isSuperseded(db: Sql, chain: Chain, transactionId: string): Promise<boolean> {
  const [row] = await db
    .select({ signer: chainTransactions.signer, nonce: chainTransactions.nonce })
    .from(chainTransactions)
    .where(eq(chainTransactions.id, transactionId));
  if (!row) return false;
  const address = row.signer as Address;
  // Not every node knows the tag; then it is never sure.
  const used = await chain.client
    .getTransactionCount({ address, blockTag: "finalized" })
    .catch(() => 0);
  if (used <= row.nonce) return false;
  const attempts = await attemptsOf(db, transactionId);
  const receipts = await Promise.all(
    attempts.map(({ hash }) => canonicalReceipt(chain, hash as Address)),
  );
  return receipts.every((receipt) => receipt === null);
}

import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import type { Core, Sql } from "@/server/lib/context";
import { canonicalReceipt } from "./confirm";
import { askChain } from "./require-payment";
import { chainAttempts, chainTransactions } from "./tables";

/**
 * Returns the block in which a transaction of the service was last seen, or null if it was not
 * mined.
 */
export async function minedBlock(db: Sql, txHash: string): Promise<bigint | null> {
  const [mined] = await db
    .select({ blockNumber: chainTransactions.blockNumber })
    .from(chainAttempts)
    .innerJoin(chainTransactions, eq(chainTransactions.id, chainAttempts.transactionId))
    .where(eq(chainAttempts.hash, txHash));
  return mined?.blockNumber ?? null;
}

/**
 * Returns the block of the transaction that holds a record, or null if the chain lacks it. Asks
 * the node for records that were imported from the chain, since the database has no transaction
 * for them. Throws `unavailable` if the node is unreachable.
 */
export async function blockOfRecord(
  core: Pick<Core, "db" | "chain" | "log">,
  txHash: string,
): Promise<bigint | null> {
  const seen = await minedBlock(core.db, txHash);
  if (seen !== null) return seen;
  const receipt = await askChain(core, () => canonicalReceipt(core.chain, txHash as Hex));
  return receipt?.blockNumber ?? null;
}

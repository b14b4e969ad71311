import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import type { Core, Sql } from "@/server/lib/context";
import { canonicalReceipt } from "./confirm";
import { askChain } from "./require-payment";
import { chainAttempts, chainTransactions } from "./tables";

/** The block in which a transaction of the service was last seen; null where it was not mined. */
export async function minedBlock(db: Sql, txHash: string): Promise<bigint | null> {
  const [mined] = await db
    .select({ blockNumber: chainTransactions.blockNumber })
    .from(chainAttempts)
    .innerJoin(chainTransactions, eq(chainTransactions.id, chainAttempts.transactionId))
    .where(eq(chainAttempts.hash, txHash));
  return mined?.blockNumber ?? null;
}

/**
 * Returns the block of the transaction that holds a record, null if the chain lacks it. Only the
 * chain knows it for a record that was taken in from there. Throws `unavailable` if the node is
 * silent.
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

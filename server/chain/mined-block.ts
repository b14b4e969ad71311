import { eq } from "drizzle-orm";
import type { Sql } from "@/server/lib/context";
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

import { and, asc, eq, lte } from "drizzle-orm";
import { type Hex, numberToHex } from "viem";
import type { Database } from "@/server/lib/context";
import type { Chain } from "./client";
import { canonicalReceipt } from "./confirm";
import { chainTransactions } from "./tables";

const AT_ONCE = 50;

/**
 * Marks confirmed transactions in finalized blocks as `final` or `reverted`. Fetches each receipt
 * again, since a reorg may have moved the transaction. Handles up to `AT_ONCE` per call, oldest
 * first. Returns the number marked.
 */
export async function markFinal(db: Database, chain: Chain): Promise<number> {
  const finalized = await finalizedHeight(chain);
  if (finalized === null) return 0;
  const rows = await db
    .select({ id: chainTransactions.id, hash: chainTransactions.hash })
    .from(chainTransactions)
    .where(
      and(
        eq(chainTransactions.status, "confirmed"),
        eq(chainTransactions.chainId, chain.id),
        lte(chainTransactions.blockNumber, finalized),
      ),
    )
    .orderBy(asc(chainTransactions.blockNumber))
    .limit(AT_ONCE);
  const marked = await Promise.all(
    rows.map(async ({ id, hash }) => {
      const receipt = hash ? await canonicalReceipt(chain, hash as Hex) : null;
      if (!receipt || receipt.blockNumber > finalized) return false;
      const { blockNumber, blockHash } = receipt;
      const status = receipt.status === "success" ? ("final" as const) : ("reverted" as const);
      await db
        .update(chainTransactions)
        .set({ status, blockNumber, blockHash })
        .where(eq(chainTransactions.id, id));
      return true;
    }),
  );
  return marked.filter(Boolean).length;
}

/**
 * Returns the height of the latest finalized block, or null if the node does not report it; then
 * nothing counts as final.
 */
export async function finalizedHeight({ client }: Pick<Chain, "client">): Promise<bigint | null> {
  const block = await client.getBlock({ blockTag: "finalized" }).catch(() => null);
  return block?.number ?? null;
}

/**
 * Mines blocks on a local chain until the current block is finalized: it only mines when a
 * transaction is pending, so nothing would become final otherwise. Does nothing on any other
 * chain.
 */
export async function hastenFinality(chain: Pick<Chain, "client" | "rpcUrl">): Promise<void> {
  if (chain.rpcUrl === null) return;
  const finalized = await finalizedHeight(chain);
  const latest = await chain.client.getBlockNumber({ cacheTime: 0 });
  const blocks = latest - (finalized ?? latest);
  if (blocks === 0n) return;
  await chain.client.request({
    method: "anvil_mine" as never,
    params: [numberToHex(blocks)] as never,
  });
}

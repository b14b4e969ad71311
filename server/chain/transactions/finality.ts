import { and, asc, eq, lte, sql } from "drizzle-orm";
import { type Address, type Hex, isAddressEqual, numberToHex } from "viem";
import type { Chain } from "@/server/chain/client";
import { findFirstBlock } from "@/server/chain/find-first-block";
import { chainTransactions } from "@/server/chain/tables";
import type { Database, Sql } from "@/server/lib/context";
import { findAttempts } from "./broadcast";
import { confirmTransaction, getCanonicalReceipt } from "./confirm";

const BATCH_SIZE = 50;
/** More per minute than one key sends. */
const MAX_BATCHES = 40;

/**
 * Marks confirmed transactions in finalized blocks as `final` or `reverted`, oldest first. Returns
 * the number marked.
 */
export async function markFinal(db: Database, chain: Chain): Promise<number> {
  const finalized = await getFinalizedHeight(chain);
  if (finalized === null) return 0;
  let marked = 0;
  for (let batch = 1; batch <= MAX_BATCHES; batch++) {
    const inBatch = await markBatch(db, chain, finalized);
    marked += inBatch;
    // The others of this batch would be found again.
    if (inBatch < BATCH_SIZE) break;
  }
  return marked;
}

/**
 * Marks signed transactions as `dropped` whose nonce another transaction of the same key has in a
 * finalized block, and as confirmed those that were mined themselves. Throws if the node is
 * unreachable.
 */
export async function markDropped(db: Database, chain: Chain): Promise<void> {
  const blockNumber = await getFinalizedHeight(chain);
  if (blockNumber === null) return;
  const { chainId, id, nonce, signer, status } = chainTransactions;
  const isSigned = and(eq(status, "signed"), eq(chainId, chain.id));
  const open = await db.select({ id, nonce, signer }).from(chainTransactions).where(isSigned);
  for (const address of new Set(open.map((one) => one.signer as Address))) {
    const used = await chain.client.getTransactionCount({ address, blockNumber });
    for (const one of open) {
      if (one.signer !== address || one.nonce >= used) continue;
      const { state } = await confirmTransaction(db, chain, one.id);
      if (state !== "pending" || !(await isNonceTaken(db, chain, one.id))) continue;
      await db
        .update(chainTransactions)
        .set({ status: "dropped" })
        .where(and(eq(id, one.id), isSigned));
    }
  }
}

/** Fetches each receipt again, since a reorg may have moved the transaction. */
async function markBatch(db: Database, chain: Chain, finalized: bigint): Promise<number> {
  const { status, chainId } = chainTransactions;
  const isConfirmed = and(eq(status, "confirmed"), eq(chainId, chain.id));
  const rows = await db
    .select({ id: chainTransactions.id, hash: chainTransactions.hash })
    .from(chainTransactions)
    .where(and(isConfirmed, lte(chainTransactions.blockNumber, finalized)))
    .orderBy(asc(chainTransactions.blockNumber))
    .limit(BATCH_SIZE);
  const checked = await Promise.all(
    rows.map(async ({ id, hash }) => {
      const receipt = hash ? await getCanonicalReceipt(chain, hash as Hex) : null;
      if (!receipt || receipt.blockNumber > finalized) return [];
      const { blockNumber, blockHash } = receipt;
      const status = receipt.status === "success" ? "final" : "reverted";
      return [{ id, status, block_number: String(blockNumber), block_hash: blockHash }];
    }),
  );
  const marks = checked.flat();
  if (marks.length === 0) return 0;
  await db
    .update(chainTransactions)
    .set({
      status: sql`mark.status`,
      blockNumber: sql`mark.block_number`,
      blockHash: sql`mark.block_hash`,
    })
    .from(
      sql`jsonb_to_recordset(${JSON.stringify(marks)}::text::jsonb) as mark (
        id uuid, status text, block_number numeric, block_hash text
      )`,
    )
    .where(eq(chainTransactions.id, sql`mark.id`));
  return marks.length;
}

/**
 * Returns the height of the latest finalized block, or null if the node does not report it; then
 * nothing counts as final.
 */
export async function getFinalizedHeight(chain: Pick<Chain, "client">): Promise<bigint | null> {
  const block = await chain.client.getBlock({ blockTag: "finalized" }).catch(() => null);
  return block?.number ?? null;
}

/**
 * Mines blocks on a local chain until the current block is finalized: it only mines when a
 * transaction is pending, so nothing would become final otherwise. Does nothing on any other
 * chain.
 */
export async function mineLocalBlocks(chain: Pick<Chain, "client" | "rpcUrl">): Promise<void> {
  if (chain.rpcUrl !== null) await mineUntilFinal(chain);
}

/** Mines blocks until the current one is finalized. Throws unless the node is an anvil. */
export async function mineUntilFinal(chain: Pick<Chain, "client">): Promise<void> {
  const finalized = await getFinalizedHeight(chain);
  const latest = await chain.client.getBlockNumber({ cacheTime: 0 });
  const blocks = latest - (finalized ?? latest);
  if (blocks === 0n) return;
  await chain.client.request({
    method: "anvil_mine" as never,
    params: [numberToHex(blocks)] as never,
  });
}

/**
 * Checks if another transaction, signed with the same key elsewhere, took this one's nonce for
 * good, so that it can never be mined. Only that transaction itself, in a finalized block, proves
 * it. A used nonce without a receipt does not: nodes prune receipts, and of several nodes behind
 * one URL some lag. Returns false if the node has pruned the states to search.
 */
export async function isNonceTaken(db: Sql, chain: Chain, transactionId: string): Promise<boolean> {
  const [row] = await db
    .select({ signer: chainTransactions.signer, nonce: chainTransactions.nonce })
    .from(chainTransactions)
    .where(eq(chainTransactions.id, transactionId));
  const hashOfNonce = row
    ? await findFinalizedByNonce(chain, row.signer as Address, row.nonce)
    : null;
  if (hashOfNonce === null) return false;
  const attempts = await findAttempts(db, transactionId);
  return attempts.every(({ hash }) => hash !== hashOfNonce);
}

/**
 * Returns the finalized transaction that used `nonce`, or null if there is none or it cannot be
 * found.
 */
async function findFinalizedByNonce(
  chain: Chain,
  signer: Address,
  nonce: number,
): Promise<Hex | null> {
  const { client } = chain;
  const isUsedAt = (blockNumber: bigint) =>
    client.getTransactionCount({ address: signer, blockNumber }).then(
      (count) => count > nonce,
      // The node has pruned this state. If the nonce was used by then, nothing is found.
      () => false,
    );
  const finalized = await getFinalizedHeight(chain);
  if (finalized === null || !(await isUsedAt(finalized))) return null;
  const blockNumber = await findFirstBlock(isUsedAt, finalized);
  const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
  const found = transactions.find((one) => one.nonce === nonce && isAddressEqual(one.from, signer));
  return found?.hash ?? null;
}

import { setTimeout } from "node:timers/promises";
import { and, eq, ne, sql } from "drizzle-orm";
import {
  BlockNotFoundError,
  type Hex,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import type { Chain } from "@/server/chain/client";
import { chainTransactions } from "@/server/chain/tables";
import type { ChainInfo, Sql } from "@/server/lib/context";
import { findAttempts } from "./broadcast";

export type Confirmation =
  | { state: "pending" }
  | {
      state: "confirmed" | "reverted";
      receipt: TransactionReceipt;
      blockNumber: bigint;
      blockHash: Hex;
    };

const PENDING: Confirmation = { state: "pending" };

/**
 * Checks if one of the transaction's attempts is in the canonical chain, at least
 * `chain.confirmations` deep, and stores a positive result in the transaction's row. Queries the
 * node on each call, since a reorg may have changed the result.
 */
export async function confirmTransaction(
  db: Sql,
  chain: Chain,
  transactionId: string,
): Promise<Confirmation> {
  return confirmAttempts(db, chain, transactionId, await findAttempts(db, transactionId));
}

async function confirmAttempts(
  db: Sql,
  chain: Chain,
  transactionId: string,
  attempts: { hash: string }[],
  knownHeight?: bigint,
): Promise<Confirmation> {
  const receipt = await findReceipt(chain, attempts, knownHeight);
  if (!receipt) return PENDING;
  const height = knownHeight ?? (await chain.client.getBlockNumber({ cacheTime: 0 }));
  if (height - receipt.blockNumber + 1n < BigInt(chain.confirmations)) return PENDING;

  const state = receipt.status === "success" ? "confirmed" : "reverted";
  const { transactionHash: hash, blockNumber, blockHash } = receipt;
  await db
    .update(chainTransactions)
    .set({ status: state, hash, blockNumber, blockHash, confirmedAt: sql`now()` })
    .where(and(eq(chainTransactions.id, transactionId), ne(chainTransactions.status, "final")))
    .prepare("confirm_transaction")
    .execute();
  return { state, receipt, blockNumber, blockHash };
}

/**
 * Returns the canonical receipt of whichever attempt was mined. Throws if the node is unreachable.
 * `likelyHeight`: see `getCanonicalReceipt`.
 */
export async function findReceipt(
  chain: Pick<ChainInfo, "client">,
  attempts: { hash: string }[],
  likelyHeight?: bigint,
): Promise<TransactionReceipt | undefined> {
  const receipts = await Promise.all(
    attempts.map(({ hash }) => getCanonicalReceipt(chain, hash as Hex, likelyHeight)),
  );
  return receipts.find((receipt) => receipt !== null);
}

/** How often a wait looks for new attempts, and for a receipt that a node has later than its block. */
const RECHECK_MS = 1_000;

/**
 * Waits until a transaction is no longer pending, for at most `timeoutMs`. Looks for its receipt
 * when there is a new block; concurrent waits share the requests for that.
 */
export async function waitForConfirmation(
  db: Sql,
  chain: Chain,
  transactionId: string,
  { timeoutMs }: { timeoutMs: number },
): Promise<Confirmation> {
  const { client } = chain;
  const { pollingInterval } = client;
  const end = Date.now() + timeoutMs;
  for (;;) {
    const recheckAt = Date.now() + RECHECK_MS;
    // Another attempt may have been sent since.
    const attempts = await findAttempts(db, transactionId);
    for (let checked: bigint | null = null; ; await setTimeout(pollingInterval)) {
      const height = await client.getBlockNumber({ cacheTime: pollingInterval / 2 });
      if (height !== checked) {
        // The chain may be higher by now, so the transaction is at least as deep as this says.
        const confirmation = await confirmAttempts(db, chain, transactionId, attempts, height);
        if (confirmation.state !== "pending" || Date.now() >= end) return confirmation;
      }
      checked = height;
      if (Date.now() >= Math.min(end, recheckAt)) break;
    }
  }
}

/**
 * Returns the receipt of `hash` if its block is the canonical one at that height; after a reorg
 * some nodes still return stale receipts. Throws if the node is unreachable, which differs from
 * null. The block at `likelyHeight` is requested together with the receipt.
 */
export async function getCanonicalReceipt(
  chain: Pick<ChainInfo, "client">,
  hash: Hex,
  likelyHeight?: bigint,
): Promise<TransactionReceipt | null> {
  const [receipt, likelyBlock] = await Promise.all([
    chain.client
      .getTransactionReceipt({ hash })
      .catch(returnNullFor(TransactionReceiptNotFoundError)),
    likelyHeight === undefined ? null : findBlock(chain, likelyHeight),
  ]);
  if (!receipt) return null;
  const block =
    receipt.blockNumber === likelyHeight
      ? likelyBlock
      : await findBlock(chain, receipt.blockNumber);
  return block?.hash === receipt.blockHash ? receipt : null;
}

/**
 * Returns the block at a height, or null if the node has not reached it. Throws if the node is
 * unreachable.
 */
export function findBlock({ client }: Pick<ChainInfo, "client">, blockNumber: bigint) {
  return client.getBlock({ blockNumber }).catch(returnNullFor(BlockNotFoundError));
}

/** Returns an error handler that returns null for errors of one class and rethrows others. */
export function returnNullFor(kind: new (...args: never[]) => Error) {
  return (error: unknown) => {
    if (error instanceof kind) return null;
    throw error;
  };
}

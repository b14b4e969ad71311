import { setTimeout as pause } from "node:timers/promises";
import { and, eq, ne, sql } from "drizzle-orm";
import {
  BlockNotFoundError,
  type Hex,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import type { ChainInfo, Sql } from "@/server/lib/context";
import { attemptsOf } from "./broadcast";
import type { Chain } from "./client";
import { chainTransactions } from "./tables";

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
 * Whether one of the transaction's attempts stands in the canonical chain, `chain.confirmations`
 * deep. Everything is asked anew on each call, since a reorganisation may have changed it. What is
 * found is kept in the transaction's row.
 */
export async function confirmTransaction(
  db: Sql,
  chain: Chain,
  transactionId: string,
): Promise<Confirmation> {
  const attempts = await attemptsOf(db, transactionId);
  const receipts = await Promise.all(
    attempts.map(({ hash }) => canonicalReceipt(chain, hash as Hex)),
  );
  const receipt = receipts.find((found) => found !== null);
  if (!receipt) return PENDING;
  const depth = (await chain.client.getBlockNumber({ cacheTime: 0 })) - receipt.blockNumber + 1n;
  if (depth < BigInt(chain.confirmations)) return PENDING;

  const state = receipt.status === "success" ? "confirmed" : "reverted";
  const { transactionHash: hash, blockNumber, blockHash } = receipt;
  await db
    .update(chainTransactions)
    .set({ status: state, hash, blockNumber, blockHash, confirmedAt: sql`now()` })
    .where(and(eq(chainTransactions.id, transactionId), ne(chainTransactions.status, "final")));
  return { state, receipt, blockNumber, blockHash };
}

/** As `confirmTransaction`, asked again and again until it is not pending or the time is over. */
export async function waitForConfirmation(
  db: Sql,
  chain: Chain,
  transactionId: string,
  { timeoutMs }: { timeoutMs: number },
): Promise<Confirmation> {
  for (const end = Date.now() + timeoutMs; ; await pause(chain.client.pollingInterval)) {
    const confirmation = await confirmTransaction(db, chain, transactionId);
    if (confirmation.state !== "pending" || Date.now() >= end) return confirmation;
  }
}

/**
 * The receipt of `hash`, if the block it names is the one at that height; nodes do answer others
 * after a reorganisation. Throws where the node is silent: that is not the same as null.
 */
export async function canonicalReceipt(
  chain: Pick<ChainInfo, "client">,
  hash: Hex,
): Promise<TransactionReceipt | null> {
  const receipt = await chain.client
    .getTransactionReceipt({ hash })
    .catch(nullIf(TransactionReceiptNotFoundError));
  if (!receipt) return null;
  const block = await blockAt(chain, receipt.blockNumber);
  return block?.hash === receipt.blockHash ? receipt : null;
}

/** The block at that height; null where the node has not come so far. Throws where it is silent. */
export function blockAt({ client }: Pick<ChainInfo, "client">, blockNumber: bigint) {
  return client.getBlock({ blockNumber }).catch(nullIf(BlockNotFoundError));
}

function nullIf(kind: new (...args: never[]) => Error) {
  return (error: unknown) => {
    if (error instanceof kind) return null;
    throw error;
  };
}

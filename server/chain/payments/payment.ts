import { and, eq, inArray } from "drizzle-orm";
import { type Hex, TransactionNotFoundError, type TransactionReceipt } from "viem";
import { usedTransfers } from "@/server/chain/tables";
import { findBlock, getCanonicalReceipt, returnNullFor } from "@/server/chain/transactions/confirm";
import { getFinalizedHeight } from "@/server/chain/transactions/finality";
import type { ChainInfo, Sql, Transaction } from "@/server/lib/context";
import { formatMicro } from "@/server/lib/usdc";
import { extractTransfers, type UsdcTransfer } from "./transfers";

/** Terms of a USDC payment (`chain.md`). Who signed or relayed the transaction does not matter. */
export interface PaymentTerms {
  txHash: string;
  /** EIP-55 form. */
  from: string;
  to: string;
  minMicro: bigint;
  /** The payment must be in a block after this one. */
  afterBlock?: bigint;
  /** Nonce of the payer's EIP-3009 authorization that must have made the payment. */
  authorizationNonce?: Hex;
}

/**
 * Why a payment does not count. `unknown` and `shallow` may still become valid, so retry. The
 * others are permanent: reverted, no USDC transfer between the two accounts, none by the required
 * authorization, an amount out of bounds, or not after the required block.
 */
export type PaymentRefusal =
  | { state: "unknown" | "shallow"; retryAfterSeconds: number }
  | {
      state:
        | "reverted"
        | "no-transfer"
        | "not-authorized"
        | "too-little"
        | "too-much"
        | "too-early";
      detail: string;
    };

export type PaymentCheck =
  | { state: "found"; transfers: [UsdcTransfer, ...UsdcTransfer[]] }
  | PaymentRefusal;

export type UsedTransfer = typeof usedTransfers.$inferSelect;

/** Largest amount that a ledger record can hold exactly: about nine billion USDC. */
const MAX_MICRO = BigInt(Number.MAX_SAFE_INTEGER);
/** So that retries stay below the limit of ten submissions a minute, which counts them. */
const UNKNOWN_RETRY_SECONDS = 10;

/**
 * Verifies a payment on the chain, in the order of `chain.md`. Returns all matching transfers of
 * the transaction, in order; `claimTransfer` picks the one that counts. Throws if the node is
 * unreachable or on another chain.
 */
export async function checkPayment(chain: ChainInfo, terms: PaymentTerms): Promise<PaymentCheck> {
  const nodeChainId = await chain.client.getChainId();
  if (nodeChainId !== chain.id) throw new Error(`the node is on chain ${nodeChainId}`);
  const receipt = await getCanonicalReceipt(chain, terms.txHash as Hex);
  if (!receipt) return { state: "unknown", retryAfterSeconds: UNKNOWN_RETRY_SECONDS };
  if (receipt.status !== "success") {
    return { state: "reverted", detail: "The transaction was reverted and moved nothing." };
  }
  const missing = chain.confirmations - (await getDepth(chain, receipt.blockNumber));
  if (missing > 0) {
    const seconds = Math.ceil((missing * chain.client.pollingInterval) / 1000);
    return { state: "shallow", retryAfterSeconds: Math.max(1, seconds) };
  }
  return checkTerms(chain, receipt, terms);
}

function checkTerms(
  chain: ChainInfo,
  receipt: TransactionReceipt,
  terms: PaymentTerms,
): PaymentCheck {
  const { blockNumber } = receipt;
  const between = extractTransfers(chain, receipt).filter(
    ({ from, to }) => from === terms.from && to === terms.to,
  );
  if (between.length === 0) {
    const detail = `The transaction moves no USDC from ${terms.from} to ${terms.to}.`;
    return { state: "no-transfer", detail };
  }
  const { authorizationNonce: nonce } = terms;
  const authorized = nonce
    ? between.filter(({ authorizationNonce }) => authorizationNonce === nonce)
    : between;
  if (authorized.length === 0) {
    const detail = `It is not made by ${terms.from}'s EIP-3009 authorization with the nonce ${nonce}.`;
    return { state: "not-authorized", detail };
  }
  const min = terms.minMicro > 0n ? terms.minMicro : 1n;
  const enough = authorized.filter(({ amountMicro }) => amountMicro >= min);
  if (enough.length === 0) {
    return {
      state: "too-little",
      detail: `It must move at least ${formatMicro(min)} USDC at once.`,
    };
  }
  const [first, ...more] = enough.filter(({ amountMicro }) => amountMicro <= MAX_MICRO);
  if (!first) {
    const detail = `It must move at most ${formatMicro(MAX_MICRO)} USDC at once.`;
    return { state: "too-much", detail };
  }
  if (terms.afterBlock !== undefined && blockNumber <= terms.afterBlock) {
    const detail = `It is in block ${blockNumber}, and must be in one after ${terms.afterBlock}.`;
    return { state: "too-early", detail };
  }
  return { state: "found", transfers: [first, ...more] };
}

/**
 * Marks the first unused one of `transfers` as used for `purpose`, in `tx`. Returns null if all
 * are used. Concurrent callers get different transfers; a second caller waits until the first
 * one's `tx` ends.
 */
export async function claimTransfer(
  tx: Transaction,
  chain: Pick<ChainInfo, "id">,
  transfers: readonly UsdcTransfer[],
  purpose: UsedTransfer["purpose"],
): Promise<UsedTransfer | null> {
  for (const transfer of transfers) {
    const [claimed] = await tx
      .insert(usedTransfers)
      .values({ ...transfer, chainId: chain.id, purpose })
      .onConflictDoNothing()
      .returning();
    if (claimed) return claimed;
  }
  return null;
}

/** Returns those of `transfers` that are unused. */
export async function findUnusedTransfers(
  db: Sql,
  chain: Pick<ChainInfo, "id">,
  transfers: readonly UsdcTransfer[],
): Promise<UsdcTransfer[]> {
  const hashes = transfers.map(({ txHash }) => txHash);
  const used = await db
    .select({ txHash: usedTransfers.txHash, logIndex: usedTransfers.logIndex })
    .from(usedTransfers)
    .where(and(eq(usedTransfers.chainId, chain.id), inArray(usedTransfers.txHash, hashes)));
  return transfers.filter(
    ({ txHash, logIndex }) =>
      !used.some((one) => one.txHash === txHash && one.logIndex === logIndex),
  );
}

/**
 * Returns the current state of a used transfer:
 * - `final`: in a finalized block.
 * - `confirmed`: at the depth at which payments count.
 * - `shallow`: not deep enough, or the node has not reached its block. Retry.
 * - `reorged`: another block is at its height, or it failed in its new block, and neither is final.
 *   Retry.
 * - `dropped`: another block is at its height, and the chain has finalized past it.
 *
 * Never returns `final` or `dropped` if the node does not report finality. Throws if the node is
 * unreachable.
 */
export async function getTransferStatus(
  chain: ChainInfo,
  transfer: Omit<UsdcTransfer, "txHash" | "blockHash"> & { txHash: string; blockHash: string },
): Promise<"final" | "confirmed" | "shallow" | "reorged" | "dropped"> {
  const receipt = await getCanonicalReceipt(chain, transfer.txHash as Hex);
  const finalized = await getFinalizedHeight(chain);
  const isFinal = (blockNumber: bigint) => finalized !== null && blockNumber <= finalized;
  const getStatusAt = async (blockNumber: bigint) => {
    if (isFinal(blockNumber)) return "final";
    return (await getDepth(chain, blockNumber)) >= chain.confirmations ? "confirmed" : "shallow";
  };
  if (receipt) {
    const isIncluded = extractTransfers(chain, receipt).some((one) =>
      isSameTransfer(one, transfer),
    );
    if (isIncluded) return getStatusAt(receipt.blockNumber);
    return isFinal(receipt.blockNumber) ? "dropped" : "reorged";
  }
  const block = await findBlock(chain, transfer.blockNumber);
  if (!block) return "shallow";
  // A block's hash commits to its contents: the node has only pruned the receipt.
  if (block.hash === transfer.blockHash) return getStatusAt(transfer.blockNumber);
  if (!isFinal(transfer.blockNumber)) return "reorged";
  return (await isTransactionKnown(chain, transfer.txHash)) ? "reorged" : "dropped";
}

type TransferFacts = Pick<UsdcTransfer, "logIndex" | "from" | "to" | "amountMicro">;

const isSameTransfer = (a: TransferFacts, b: TransferFacts) =>
  a.logIndex === b.logIndex &&
  a.from === b.from &&
  a.to === b.to &&
  a.amountMicro === b.amountMicro;

async function getDepth({ client }: ChainInfo, blockNumber: bigint): Promise<number> {
  return Number((await client.getBlockNumber({ cacheTime: 0 })) - blockNumber) + 1;
}

/**
 * Checks if the node knows the transaction: a pending one that a reorg dropped may be mined again.
 */
async function isTransactionKnown({ client }: ChainInfo, txHash: string): Promise<boolean> {
  const transaction = await client
    .getTransaction({ hash: txHash as Hex })
    .catch(returnNullFor(TransactionNotFoundError));
  return transaction !== null;
}

import { eq } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Hex } from "viem";
import { chainAttempts, chainTransactions } from "@/server/chain/tables";
import { getCanonicalReceipt } from "@/server/chain/transactions/confirm";
import type { ChainInfo, Core, Sql, Transaction } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { MINUTE_MS } from "@/server/lib/time";
import {
  checkPayment,
  claimTransfer,
  type PaymentCheck,
  type PaymentTerms,
  type UsedTransfer,
} from "./payment";
import type { UsdcTransfer } from "./transfers";

/** Seconds after which retrying an unreachable chain makes sense. */
const UNREACHABLE_RETRY_SECONDS = 10;

/** Calls `checkPayment`. Throws `unavailable` if the node is unreachable. */
export const lookUpPayment = (
  core: Pick<Core, "chain" | "log">,
  terms: PaymentTerms,
): Promise<PaymentCheck> => queryChain(core, () => checkPayment(core.chain, terms));

/**
 * Returns the result of `query`. Throws `unavailable` if it fails, since the payment cannot be
 * verified.
 */
export async function queryChain<T>(
  { chain, log }: Pick<Core, "chain" | "log">,
  query: () => Promise<T>,
): Promise<T> {
  try {
    return await query();
  } catch (error) {
    log.warn({ err: error }, "looking up a payment failed");
    throw new AppError(
      "unavailable",
      `The node of ${chain.name} does not respond, so the payment cannot be verified. Try again in ${UNREACHABLE_RETRY_SECONDS} s.`,
      {
        headers: { "Retry-After": String(UNREACHABLE_RETRY_SECONDS) },
      },
    );
  }
}

/**
 * Returns the transfers that meet the terms; `claimTransfer` picks the one that counts.
 *
 * Throws `payment-invalid` with the reason, `payment-not-ready` if the payment is not visible or
 * not deep enough yet, `payment-not-found` if it has been unknown for two minutes, and `unavailable`.
 */
export async function requirePayment(
  core: Pick<Core, "chain" | "log">,
  terms: PaymentTerms,
): Promise<[UsdcTransfer, ...UsdcTransfer[]]> {
  const found = await lookUpPayment(core, terms);
  switch (found.state) {
    case "found":
      return found.transfers;
    case "unknown":
    case "shallow":
      if (found.state === "unknown" && isUnknownForLong(terms.txHash)) {
        throw new AppError(
          "payment-not-found",
          `${describeUnknown(core.chain)} The first request that named it was more than two minutes ago.`,
        );
      }
      throw new AppError("payment-not-ready", describeNotReady(core.chain, found), {
        headers: { "Retry-After": String(found.retryAfterSeconds) },
      });
    default:
      throw new AppError(
        "payment-invalid",
        `${found.detail} Only USDC on ${core.chain.name} counts.`,
      );
  }
}

/** A transaction is mined within seconds: one that is unknown for longer may not exist. */
const UNKNOWN_MS = 2 * MINUTE_MS;

/** When each transaction was first unknown to this process, in milliseconds. */
const firstUnknown = new LRUCache<string, number>({ max: 10_000 });

function isUnknownForLong(txHash: string): boolean {
  const key = txHash.toLowerCase();
  const since = firstUnknown.get(key) ?? Date.now();
  firstUnknown.set(key, since);
  return Date.now() - since > UNKNOWN_MS;
}

/** Names the chain: a payment on another one is the usual reason that a transaction is unknown. */
function describeUnknown({ id, name }: ChainInfo): string {
  return `${name} (chain id ${id}) has no transaction with this hash. Only payments on ${name} are found, once they are mined.`;
}

function describeNotReady(
  chain: ChainInfo,
  { state, retryAfterSeconds }: { state: "unknown" | "shallow"; retryAfterSeconds: number },
): string {
  const problem =
    state === "unknown"
      ? describeUnknown(chain)
      : `The transaction does not have ${chain.confirmations} confirmations on ${chain.name} yet.`;
  return `${problem} Try again in ${retryAfterSeconds} s.`;
}

/** Claims the first unused transfer, like `claimTransfer`. Throws `payment-used` if there is none. */
export async function requireUnusedTransfer(
  tx: Transaction,
  chain: Pick<ChainInfo, "id" | "name">,
  transfers: UsdcTransfer[],
  purpose: UsedTransfer["purpose"],
): Promise<UsedTransfer> {
  const claimed = await claimTransfer(tx, chain, transfers, purpose);
  if (!claimed) throw createPaymentUsedError(chain);
  return claimed;
}

/** Returns the error to throw if every transfer is used. */
export function createPaymentUsedError({ name }: Pick<ChainInfo, "name">): AppError {
  const detail = `Every matching transfer of this transaction on ${name} has been used.`;
  return new AppError("payment-used", detail);
}

/**
 * Returns the block in which a transaction of the service was last seen, or null if it was not
 * mined.
 */
export async function findMinedBlock(db: Sql, txHash: string): Promise<bigint | null> {
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
export async function findRecordBlock(
  core: Pick<Core, "db" | "chain" | "log">,
  txHash: string,
): Promise<bigint | null> {
  const seen = await findMinedBlock(core.db, txHash);
  if (seen !== null) return seen;
  const receipt = await queryChain(core, () => getCanonicalReceipt(core.chain, txHash as Hex));
  return receipt?.blockNumber ?? null;
}

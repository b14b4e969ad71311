import { and, eq, max } from "drizzle-orm";
import { type Address, type Hex, keccak256 } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import type { Chain } from "@/server/chain/client";
import { chainAttempts, chainTransactions } from "@/server/chain/tables";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import { pipeline } from "@/server/db/pipeline";
import type { Transaction } from "@/server/lib/context";

/** EIP-1559 fees, in wei per unit of gas. */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

// Nodes require a raise of at least 10%; an eighth leaves room for their rounding.
const raise = (fee: bigint) => fee + fee / 8n + 1n;
const larger = (a: bigint, b: bigint) => (a > b ? a : b);
const MAX_MARKET_MULTIPLE = 10n;

/** Returns fees that get a transaction into the next blocks, even if the base fee doubles. */
export async function getMarketFees({ client }: Chain): Promise<Fees> {
  const [{ baseFeePerGas }, maxPriorityFeePerGas] = await Promise.all([
    client.getBlock({ blockTag: "latest" }),
    client.estimateMaxPriorityFeePerGas(),
  ]);
  return { maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + maxPriorityFeePerGas, maxPriorityFeePerGas };
}

/**
 * Returns fees that a node accepts for replacing `before` at the same nonce. Returns null if
 * `before` is already more than ten times the market fee: then the fee is not what delays the
 * transaction.
 */
export function computeReplacementFees(before: Fees, market: Fees): Fees | null {
  if (before.maxFeePerGas > MAX_MARKET_MULTIPLE * market.maxFeePerGas) return null;
  return {
    maxFeePerGas: larger(raise(before.maxFeePerGas), market.maxFeePerGas),
    maxPriorityFeePerGas: larger(raise(before.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
  };
}

export interface TransactionRequest {
  signer: "recorder" | "stake" | "feedback" | "evaluator";
  purpose: "record" | "payout" | "feedback" | "escrow";
  to: Address;
  data: Hex;
  /** Gas limit. */
  gas: bigint;
}

/** What the node says about a transaction that a signer would send now. */
export interface Quote {
  fees: Fees;
  /** Number of the signer's transactions that the node has, in blocks or waiting. */
  sent: number;
}

/** Returns the account of a signer. Throws if it is not configured. */
function getAccount(chain: Chain, signer: TransactionRequest["signer"]): PrivateKeyAccount {
  const account = chain[signer];
  if (!account) throw new Error(`The key of the ${signer} is not configured`);
  return account;
}

/** Returns the accounts of all signers that are configured. */
export function listAccounts(chain: Chain): PrivateKeyAccount[] {
  const { recorder, stake, feedback, evaluator } = chain;
  return [recorder, stake, feedback, evaluator].filter((account) => account !== null);
}

/** Asks the node for fees and nonce. */
export async function fetchQuote(
  chain: Chain,
  signer: TransactionRequest["signer"],
): Promise<Quote> {
  const { address } = getAccount(chain, signer);
  const [fees, sent] = await Promise.all([
    getMarketFees(chain),
    chain.client.getTransactionCount({ address, blockTag: "pending" }),
  ]);
  return { fees, sent };
}

/**
 * Allocates the signer's next nonce, signs, and stores the bytes, all in `tx`: nothing is sent
 * before it commits, and a rollback leaves no gap. Locks the signer until `tx` ends. Throws if the
 * node cannot provide fees and nonce, which a caller can ask for in advance (`quote`).
 */
export async function signTransaction(
  tx: Transaction,
  chain: Chain,
  { signer, purpose, to, data, gas }: TransactionRequest,
  quote: Promise<Quote> = fetchQuote(chain, signer),
): Promise<{ transactionId: string; hash: Hex }> {
  const account = getAccount(chain, signer);
  const { fees, sent } = await quote;
  // Nonces are allocated one at a time, across all processes.
  const whereSigned = and(
    eq(chainTransactions.chainId, chain.id),
    eq(chainTransactions.signer, account.address),
  );
  const [, [stored]] = await pipeline(tx, [
    () => acquireAdvisoryLock(tx, `nonce:${chain.id}:${account.address}`),
    () =>
      tx
        .select({ last: max(chainTransactions.nonce) })
        .from(chainTransactions)
        .where(whereSigned)
        .prepare("last_nonce"),
  ]);
  // The node's count is only higher if the database is younger than the key, or the key is used
  // elsewhere.
  const nonce = Math.max((stored?.last ?? -1) + 1, sent);
  const [row] = await tx
    .insert(chainTransactions)
    .values({ chainId: chain.id, signer: account.address, nonce, purpose, to, data, gas })
    .returning({ id: chainTransactions.id })
    .prepare("add_transaction")
    .execute();
  if (!row) throw new Error("The transaction was not stored");
  const call = { nonce, to, data, gas };
  return { transactionId: row.id, hash: await addAttempt(tx, chain, account, row.id, call, fees) };
}

/**
 * Signs `call` with every field set, so that the node fills in none, and stores the bytes. Returns
 * the hash.
 */
export async function addAttempt(
  tx: Transaction,
  chain: Chain,
  account: PrivateKeyAccount,
  transactionId: string,
  call: { nonce: number; to: Address; data: Hex; gas: bigint },
  fees: Fees,
): Promise<Hex> {
  const raw = await account.signTransaction({
    type: "eip1559",
    chainId: chain.id,
    value: 0n,
    accessList: [],
    ...call,
    ...fees,
  });
  const hash = keccak256(raw);
  await tx
    .insert(chainAttempts)
    .values({ hash, transactionId, raw, ...fees })
    .onConflictDoNothing()
    .prepare("add_attempt")
    .execute();
  return hash;
}

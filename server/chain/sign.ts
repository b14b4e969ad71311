import { and, eq, max, sql } from "drizzle-orm";
import { type Address, type Hex, keccak256 } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import type { Transaction } from "@/server/lib/context";
import type { Chain } from "./client";
import { type Fees, marketFees } from "./fees";
import { chainAttempts, chainTransactions } from "./tables";

export interface TransactionRequest {
  signer: "recorder" | "stake";
  purpose: "record" | "payout";
  to: Address;
  data: Hex;
  /** Gas limit. */
  gas: bigint;
}

/**
 * Allocates the signer's next nonce, signs, and stores the bytes, all in `tx`: nothing is sent
 * before it commits, and a rollback leaves no gap. Locks the signer until `tx` ends. Throws if the
 * node cannot provide fees and nonce.
 */
export async function signTransaction(
  tx: Transaction,
  chain: Chain,
  { signer, purpose, to, data, gas }: TransactionRequest,
): Promise<{ transactionId: string; hash: Hex }> {
  const account = chain[signer];
  const [fees, sent] = await Promise.all([
    marketFees(chain),
    chain.client.getTransactionCount({ address: account.address, blockTag: "pending" }),
  ]);
  await lockSigner(tx, chain.id, account.address);
  const [stored] = await tx
    .select({ last: max(chainTransactions.nonce) })
    .from(chainTransactions)
    .where(
      and(eq(chainTransactions.chainId, chain.id), eq(chainTransactions.signer, account.address)),
    );
  // The node's count is only higher if the database is younger than the key, or the key is used
  // elsewhere.
  const nonce = Math.max((stored?.last ?? -1) + 1, sent);
  const [row] = await tx
    .insert(chainTransactions)
    .values({ chainId: chain.id, signer: account.address, nonce, purpose, to, data, gas })
    .returning({ id: chainTransactions.id });
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
    .onConflictDoNothing();
  return hash;
}

/** Locks the signer until `tx` ends: nonces are allocated one at a time, across all processes. */
async function lockSigner(tx: Transaction, chainId: number, signer: Address): Promise<void> {
  const name = `nonce:${chainId}:${signer}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

import { and, eq, isNotNull } from "drizzle-orm";
import { type Address, type Hex, hexToBigInt, pad } from "viem";
import type { Chain } from "@/server/chain/client";
import type { PlacedRecord } from "@/server/chain/decode";
import { TRANSFER, transfersOf } from "@/server/chain/payment";
import { readLogs } from "@/server/chain/read-logs";
import { birthOf } from "@/server/chain/read-registry";
import { usedTransfers } from "@/server/chain/tables";
import type { Sql, Transaction } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";

/** Nodes limit how many words a filter may list. */
const PAIRS_AT_ONCE = 200;

/** Transfers of one amount between two wallets, one of which proved a record. */
interface Proof {
  requester: Address;
  contractor: Address;
  /** Of the last such record. */
  txHash: Hex;
}

export interface TaskPayments {
  /** By `keyOf` a transfer: up to which block such a one may have proven a record. */
  until: Map<string, bigint>;
  /** Transactions that hold such transfers. */
  hashes: Set<Hex>;
}

/**
 * The transactions that may have paid for the outcomes of `records`, as far as the database does not
 * know which did. They may be older than the registry, so they are looked for since USDC is there.
 * Throws where the node is silent.
 */
export async function readTaskPayments(
  db: Sql,
  chain: Chain,
  records: PlacedRecord[],
): Promise<TaskPayments> {
  const { client, usdcAddress } = chain;
  const found: TaskPayments = { until: new Map(), hashes: new Set() };
  const proofs = await unknownProofs(db, records);
  if (proofs.size === 0) return found;
  for (const [key, { txHash }] of proofs) {
    found.until.set(key, (await client.getTransactionReceipt({ hash: txHash })).blockNumber);
  }
  const to = await client.getBlockNumber({ cacheTime: 0 });
  const from = await birthOf(client, usdcAddress, to);
  const all = [...proofs.values()];
  for (let at = 0; at < all.length; at += PAIRS_AT_ONCE) {
    const some = all.slice(at, at + PAIRS_AT_ONCE);
    const topics: (Hex | Hex[])[] = [
      TRANSFER,
      oneOf(some.map(({ requester }) => requester)),
      oneOf(some.map(({ contractor }) => contractor)),
    ];
    const logs = await readLogs(client, { filter: { address: usdcAddress, topics }, from, to });
    for (const { transactionHash, topics, data, blockNumber } of logs) {
      const [, payer = "0x", payee = "0x"] = topics;
      const key = keyOf(payer, payee, hexToBigInt(data));
      if (isProof(found, key, hexToBigInt(blockNumber))) found.hashes.add(transactionHash);
    }
  }
  return found;
}

/**
 * Marks as used whatever may have proven an outcome of an earlier database. A record says how much was
 * paid, and not by which transfer: so every transfer of that amount between the two, up to the record,
 * is marked, and none of them proves another outcome. Answers how many.
 */
export async function claimTaskPayments(
  tx: Transaction,
  chain: Chain,
  payments: TaskPayments,
): Promise<number> {
  let claimed = 0;
  for (const hash of payments.hashes) {
    const receipt = await chain.client.getTransactionReceipt({ hash });
    const paid = transfersOf(chain, receipt).filter(({ from, to, amountMicro, blockNumber }) =>
      isProof(payments, keyOf(from, to, amountMicro), blockNumber),
    );
    const taken = await tx
      .insert(usedTransfers)
      .values(paid.map((one) => ({ ...one, chainId: chain.id, purpose: "payment" as const })))
      .onConflictDoNothing()
      .returning({ id: usedTransfers.id });
    claimed += taken.length;
  }
  return claimed;
}

/** What proved those paid outcomes among `records` of which the database has no payment. */
async function unknownProofs(db: Sql, records: PlacedRecord[]): Promise<Map<string, Proof>> {
  const rows = await db
    .select({ id: outcomes.id })
    .from(outcomes)
    .where(and(eq(outcomes.status, "EVALUATING"), isNotNull(outcomes.paymentTransferId)));
  const known = new Set(rows.map(({ id }) => id));
  const proofs = new Map<string, Proof>();
  for (const { record, place } of records) {
    if (record.type !== "outcome" || record.paidMicro === 0 || known.has(record.id)) continue;
    const [requester, contractor] = [record.requester as Address, record.contractor as Address];
    const key = keyOf(requester, contractor, BigInt(record.paidMicro));
    proofs.set(key, { requester, contractor, txHash: place.txHash });
  }
  return proofs;
}

const isProof = ({ until }: TaskPayments, key: string, block: bigint) =>
  block <= (until.get(key) ?? -1n);

const oneOf = (wallets: Address[]): Hex[] => [...new Set(wallets)].map((wallet) => pad(wallet));

/** The same for an address and for the word that it is in a log. */
const keyOf = (from: string, to: string, amountMicro: bigint) =>
  `${from.slice(-40)} ${to.slice(-40)} ${amountMicro}`.toLowerCase();

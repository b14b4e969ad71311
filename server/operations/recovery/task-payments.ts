import { and, eq, isNotNull } from "drizzle-orm";
import { type Address, type Hex, hexToBigInt } from "viem";
import type { Chain } from "@/server/chain/client";
import { readTransferLogs } from "@/server/chain/payments/usdc";
import type { PlacedRecord } from "@/server/chain/registry/decode-records";
import { findDeploymentBlock } from "@/server/chain/registry/read-registry";
import type { Sql, Transaction } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import { claimTransfers } from "./stake-transfers";

/** Nodes limit the number of topics in a filter. */
const MAX_PAIRS = 200;

/** Transfers of one amount between two wallets, one of which proved a record. */
interface Proof {
  requester: Address;
  contractor: Address;
  /** Transaction of the last such record. */
  txHash: Hex;
}

export interface TaskPayments {
  /** By `keyOf` a transfer: the last block in which such a transfer may have proven a record. */
  until: Map<string, bigint>;
  /** Transactions that contain such transfers. */
  hashes: Set<Hex>;
}

/**
 * Returns the transactions that may have paid for the outcomes of `records` whose payment the
 * database does not know. Searches from the deployment of USDC, because payments may be older than
 * the registry. Throws if the node is unreachable.
 */
export async function readTaskPayments(
  db: Sql,
  chain: Chain,
  records: PlacedRecord[],
): Promise<TaskPayments> {
  const { client, usdcAddress } = chain;
  const found: TaskPayments = { until: new Map(), hashes: new Set() };
  const proofs = await findUnknownProofs(db, records);
  if (proofs.size === 0) return found;
  for (const [key, { txHash }] of proofs) {
    found.until.set(key, (await client.getTransactionReceipt({ hash: txHash })).blockNumber);
  }
  const toBlock = await client.getBlockNumber({ cacheTime: 0 });
  const fromBlock = await findDeploymentBlock(client, usdcAddress, toBlock);
  const all = [...proofs.values()];
  for (let at = 0; at < all.length; at += MAX_PAIRS) {
    const some = all.slice(at, at + MAX_PAIRS);
    const logs = await readTransferLogs(chain, {
      from: some.map(({ requester }) => requester),
      to: some.map(({ contractor }) => contractor),
      fromBlock,
      toBlock,
    });
    for (const { transactionHash, topics, data, blockNumber } of logs) {
      const [, payer = "0x", payee = "0x"] = topics;
      const key = buildTransferKey(payer, payee, hexToBigInt(data));
      if (isProof(found, key, hexToBigInt(blockNumber))) found.hashes.add(transactionHash);
    }
  }
  return found;
}

/**
 * Marks transfers as used that may have proven an outcome of an earlier database. A record has the
 * amount but not the transfer, so every transfer of that amount between the two wallets up to the
 * record is marked, and none of them can prove another outcome. Returns the number marked.
 */
export async function claimTaskPayments(
  tx: Transaction,
  chain: Chain,
  payments: TaskPayments,
): Promise<number> {
  let claimed = 0;
  for (const hash of payments.hashes) {
    const taken = await claimTransfers(
      tx,
      chain,
      hash,
      ({ from, to, amountMicro, blockNumber }) =>
        isProof(payments, buildTransferKey(from, to, amountMicro), blockNumber),
      "payment",
    );
    claimed += taken.length;
  }
  return claimed;
}

/**
 * Returns the proofs of the paid outcomes in `records` whose payment the database does not have.
 */
async function findUnknownProofs(db: Sql, records: PlacedRecord[]): Promise<Map<string, Proof>> {
  const rows = await db
    .select({ id: outcomes.id })
    .from(outcomes)
    .where(and(eq(outcomes.status, "EVALUATING"), isNotNull(outcomes.paymentTransferId)));
  const known = new Set(rows.map(({ id }) => id));
  const proofs = new Map<string, Proof>();
  for (const { record, place } of records) {
    if (record.type !== "outcome" || record.paidMicro === 0 || known.has(record.id)) continue;
    const [requester, contractor] = [record.requester as Address, record.contractor as Address];
    const key = buildTransferKey(requester, contractor, BigInt(record.paidMicro));
    proofs.set(key, { requester, contractor, txHash: place.txHash });
  }
  return proofs;
}

const isProof = ({ until }: TaskPayments, key: string, block: bigint) =>
  block <= (until.get(key) ?? -1n);

/** Returns the same key for a plain address and for its padded form in a log. */
const buildTransferKey = (from: string, to: string, amountMicro: bigint) =>
  `${from.slice(-40)} ${to.slice(-40)} ${amountMicro}`.toLowerCase();

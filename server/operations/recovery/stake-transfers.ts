import { and, asc, eq, inArray } from "drizzle-orm";
import { type Address, type Hex, hexToBigInt, pad } from "viem";
import type { Chain } from "@/server/chain/client";
import { findFirstBlock } from "@/server/chain/find-first-block";
import { extractTransfers, TRANSFER_TOPIC } from "@/server/chain/payments/transfers";
import { type RawLog, readLogs } from "@/server/chain/registry/read-logs";
import { findDeploymentBlock } from "@/server/chain/registry/read-registry";
import { chainAttempts, chainTransactions, usedTransfers } from "@/server/chain/tables";
import { getFinalizedHeight, mineUntilFinal } from "@/server/chain/transactions/finality";
import { payouts } from "@/server/disputes/tables";
import type { Sql, Transaction } from "@/server/lib/context";
import { toChecksumAddress } from "@/server/lib/wallet";
import { OperationRefused } from "@/server/operations/operation-refused";

/** USDC that left an account to which stakes are or were paid. */
interface Outgoing {
  txHash: string;
  to: string;
  amountMicro: bigint;
  block: bigint;
}

/** The transfers of stake money on the chain. */
export interface StakeTransfers {
  /** Transactions that paid in, with the number of their transfers. */
  incoming: Map<Hex, number>;
  /** In block order. */
  outgoing: Outgoing[];
}

/**
 * Returns every USDC transfer to and from the stake accounts since the registry's deployment.
 * Throws `OperationRefused` while a transaction of the stake account or the recorder is not final,
 * because it could still be mined or reverted by a reorg.
 */
export async function readStakeTransfers(db: Sql, chain: Chain): Promise<StakeTransfers> {
  await requireFinalTransactions(chain);
  const { client, registryAddress, usdcAddress } = chain;
  const to = await client.getBlockNumber({ cacheTime: 0 });
  const from = await findDeploymentBlock(client, registryAddress, to);
  const moves: StakeTransfers = { incoming: new Map(), outgoing: [] };
  for (const account of await listStakeAccounts(db, chain)) {
    const read = (topics: (Hex | null)[]) =>
      readLogs(client, { filter: { address: usdcAddress, topics }, from, to });
    for (const { transactionHash } of await read([TRANSFER_TOPIC, null, pad(account)])) {
      moves.incoming.set(transactionHash, (moves.incoming.get(transactionHash) ?? 0) + 1);
    }
    moves.outgoing.push(...(await read([TRANSFER_TOPIC, pad(account)])).map(parseOutgoing));
  }
  moves.outgoing.sort((a, b) => Number(a.block - b.block));
  return moves;
}

/**
 * Marks every payment to a stake account that the database does not know as used, so that it cannot
 * count again. Returns their number and their sum in millionths.
 */
export async function claimUnknownStakes(
  tx: Transaction,
  chain: Chain,
  { incoming }: StakeTransfers,
): Promise<{ count: number; micro: bigint }> {
  const accounts = await listStakeAccounts(tx, chain);
  // A batch may also pay for a task: `incoming` only has the transfers to these accounts.
  const known = await tx
    .select({ txHash: usedTransfers.txHash })
    .from(usedTransfers)
    .where(and(eq(usedTransfers.chainId, chain.id), inArray(usedTransfers.to, [...accounts])));
  for (const { txHash } of known) {
    const hash = txHash as Hex;
    incoming.set(hash, (incoming.get(hash) ?? 0) - 1);
  }
  let found = { count: 0, micro: 0n };
  for (const [hash, unknown] of incoming) {
    if (unknown <= 0) continue;
    const isStake = ({ to }: TokenTransfer) => accounts.has(to as Address);
    for (const micro of await claimTransfers(tx, chain, hash, isStake, "unclaimed")) {
      found = { count: found.count + 1, micro: found.micro + micro };
    }
  }
  return found;
}

type TokenTransfer = ReturnType<typeof extractTransfers>[number];

/**
 * Marks the transfers of a transaction that match as used. Returns the amounts, in millionths, of
 * those that were not.
 */
export async function claimTransfers(
  tx: Transaction,
  chain: Chain,
  hash: Hex,
  matches: (transfer: TokenTransfer) => boolean,
  purpose: "payment" | "unclaimed",
): Promise<bigint[]> {
  const receipt = await chain.client.getTransactionReceipt({ hash });
  const transfers = extractTransfers(chain, receipt).filter(matches);
  const claimed = await tx
    .insert(usedTransfers)
    .values(transfers.map((transfer) => ({ ...transfer, chainId: chain.id, purpose })))
    .onConflictDoNothing()
    .returning({ micro: usedTransfers.amountMicro });
  return claimed.map(({ micro }) => micro);
}

/**
 * Marks payouts as paid that the chain paid by a transaction unknown to the database: a transfer of
 * the same amount to the same recipient, in a later block than the payment that the payout is for.
 * Each transfer settles one payout, oldest first. Skips a payout whose own transaction has paid or
 * still can. Returns the number marked.
 */
export async function markPaidPayouts(
  tx: Transaction,
  chain: Chain,
  { outgoing }: StakeTransfers,
): Promise<number> {
  const attempts = await tx
    .select({ hash: chainAttempts.hash, transactionId: chainAttempts.transactionId })
    .from(chainAttempts)
    .innerJoin(chainTransactions, eq(chainTransactions.id, chainAttempts.transactionId))
    .where(eq(chainTransactions.purpose, "payout"));
  const own = new Map(attempts.map(({ hash, transactionId }) => [hash, transactionId]));
  const knownHashes = new Set(
    (await tx.select({ hash: payouts.txHash }).from(payouts)).flatMap(({ hash }) => hash ?? []),
  );
  const done = new Set(outgoing.flatMap(({ txHash }) => own.get(txHash) ?? []));
  const unknown = outgoing.filter(({ txHash }) => !own.has(txHash) && !knownHashes.has(txHash));
  let paid = 0;
  for (const { payout, block } of await findUnpaidPayouts(tx, chain, done)) {
    const at = unknown.findIndex(
      (one) => one.to === payout.to && one.amountMicro === payout.amountMicro && one.block > block,
    );
    const [transfer] = at < 0 ? [] : unknown.splice(at, 1);
    if (!transfer) continue;
    await tx
      .update(payouts)
      .set({ status: "paid", transactionId: null, txHash: transfer.txHash, settledAt: new Date() })
      .where(and(eq(payouts.id, payout.id), inArray(payouts.status, ["waiting", "signed"])));
    paid += 1;
  }
  return paid;
}

/** Returns payouts that no known transaction has paid or still can pay, oldest first. */
async function findUnpaidPayouts(tx: Transaction, chain: Chain, done: Set<string>) {
  const rows = await tx
    .select({ payout: payouts, block: usedTransfers.blockNumber, transaction: chainTransactions })
    .from(payouts)
    .innerJoin(usedTransfers, eq(usedTransfers.id, payouts.transferId))
    .leftJoin(chainTransactions, eq(chainTransactions.id, payouts.transactionId))
    .where(inArray(payouts.status, ["waiting", "signed"]))
    .orderBy(asc(usedTransfers.blockNumber), asc(payouts.id));
  const used = new Map<string, number>();
  for (const signer of new Set(rows.flatMap(({ transaction }) => transaction?.signer ?? []))) {
    const address = signer as Address;
    used.set(signer, await chain.client.getTransactionCount({ address, blockTag: "latest" }));
  }
  return rows.filter(({ transaction }) => {
    if (!transaction) return true;
    return !done.has(transaction.id) && transaction.nonce < (used.get(transaction.signer) ?? 0);
  });
}

/** Returns the current stake account and, if the key was changed, the earlier ones. */
async function listStakeAccounts(db: Sql, chain: Chain): Promise<Set<Address>> {
  const rows = await db
    .selectDistinct({ to: usedTransfers.to })
    .from(usedTransfers)
    .where(inArray(usedTransfers.purpose, ["stake", "unattached-stake", "unclaimed"]));
  return new Set([chain.stake.address, ...rows.map(({ to }) => to as Address)]);
}

async function requireFinalTransactions({ client, ...chain }: Chain): Promise<void> {
  // An idle chain never finalizes its last blocks. Only an anvil can be made to; another node that has
  // its chain id is left to the check below.
  if (chain.isLocal) await mineUntilFinal({ client }).catch(() => {});
  const finalized = await getFinalizedHeight({ client });
  if (finalized === null) {
    throw new OperationRefused(
      "The node does not report finality, so it is unknown which payments are final. Set CHAIN_RPC_URL to another node.",
    );
  }
  const latest = await client.getBlockNumber({ cacheTime: 0 });
  for (const { address } of [chain.recorder, chain.stake]) {
    const countAt = (blockNumber: bigint) => client.getTransactionCount({ address, blockNumber });
    const [sent, mined, final] = await Promise.all([
      client.getTransactionCount({ address, blockTag: "pending" }),
      countAt(latest),
      countAt(finalized),
    ]);
    if (sent === final) continue;
    // A node may have pruned the states of earlier blocks.
    const hasMined = (block: bigint) =>
      countAt(block).then(
        (count) => count >= mined,
        () => false,
      );
    const last = mined > final ? await findFirstBlock(hasMined, latest) : finalized;
    const reasons = [
      mined > final && `${last - finalized} blocks are missing until block ${last} is final`,
      sent > mined && `${sent - mined} are in no block`,
    ];
    throw new OperationRefused(
      `${sent - final} transactions of ${address} are not final yet: ${reasons.filter(Boolean).join(", and ")}. Stop every instance of the service, and retry when the chain has grown by them.`,
    );
  }
}

function parseOutgoing({ transactionHash, topics, data, blockNumber }: RawLog): Outgoing {
  return {
    txHash: transactionHash,
    to: toChecksumAddress(`0x${(topics[2] ?? "").slice(-40)}`),
    amountMicro: hexToBigInt(data),
    block: hexToBigInt(blockNumber),
  };
}

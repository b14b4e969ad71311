import { and, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { findFirstBlock } from "@/server/chain/find-first-block";
import { checkPayment, claimTransfer } from "@/server/chain/payments/payment";
import {
  AUTHORIZATION_TOPIC,
  decodeAddress,
  type UsdcTransfer,
} from "@/server/chain/payments/transfers";
import { type LogFilter, readLogs } from "@/server/chain/registry/read-logs";
import { logCursors, usedTransfers } from "@/server/chain/tables";
import { getFinalizedHeight, mineLocalBlocks } from "@/server/chain/transactions/finality";
import type { ChainInfo, Core, Database } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { MINUTE_MS, SECOND_MS } from "@/server/lib/time";
import { agreementAgreed, agreementEnded, agreementPaid, createAgreementEvent } from "./events";
import { findUsedTransfers, toTransferKey } from "./find-used-transfers";
import { whereDeliveryPayable, wherePayable } from "./queries";
import type { AgreementStatus } from "./schema";
import { agreements } from "./tables";

/** Most values that nodes take in one place of a filter (geth). */
const MAX_TOPICS = 1_000;
/** Of several nodes behind one URL, one that lags by less than this hides no payment. */
const MAX_LAG_MS = MINUTE_MS;

/** Statuses that the end of the time to pay changes. */
const OPEN_STATUSES: AgreementStatus[] = ["PROPOSED", "AGREED"];

/** Matches paid agreements that only an outcome or the refund of the payment ends. */
const whereRefundable = sql`(${agreements.status} = 'AGREED' and ${agreements.paymentTransferId} is not null)`;

type Dependencies = Pick<Core, "db" | "chain" | "publish">;
type Watched = Awaited<ReturnType<typeof findWatched>>[number];

/** Finds the agreements that a transfer can change, or that one of them. */
const findWatched = (db: Database, only: string | undefined) =>
  db
    .select({
      id: agreements.id,
      isDelivered: sql<boolean>`${agreements.status} = 'DELIVERED'`,
      digest: agreements.digest,
      requester: agreements.requester,
      contractor: agreements.contractor,
      valueMicro: agreements.valueMicro,
      proposedAt: agreements.proposedAt,
      startBy: agreements.startBy,
      payment: { amountMicro: usedTransfers.amountMicro, blockNumber: usedTransfers.blockNumber },
    })
    .from(agreements)
    .leftJoin(usedTransfers, eq(usedTransfers.id, agreements.paymentTransferId))
    .where(
      and(
        or(wherePayable, whereRefundable, whereDeliveryPayable),
        only === undefined ? undefined : eq(agreements.id, only),
      ),
    );

/**
 * Finds payments and refunds of upfront agreements on the chain, and payments of delivered work, at the depth at
 * which payments count: USDC transfers by an EIP-3009 authorization whose nonce is the agreement's digest. Then
 * expires the agreements whose time to pay is over. With `only`, looks for the transfers of that agreement and does
 * nothing else.
 *
 * Each transfer takes effect once, under the agreement's lock. Blocks that are not final are read again by
 * the next call, so neither a reorg nor a crash hides one. Throws if the node is unreachable. A transfer that
 * can't be looked up holds up its own agreement alone: the others are searched before its error is thrown, and the
 * next call reads its block again.
 */
export async function findTransfers(core: Dependencies, only?: string): Promise<void> {
  const { db, chain } = core;
  // Before the agreements: none that is proposed afterwards was paid in a block that is final now.
  const finalized = only ? null : await getFinalizedHeight(chain);
  const watched = await findWatched(db, only);
  if (only && watched.length === 0) return;
  const unpaid = watched.filter(({ payment, isDelivered }) => !payment && !isDelivered);
  // A local chain makes blocks for transactions only.
  if (!only && unpaid.some(({ startBy }) => startBy < new Date())) await mineLocalBlocks(chain);
  const head = await chain.client.getBlockNumber({ cacheTime: 0 });
  const to = head - BigInt(chain.confirmations - 1);
  const name = `agreements:${chain.id}:${chain.usdcAddress}`;
  const [cursor] = await db.select().from(logCursors).where(eq(logCursors.name, name));
  let missed: Missed = new Map();
  if (watched.length > 0) {
    const oldest = Math.min(...watched.map(({ proposedAt }) => proposedAt.getTime()));
    const since = new Date(oldest - SECOND_MS);
    const from = cursor?.nextBlock ?? (await findBlockSince(chain, since, to));
    missed = await applyLogs(core, watched, { from, to });
  }
  const isRead = finalized !== null && unpaid.length > 0;
  const readUntil = isRead ? await readKnownTime(chain, to) : undefined;
  const searched = unpaid.filter(({ id }) => !missed.has(id));
  if (readUntil) await expireUnpaid(core, searched, readUntil);
  for (const error of missed.values()) if (error) throw error;
  if (finalized === null || missed.size > 0) return;
  const nextBlock = (finalized < to ? finalized : to) + 1n;
  await db
    .insert(logCursors)
    .values({ name, nextBlock, readUntil })
    .onConflictDoUpdate({
      target: logCursors.name,
      set: {
        nextBlock: sql`greatest(${logCursors.nextBlock}, excluded.next_block)`,
        readUntil: sql`greatest(${logCursors.readUntil}, excluded.read_until)`,
        updatedAt: databaseNow,
      },
    });
}

/** Returns the time of a block. */
export const readTime = async ({ client }: Pick<ChainInfo, "client">, blockNumber: bigint) =>
  new Date(Number((await client.getBlock({ blockNumber })).timestamp) * SECOND_MS);

/** Returns the time before which no block is missing once those up to this one were read. */
export const readKnownTime = async (chain: ChainInfo, blockNumber: bigint) => {
  const time = await readTime(chain, blockNumber);
  return new Date(time.getTime() - (chain.rpcUrl === null ? MAX_LAG_MS : 0));
};

/** Returns the first block since `since`, or `to` if none up to there is. */
export const findBlockSince = (chain: ChainInfo, since: Date, to: bigint): Promise<bigint> =>
  findFirstBlock(async (block) => (await readTime(chain, block)) >= since, to);

/** Agreements with a transfer that could not be looked up, by id; with the error if one was thrown. */
type Missed = Map<string, unknown>;

/**
 * Applies the transfers of these agreements in a range of blocks, and fills in the payments found. Returns the
 * agreements of which it could not apply all.
 */
async function applyLogs(
  core: Dependencies,
  watched: Watched[],
  range: { from: bigint; to: bigint },
): Promise<Missed> {
  const { chain } = core;
  const byDigest = new Map(watched.map((one) => [one.digest, one]));
  const digests = [...byDigest.keys()] as Hex[];
  const missed: Missed = new Map();
  for (let start = 0; start < digests.length; start += MAX_TOPICS) {
    const nonces = digests.slice(start, start + MAX_TOPICS);
    const topics: LogFilter["topics"] = [AUTHORIZATION_TOPIC, null, nonces];
    const filter = { address: chain.usdcAddress, topics };
    for (const { transactionHash, topics } of await readLogs(chain.client, { filter, ...range })) {
      const [, authorizer = "0x", nonce = ""] = topics;
      const agreement = byDigest.get(nonce);
      const from = decodeAddress(authorizer);
      if (!agreement) continue;
      try {
        const isApplied = await applyTransfer(core, agreement, { txHash: transactionHash, from });
        if (!isApplied) missed.set(agreement.id, missed.get(agreement.id));
      } catch (error) {
        missed.set(agreement.id, error);
      }
    }
  }
  return missed;
}

/**
 * Applies the transfer of an authorization that `from` used, if it is exactly the payment, or once that is found
 * the refund: any wallet can use the nonce, and for anything else. Returns false if the transaction can't be
 * looked up yet.
 */
async function applyTransfer(
  core: Dependencies,
  agreement: Watched,
  { txHash, from }: { txHash: Hex; from: string | null },
): Promise<boolean> {
  const { chain, db, publish } = core;
  const { id, requester, contractor, payment, startBy } = agreement;
  const [payer, to] = payment ? [contractor, requester] : [requester, contractor];
  if (from !== payer) return true;
  const check = await checkPayment(chain, {
    ...{ txHash, from, to, authorizationNonce: agreement.digest as Hex },
    minMicro: payment?.amountMicro ?? agreement.valueMicro,
    ...(payment && { afterBlock: payment.blockNumber }),
  });
  if (check.state === "unknown" || check.state === "shallow") return false;
  if (check.state !== "found") return true;
  const [transfer] = check.transfers;
  const at = await readTime(chain, transfer.blockNumber);
  // Block times have whole seconds.
  const proposedAt = agreement.proposedAt.getTime() - SECOND_MS;
  if (!payment && at.getTime() <= proposedAt) return true;
  if (agreement.isDelivered) {
    await storeDeliveryPayment(core, agreement, transfer);
    return true;
  }
  if (!payment && at > startBy) return true;
  await db.transaction(async (tx) => {
    const isIt = and(eq(agreements.id, id), payment ? whereRefundable : wherePayable);
    const [locked] = await tx.select().from(agreements).where(isIt).for("no key update");
    const used =
      locked && (await claimTransfer(tx, chain, [transfer], payment ? "refund" : "payment"));
    if (!used) return;
    const isSigned = locked.contractorSignature !== null;
    const paid = { paymentTransferId: used.id, paidAt: at };
    const agreedAt = locked.agreedAt ?? at;
    await tx
      .update(agreements)
      .set({
        ...(payment
          ? { status: "CANCELLED", endedAt: databaseNow, refundTransferId: used.id }
          : { ...paid, ...(isSigned && { status: "AGREED", agreedAt, endedAt: null }) }),
      })
      .where(eq(agreements.id, id));
    const isNew = isSigned && locked.agreedAt === null;
    const events = payment
      ? [agreementEnded]
      : [...(isNew ? [agreementAgreed] : []), agreementPaid];
    await publish(
      tx,
      events.map((event) => createAgreementEvent(event, id)),
    );
    agreement.payment ??= used;
  });
  return true;
}

/** Stores the payment of delivered work, unless the transfer was used for something else. */
async function storeDeliveryPayment(
  { db, chain }: Pick<Dependencies, "db" | "chain">,
  { id }: Watched,
  transfer: UsdcTransfer,
): Promise<void> {
  const taken = await findUsedTransfers(db, chain, [transfer.txHash]);
  if (taken.has(toTransferKey(transfer))) return;
  await db
    .update(agreements)
    .set({
      deliveryPaymentTxHash: transfer.txHash,
      deliveryPaymentLogIndex: transfer.logIndex,
    })
    .where(and(eq(agreements.id, id), whereDeliveryPayable));
}

/**
 * Ends agreements whose `startBy` is earlier than `readUntil`, and which were not paid in the blocks up to
 * that time.
 */
export async function expireUnpaid(
  { db, publish }: Pick<Dependencies, "db" | "publish">,
  unpaid: { id: string }[],
  readUntil: Date,
): Promise<void> {
  const ids = unpaid.map(({ id }) => id);
  await db.transaction(async (tx) => {
    const expired = await tx
      .update(agreements)
      .set({ status: "EXPIRED", endedAt: sql`${agreements.startBy}` })
      .where(
        and(
          sql`${agreements.id} = any(${sql.param(ids)}::uuid[])`,
          inArray(agreements.status, OPEN_STATUSES),
          isNull(agreements.paidAt),
          lt(agreements.startBy, readUntil),
        ),
      )
      .returning({ id: agreements.id });
    await publish(
      tx,
      expired.map(({ id }) => createAgreementEvent(agreementEnded, id)),
    );
  });
}

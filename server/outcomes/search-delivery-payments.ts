import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { type Hex, hexToBigInt, pad } from "viem";
import { findBlockSince } from "@/server/agreements/find-transfers";
import { findUsedTransfers, toTransferKey } from "@/server/agreements/find-used-transfers";
import { PAYMENT_SEARCH_DAYS } from "@/server/agreements/periods";
import { agreements } from "@/server/agreements/tables";
import { extractTransfers, type UsdcTransfer } from "@/server/chain/payments/transfers";
import { readTransferLogs } from "@/server/chain/payments/usdc";
import type { RawLog } from "@/server/chain/registry/read-logs";
import type { ChainInfo, Core, Database } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { matchPayments, type OwedJob, type TimedTransfer } from "@/server/outcomes/match-payments";

/**
 * Matches outcomes, joined with their agreements, whose work was owed before its payment and succeeded
 * undisputed, if neither a transfer nor an escrow is known that paid for it.
 */
export const WHERE_OWED = sql`(
  agreements.paid_at is null and agreements.delivery_payment_tx_hash is null
  and agreements.value_micro > 0
  and outcomes.status = 'RESOLVED' and outcomes.final_verdict = 'SUCCESS' and outcomes.assessed
  and not exists (select from disputes where disputes.outcome_id = outcomes.id)
  and not exists (
    select from escrow_jobs
    where escrow_jobs.agreement_id = agreements.id and escrow_jobs.status = 'completed'
  )
  and agreements.terms->>'payment' = 'on-delivery'
)`;

/** Jobs of one search, and of each pair of wallets in it; nodes limit the topics of a filter. */
const LIMITS = { jobs: 200, jobsOfPair: 20 };

/** Of several nodes behind one URL, one that lags by fewer seconds hides no payment that was in time. */
const MAX_LAG = 60;

interface DueJob extends OwedJob {
  agreementId: string;
  requester: string;
  contractor: string;
  /** Unix seconds. */
  dueAt: number;
}

/**
 * Searches the chain for transfers that paid for delivered work, seven days after it succeeded, and stores them;
 * until then `findTransfers` finds those that name its agreement. Repeats the search daily for 90 days for
 * work without a payment. Changes nothing while the node is unreachable, which throws, or behind: only a search says that work is unpaid.
 * Returns the number of jobs that it searched for.
 */
export async function searchDeliveryPayments({
  db,
  chain,
}: Pick<Core, "db" | "chain">): Promise<number> {
  const due = await findDueJobs(db);
  if (due.length === 0) return 0;
  const latest = await chain.client.getBlockNumber({ cacheTime: 0 });
  const depth = BigInt(chain.confirmations - 1);
  const last = await chain.client.getBlock({ blockNumber: latest > depth ? latest - depth : 0n });
  // A local chain mines no block without a transaction.
  const jobs = due.filter(({ dueAt }) => chain.isLocal || dueAt + MAX_LAG <= last.timestamp);
  if (jobs.length === 0) return 0;
  const logs = await readLogsSince(chain, jobs, last.number);
  const hashes = logs.map(({ transactionHash }) => transactionHash);
  const taken = await findUsedTransfers(db, chain, hashes);
  const pairs = Map.groupBy(jobs, ({ requester, contractor }) => requester + contractor);
  let failure: unknown;
  for (const pair of pairs.values()) {
    try {
      await storePayments(db, pair, await readTransfers({ db, chain }, pair, logs, taken));
    } catch (error) {
      // The other pairs don't wait for this one.
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return jobs.length;
}

async function storePayments(
  db: Database,
  jobs: DueJob[],
  transfers: (UsdcTransfer & TimedTransfer)[],
): Promise<void> {
  const payments = matchPayments(jobs, transfers);
  for (const [index, { agreementId }] of jobs.entries()) {
    const { txHash = null, logIndex = null } = payments[index] ?? {};
    await db
      .update(agreements)
      .set({
        deliveryPaymentTxHash: txHash,
        deliveryPaymentLogIndex: logIndex,
        deliveryPaymentSearchedAt: databaseNow,
      })
      .where(and(eq(agreements.id, agreementId), isNull(agreements.deliveryPaymentTxHash)));
  }
}

/** Returns the jobs to search for, oldest first. Pairs of wallets take turns, so that none delays others. */
async function findDueJobs(db: Database): Promise<DueJob[]> {
  const rows = await db.execute<{
    agreementId: string;
    digest: string;
    requester: string;
    contractor: string;
    valueMicro: string;
    proposedAt: number;
    dueAt: number;
  }>(sql`
    select id as "agreementId", digest, requester, contractor, value_micro::text as "valueMicro",
      floor(extract(epoch from proposed_at))::float8 as "proposedAt",
      extract(epoch from due_at)::float8 as "dueAt"
    from (
      select agreements.*, resolved_at + ${PAYMENT_SEARCH_DAYS.from} * interval '1 day' as due_at, row_number() over (
          partition by agreements.requester, agreements.contractor
          order by delivery_payment_searched_at nulls first, proposed_at, agreements.id
        ) as turn
      from agreements join outcomes on outcomes.id = agreements.outcome_id
      where agreements.status = 'DELIVERED' and ${WHERE_OWED}
        and (delivery_payment_searched_at is null or (
          settled_at is null and resolved_at > now() - ${PAYMENT_SEARCH_DAYS.until} * interval '1 day'
          and delivery_payment_searched_at < now() - interval '1 day'
        ))
    ) as jobs
    where due_at <= now() and turn <= ${LIMITS.jobsOfPair}
    order by turn, delivery_payment_searched_at nulls first limit ${LIMITS.jobs}`);
  return rows
    .map((row) => ({ ...row, valueMicro: BigInt(row.valueMicro) }))
    .sort((a, b) => a.proposedAt - b.proposedAt || (a.agreementId < b.agreementId ? -1 : 1));
}

/** Returns the logs of all transfers between the parties since the first proposal, oldest first. */
async function readLogsSince(chain: ChainInfo, jobs: DueJob[], toBlock: bigint): Promise<RawLog[]> {
  const since = new Date((jobs[0]?.proposedAt ?? 0) * 1_000);
  const fromBlock = await findBlockSince(chain, since, toBlock);
  return readTransferLogs(chain, {
    from: jobs.map(({ requester }) => requester),
    to: jobs.map(({ contractor }) => contractor),
    fromBlock,
    toBlock,
  });
}

/** Returns the transfers that may pay for jobs of one pair of wallets, the smallest first. */
async function readTransfers(
  { db, chain }: Pick<Core, "db" | "chain">,
  jobs: DueJob[],
  logs: RawLog[],
  taken: Set<string>,
): Promise<(UsdcTransfer & TimedTransfer)[]> {
  const [{ requester = "", contractor = "" } = {}] = jobs;
  const isOwn = ({ topics: [, from, to] }: RawLog) =>
    from === toTopic(requester) && to === toTopic(contractor);
  const own = logs.filter(isOwn);
  const digests = await listDigests(db, [requester, contractor]);
  // Of more candidates than that, one at least is free to pay for a job.
  const enough = jobs.length + taken.size + digests.size;
  const hashes = jobs.flatMap(({ valueMicro }) =>
    own
      .filter(({ data }) => hexToBigInt(data) >= valueMicro)
      .slice(-enough)
      .map(({ transactionHash }) => transactionHash),
  );
  const transfers: (UsdcTransfer & TimedTransfer)[] = [];
  for (const hash of new Set(hashes)) {
    const receipt = await chain.client.getTransactionReceipt({ hash });
    const { timestamp } = await chain.client.getBlock({ blockHash: receipt.blockHash });
    for (const transfer of extractTransfers(chain, receipt)) {
      const { from, to, authorizationNonce: nonce = "" } = transfer;
      if (from !== requester || to !== contractor || taken.has(toTransferKey(transfer))) continue;
      const bound = digests.has(nonce) && { digest: nonce };
      transfers.push({ ...transfer, at: Number(timestamp), ...bound });
    }
  }
  return transfers.sort((a, b) => Number(a.amountMicro - b.amountMicro));
}

const toTopic = (wallet: string): Hex => pad(wallet.toLowerCase() as Hex);

/** Returns the digests of all agreements between two wallets. */
async function listDigests(db: Database, wallets: [string, string]): Promise<Set<string>> {
  const isBetween = and(
    inArray(agreements.requester, wallets),
    inArray(agreements.contractor, wallets),
  );
  const rows = await db.select({ digest: agreements.digest }).from(agreements).where(isBetween);
  return new Set(rows.map(({ digest }) => digest));
}

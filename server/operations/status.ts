import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Chain } from "@/server/chain/client";
import { balanceOf } from "@/server/chain/payments/usdc";
import { readRegistryState } from "@/server/chain/registry/read-registry";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import { findAttempts } from "@/server/chain/transactions/broadcast";
import { findReceipt } from "@/server/chain/transactions/confirm";
import { getFinalizedHeight } from "@/server/chain/transactions/finality";
import { disputeSides, disputes, payouts } from "@/server/disputes/tables";
import {
  type EngineStatus,
  type FailedRun,
  listFailedRuns,
  readEngineStatus,
} from "@/server/engine/runs";
import { engineRuns } from "@/server/engine/tables";
import { modelStates } from "@/server/judging/tables";
import type { Database } from "@/server/lib/context";
import { whereFaulty } from "@/server/outcomes/pending-outcomes";
import { outcomes } from "@/server/outcomes/tables";
import { ledgerRecords } from "@/server/reputation/tables";
import { whereUnsettled } from "@/server/settlement/settle-transaction";
import { isAuthorizedRecorder } from "@/server/settlement/sign-pending";
import { recordings } from "@/server/settlement/tables";
import { webhookDeliveries } from "@/server/webhooks/tables";
import { getChainAheadMs, readDatabaseAheadMs } from "./clocks";
import { readStalled, type Stalled } from "./stalled";

export interface Status {
  stalled: Stalled[];
  engine: EngineStatus & { active: number; latestFailures: FailedRun[] };
  /** Webhook deliveries waiting for an attempt, and those that failed and are still stored. */
  deliveries: { pending: number; failed: number };
  /** Judges that do not respond, with the start of the outage and its reason. */
  silentJudges: { id: string; since: Date; reason: string }[];
  /** The latest outcomes that a fault of the service kept from being judged. */
  faults: { id: string; fault: string | null }[];
  /** Ledger records in the database. */
  records: number;
  /** Records of the registry that the database neither has nor sent: a rebuild imports them. */
  missingRecords: number;
  owedMicro: bigint;
  /**
   * Transactions whose nonce another transaction of the same key has, some of them; dropped ones for a
   * week. Known only while the node responds.
   */
  takenNonces: TakenNonce[];
  /** By how much the database's clock is ahead of this process's; negative: behind. */
  databaseAheadMs: number;
  /** Null if the node is unreachable. */
  chain: ChainStatus | null;
}

interface ChainStatus {
  block: number;
  /** Age of the latest block. Large on a chain that mines only when there are transactions. */
  blockAgeSeconds: number;
  /** By how much its latest block is ahead of this process's clock; negative: behind. */
  aheadMs: number;
  /** Null if the node does not report finality; stakes are then never returned. */
  finalizedBlock: number | null;
  registryRecords: number;
  accounts: {
    recorder: { address: string; wei: bigint; mayRecord: boolean };
    stake: { address: string; wei: bigint; usdcMicro: bigint };
  };
}

interface TakenNonce {
  transactionId: string;
  signer: string;
  nonce: number;
  /** Whether the other transaction is final, so that this one was given up. */
  isDropped: boolean;
}

const FAILURES_SHOWN = 5;
const TAKEN_SHOWN = 5;
const FAULTS_SHOWN = 20;

/** Returns the current status for operators. Throws if the database is unreachable. */
export async function readStatus(
  { db, chain }: { db: Database; chain: Chain | null },
  now: Date,
): Promise<Status> {
  const countDeliveries = (status: "pending" | "failed") =>
    db.$count(webhookDeliveries, eq(webhookDeliveries.status, status));
  // Before the database: a record that the registry has by now was stored as sent before.
  const chainStatus = chain && (await readChainStatus(chain, now).catch(() => null));
  const [stalled, engine, pending, failed, silentJudges, faults, { records, sent }, owedMicro] =
    await Promise.all([
      readStalled(db, now),
      readEngine(db),
      countDeliveries("pending"),
      countDeliveries("failed"),
      readSilentJudges(db),
      db
        .select({ id: outcomes.id, fault: outcomes.fault })
        .from(outcomes)
        .where(whereFaulty)
        .orderBy(desc(outcomes.faultedAt))
        .limit(FAULTS_SHOWN),
      countRecords(db),
      readOwedStakes(db),
    ]);
  return {
    stalled,
    engine,
    deliveries: { pending, failed },
    silentJudges,
    faults,
    records,
    missingRecords: Math.max(0, (chainStatus?.registryRecords ?? 0) - records - sent),
    owedMicro,
    takenNonces: chain && chainStatus ? await readTakenNonces(db, chain).catch(() => []) : [],
    databaseAheadMs: await readDatabaseAheadMs(db),
    chain: chainStatus,
  };
}

async function readTakenNonces(db: Database, chain: Chain): Promise<TakenNonce[]> {
  const { id, signer, nonce, status, createdAt, chainId } = chainTransactions;
  const isRecent = and(eq(status, "dropped"), gt(createdAt, sql`now() - interval '7 days'`));
  const rows = await db
    .select({ transactionId: id, signer, nonce, isDropped: sql<boolean>`${status} = 'dropped'` })
    .from(chainTransactions)
    .where(and(eq(chainId, chain.id), or(isRecent, eq(status, "signed"))))
    // Signed ones first.
    .orderBy(desc(status), asc(createdAt))
    .limit(TAKEN_SHOWN);
  const checked = rows.map(async (row) => {
    if (row.isDropped) return [row];
    const address = row.signer as Address;
    const used = await chain.client.getTransactionCount({ address, blockTag: "latest" });
    if (row.nonce >= used) return [];
    const attempts = await findAttempts(db, row.transactionId);
    return (await findReceipt(chain, attempts)) ? [] : [row];
  });
  return (await Promise.all(checked)).flat();
}

/** Counts the ledger's records and those that are signed, possibly on chain, and not settled. */
async function countRecords(db: Database): Promise<{ records: number; sent: number }> {
  // One statement, so that a record settled in between is counted once.
  const [row] = await db.execute<{ records: number; sent: number }>(sql`
    select (select count(*)::int from ${ledgerRecords}) as records,
      (select count(*)::int from ${recordings} where ${whereUnsettled}) as sent`);
  return row ?? { records: 0, sent: 0 };
}

async function readEngine(db: Database): Promise<Status["engine"]> {
  const [status, latestFailures, active] = await Promise.all([
    readEngineStatus(db.sql),
    listFailedRuns(db.sql, FAILURES_SHOWN),
    db.$count(engineRuns, eq(engineRuns.status, "active")),
  ]);
  return { ...status, active, latestFailures };
}

async function readSilentJudges(db: Database): Promise<Status["silentJudges"]> {
  const { failingSince, probeAt } = modelStates;
  // A model that is no longer configured is no longer probed.
  const isProbed = gt(probeAt, sql`now() - interval '15 minutes'`);
  const rows = await db
    .select()
    .from(modelStates)
    .where(and(isNotNull(failingSince), isProbed));
  return rows.flatMap(({ model, failingSince, reason }) =>
    failingSince ? [{ id: model, since: failingSince, reason: reason ?? "" }] : [],
  );
}

/** Returns the state of the chain and of the service's accounts. Throws if the node is unreachable. */
async function readChainStatus(chain: Chain, now: Date): Promise<ChainStatus> {
  const { client, recorder, stake } = chain;
  const [latest, finalized, { seq: registryRecords }, recorderWei, stakeWei, usdcMicro, mayRecord] =
    await Promise.all([
      client.getBlock({ blockTag: "latest" }),
      getFinalizedHeight({ client }),
      readRegistryState(client, chain.registryAddress),
      client.getBalance({ address: recorder.address }),
      client.getBalance({ address: stake.address }),
      balanceOf(chain, stake.address),
      isAuthorizedRecorder(chain),
    ]);
  return {
    block: Number(latest.number),
    blockAgeSeconds: Math.max(0, Math.floor(now.getTime() / 1000) - Number(latest.timestamp)),
    aheadMs: getChainAheadMs(latest),
    finalizedBlock: finalized === null ? null : Number(finalized),
    registryRecords,
    accounts: {
      recorder: { address: recorder.address, wei: recorderWei, mayRecord },
      stake: { address: stake.address, wei: stakeWei, usdcMicro },
    },
  };
}

/**
 * Returns the USDC that may have to leave the stake account, in millionths: stakes of open
 * disputes, and payouts that no confirmed transaction has paid. The rest of the balance is the
 * service's own.
 */
async function readOwedStakes(db: Database): Promise<bigint> {
  const amount = sql<string>`coalesce(sum(${usedTransfers.amountMicro}), 0)::text`;
  const [[held], [owed]] = await Promise.all([
    db
      .select({ micro: amount })
      .from(disputeSides)
      .innerJoin(disputes, eq(disputes.id, disputeSides.disputeId))
      .innerJoin(usedTransfers, eq(usedTransfers.id, disputeSides.transferId))
      .where(and(eq(disputes.status, "OPEN"), isNull(usedTransfers.goneAt))),
    db
      .select({ micro: sql<string>`coalesce(sum(${payouts.amountMicro}), 0)::text` })
      .from(payouts)
      .where(inArray(payouts.status, ["waiting", "signed"])),
  ]);
  return BigInt(held?.micro ?? 0) + BigInt(owed?.micro ?? 0);
}

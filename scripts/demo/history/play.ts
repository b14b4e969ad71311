import { desc, eq, inArray, sql } from "drizzle-orm";
import { agents } from "@/server/agents/tables";
import type { Chain } from "@/server/chain/client";
import type { UsdcTransfer } from "@/server/chain/payments/transfers";
import { decodeRecords, type PlacedRecord } from "@/server/chain/registry/decode-records";
import { MAX_BATCH } from "@/server/chain/registry/encode-records";
import type { NewRecord } from "@/server/chain/registry/ledger";
import { usedTransfers } from "@/server/chain/tables";
import { mineLocalBlocks } from "@/server/chain/transactions/finality";
import type { Sender } from "@/server/chain/transactions/sender";
import { disputeSides, disputes, payouts } from "@/server/disputes/tables";
import type { Core, Transaction } from "@/server/lib/context";
import { DAY_SECONDS } from "@/server/lib/time";
import { STAKE_MICRO } from "@/server/lib/usdc";
import { outcomes } from "@/server/outcomes/tables";
import { advancePayout } from "@/server/payouts/pay-out";
import { isWorthAnnouncing } from "@/server/reputation/compute-change";
import { whereAnnounced } from "@/server/reputation/queries";
import { groupLedger } from "@/server/reputation/score/group-ledger";
import { formatUtcDay } from "@/server/reputation/score/public-reputation";
import { computeScore } from "@/server/reputation/score/score";
import { anchors, reputationHistory, reputations } from "@/server/reputation/tables";
import { updateReputation } from "@/server/reputation/update";
import { settleRecords } from "@/server/settlement/settle-transaction";
import { signRecords } from "@/server/settlement/sign-pending";
import { recordings } from "@/server/settlement/tables";
import { openPayments, type Payments } from "./payments";
import { buildRecord } from "./plan-ledger";
import type { Plan, PlannedDispute, PlannedEvent, PlannedOutcome } from "./planned-events";
import {
  buildAgentRow,
  buildAnchorRow,
  buildDisputeRow,
  buildOutcomeRow,
  buildSideRow,
} from "./rows";

/** A local service's database and chain. `core.publish` must do nothing. */
export interface Environment {
  core: Core;
  chain: Chain;
  sender: Sender;
}

/** Time of the daily refresh, in seconds after midnight UTC. */
const REFRESH_SECONDS = 300;
const CONFIRMATION_TIMEOUT_MS = 20_000;

/**
 * Plays a plan into an empty service: sends every payment as a transfer, records every event on
 * chain, and settles it as of its time. Reports the number of finished events as progress.
 */
export async function playHistory(
  environment: Environment,
  plan: Plan,
  { now, onProgress }: { now: Date; onProgress: (done: number, all: number) => void },
): Promise<void> {
  const { core, chain } = environment;
  await core.db.insert(agents).values(plan.agents.map(buildAgentRow));
  const state: State = {
    ...environment,
    payments: await openPayments(chain, plan.agents),
    agentIds: new Map(plan.agents.map(({ id, wallet }) => [wallet, id])),
    outcomes: new Map(),
    anchorSeqs: new Map(),
    placed: [],
    refreshedDay: Math.floor((plan.events[0]?.at ?? 0) / DAY_SECONDS),
  };
  let done = 0;
  for (const batch of groupIntoBatches(plan.events)) {
    await playBatch(state, batch);
    done += batch.length;
    onProgress(done, plan.events.length);
  }
  await runDailyRefreshes(state, now.getTime() / 1_000);
  await updateScores(state, now);
}

interface State extends Environment {
  payments: Payments;
  agentIds: Map<string, string>;
  /** The outcomes played so far. */
  outcomes: Map<string, { planned: PlannedOutcome; evidenceHash: string }>;
  anchorSeqs: Map<string, number>;
  placed: PlacedRecord[];
  /** The last day, counted from 1970, whose refresh is done. */
  refreshedDay: number;
}

/** Groups consecutive outcomes into one transaction; every other record has its own. */
function groupIntoBatches(events: PlannedEvent[]): PlannedEvent[][] {
  const batches: PlannedEvent[][] = [];
  for (const event of events) {
    const last = batches.at(-1);
    const isOutcomeAfterOutcome = event.type === "outcome" && last?.[0]?.type === "outcome";
    if (isOutcomeAfterOutcome && last.length < MAX_BATCH) last.push(event);
    else batches.push([event]);
  }
  return batches;
}

interface PendingRecord {
  event: PlannedEvent;
  subjectId: string;
  record: NewRecord;
}

async function playBatch(state: State, batch: PlannedEvent[]): Promise<void> {
  const { core, chain, sender } = state;
  const payments = await payBatch(state, batch);
  // In one transaction, so that a running service never finds an unsigned record.
  const { transactionId, subjects } = await core.db.transaction(async (tx) => {
    const subjects: PendingRecord[] = [];
    for (const event of batch) subjects.push(await insertEvent(state, tx, event, payments));
    return { transactionId: await signRecords(tx, sender, subjects), subjects };
  });
  await sender.broadcast(transactionId);
  const result = await sender.waitForConfirmation(transactionId, {
    timeoutMs: CONFIRMATION_TIMEOUT_MS,
  });
  if (result.state !== "confirmed") throw new Error(`a transaction of records is ${result.state}`);
  const placed = decodeRecords(result.receipt.logs, chain.registryAddress);
  const rows = await core.db
    .select()
    .from(recordings)
    .where(eq(recordings.transactionId, transactionId));
  for (const { id, subjectId, position } of rows.sort((a, b) => a.position - b.position)) {
    const [subject, found] = [subjects[position], placed[position]];
    if (!found || subject?.subjectId !== subjectId) throw new Error("the chain has another record");
    await runDailyRefreshes(state, subject.event.at);
    await settle(state, { recordingId: id, subject, found });
    state.placed.push(found);
  }
}

/** Sends the transfers that a batch needs. Returns them by outcome id, or by wallet for stakes. */
async function payBatch({ payments, chain, outcomes }: State, batch: PlannedEvent[]) {
  const transfers = new Map<string, UsdcTransfer>();
  for (const event of batch) {
    if (event.type === "outcome" && event.paidMicro > 0) {
      const { requester: from, contractor: to, paidMicro: micro } = event;
      transfers.set(event.id, await payments.pay({ from, to, micro }));
    }
    const outcome = event.type === "dispute" && outcomes.get(event.outcomeId)?.planned;
    if (!outcome) continue;
    for (const from of listStakers(event, outcome)) {
      const stake = { from, to: chain.stakeAddress, micro: Number(STAKE_MICRO) };
      transfers.set(from, await payments.pay(stake));
    }
  }
  return transfers;
}

/** Returns the opener, and the other party if it responds. */
function listStakers(dispute: PlannedDispute, { contractor, requester }: PlannedOutcome): string[] {
  const both = [contractor, requester];
  if (dispute.openedBy === "requester") both.reverse();
  return dispute.answer === null ? both.slice(0, 1) : both;
}

async function insertEvent(
  state: State,
  tx: Transaction,
  event: PlannedEvent,
  payments: Map<string, UsdcTransfer>,
): Promise<PendingRecord> {
  const getSeq = (anchorId: string) => state.anchorSeqs.get(anchorId) ?? 0;
  if (event.type === "anchor") {
    await tx.insert(anchors).values(buildAnchorRow(event));
    return { event, subjectId: event.id, record: buildRecord(event, getSeq) };
  }
  if (event.type === "anchor-revoked") {
    const revokeAskedAt = new Date(event.at * 1_000);
    await tx.update(anchors).set({ revokeAskedAt }).where(eq(anchors.id, event.anchorId));
    return { event, subjectId: event.anchorId, record: buildRecord(event, getSeq) };
  }
  const insertPayment = (key: string, purpose: "payment" | "stake") =>
    insertTransfer(state, tx, payments.get(key), purpose);
  if (event.type === "outcome") {
    const by = event.submittedBy === "contractor" ? event.contractor : event.requester;
    const row = buildOutcomeRow(event, {
      submitterAgentId: state.agentIds.get(by) ?? "",
      payment: event.paidMicro > 0 ? await insertPayment(event.id, "payment") : null,
    });
    await tx.insert(outcomes).values(row);
    state.outcomes.set(event.id, { planned: event, evidenceHash: row.evidenceHash });
    return { event, subjectId: event.id, record: buildRecord(event, getSeq, row.evidenceHash) };
  }
  const disputed = state.outcomes.get(event.outcomeId);
  if (!disputed) throw new Error(`dispute ${event.id} comes before its outcome`);
  const { planned: outcome, evidenceHash: outcomeEvidenceHash } = disputed;
  const row = buildDisputeRow(event, { outcome, outcomeEvidenceHash });
  await tx.insert(disputes).values(row);
  await tx.update(outcomes).set({ disputeId: event.id }).where(eq(outcomes.id, event.outcomeId));
  for (const [index, wallet] of listStakers(event, outcome).entries()) {
    const { id: transferId } = await insertPayment(wallet, "stake");
    const agentId = state.agentIds.get(wallet) ?? "";
    const by = index === 0 ? "opener" : "other";
    await tx.insert(disputeSides).values(buildSideRow(event, by, { agentId, transferId }));
  }
  return { event, subjectId: event.id, record: buildRecord(event, getSeq, row.evidenceHash) };
}

async function insertTransfer(
  { chain }: State,
  tx: Transaction,
  transfer: UsdcTransfer | undefined,
  purpose: "payment" | "stake",
): Promise<{ id: string; txHash: string }> {
  if (!transfer) throw new Error(`a ${purpose} is missing`);
  const [stored] = await tx
    .insert(usedTransfers)
    .values({ chainId: chain.id, purpose, ...transfer })
    .returning({ id: usedTransfers.id, txHash: usedTransfers.txHash });
  if (!stored) throw new Error(`a ${purpose} was not stored`);
  return stored;
}

/** Settles a confirmed record as the service does, as of its time. */
async function settle(
  state: State,
  {
    recordingId,
    subject,
    found,
  }: { recordingId: string; subject: PendingRecord; found: PlacedRecord },
): Promise<void> {
  const { core, sender } = state;
  const { record, place } = found;
  const { event, subjectId } = subject;
  if (event.type === "anchor") state.anchorSeqs.set(event.id, place.seq);
  const now = new Date(event.at * 1_000);
  await settleRecords(core, async () => [{ record, place, subjectId, recordingId, now }]);
  if (record.type !== "dispute") return;
  const pendingPayouts = await core.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(eq(payouts.disputeId, subjectId));
  if (pendingPayouts.length > 0) await mineLocalBlocks(sender.chain);
  for (const { id } of pendingPayouts) await advancePayout(core, sender, id);
}

/**
 * Runs the daily refreshes up to `until`. Stores only the changes that the service would announce: a
 * new tier, or half a point since the last announced score.
 */
async function runDailyRefreshes(state: State, until: number): Promise<void> {
  const { db } = state.core;
  const last = Math.floor((until - REFRESH_SECONDS) / DAY_SECONDS);
  if (last <= state.refreshedDay) return;
  const ledger = groupLedger(state.placed);
  for (let day = state.refreshedDay + 1; day <= last; day++) {
    const now = new Date((day * DAY_SECONDS + REFRESH_SECONDS) * 1_000);
    const stored = await db
      .selectDistinctOn([reputationHistory.wallet], {
        wallet: reputationHistory.wallet,
        tier: reputations.tier,
        announcedE4: reputationHistory.scoreE4,
      })
      .from(reputationHistory)
      .innerJoin(reputations, eq(reputations.wallet, reputationHistory.wallet))
      .where(whereAnnounced)
      .orderBy(reputationHistory.wallet, desc(reputationHistory.version));
    for (const { wallet, tier, announcedE4 } of stored) {
      const records = ledger.getRecordsFor(wallet).map(({ record }) => record);
      const score = computeScore(records, wallet, day * DAY_SECONDS);
      if (score.tier === tier && !isWorthAnnouncing(announcedE4, score.scoreE4)) continue;
      await db.transaction((tx) => updateReputation(tx, { wallet, cause: "day", now }));
    }
  }
  state.refreshedDay = last;
}

/** Updates every score to the current day and marks it as simulated. */
async function updateScores({ core: { db } }: State, now: Date): Promise<void> {
  const simulated = db
    .select({ wallet: agents.wallet })
    .from(agents)
    .where(eq(agents.simulated, true));
  await db
    .update(reputations)
    .set({ simulated: true })
    .where(inArray(reputations.wallet, simulated));
  const outdated = await db
    .select({ wallet: reputations.wallet })
    .from(reputations)
    .where(sql`${reputations.scoreDay} < ${formatUtcDay(now)}`);
  for (const { wallet } of outdated) {
    await db.transaction((tx) => updateReputation(tx, { wallet, cause: "day", now }));
  }
}

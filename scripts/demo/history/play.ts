import { eq, inArray } from "drizzle-orm";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { openTestUsdc, type TestUsdc } from "@/scripts/demo/test-usdc";
import { agents } from "@/server/agents/tables";
import type { UsdcTransfer } from "@/server/chain/payments/transfers";
import { decodeRecords } from "@/server/chain/registry/decode-records";
import { MAX_BATCH } from "@/server/chain/registry/encode-records";
import { usedTransfers } from "@/server/chain/tables";
import { mineLocalBlocks } from "@/server/chain/transactions/finality";
import type { Sender } from "@/server/chain/transactions/sender";
import { disputeSides, disputes, payouts } from "@/server/disputes/tables";
import type { Core, Transaction } from "@/server/lib/context";
import { DAY_SECONDS } from "@/server/lib/time";
import { fromMicro, STAKE_MICRO } from "@/server/lib/usdc";
import { outcomes } from "@/server/outcomes/tables";
import { advancePayout } from "@/server/payouts/pay-out";
import { refreshBatch } from "@/server/reputation/refresh";
import { anchors, reputations } from "@/server/reputation/tables";
import { settleTransaction } from "@/server/settlement/settle-transaction";
import { signRecords } from "@/server/settlement/sign-pending";
import type { Plan, PlannedDispute, PlannedEvent, PlannedOutcome } from "./planned-events";
import {
  buildAgentRow,
  buildAnchorRow,
  buildDisputeRow,
  buildOutcomeRow,
  buildRecord,
  buildSideRow,
} from "./rows";

/** A local service's database and chain. `core.publish` must do nothing. */
export interface Environment {
  core: Core;
  sender: Sender;
  rpcUrl: string;
}

/** Time of the daily refresh, in seconds after midnight UTC. */
const REFRESH_SECONDS = 300;
/** Counted from the daily refresh, so that none is within a batch. */
const BATCH_SECONDS = DAY_SECONDS / 8;
const CONFIRMATION_TIMEOUT_MS = 20_000;
/** More than any agent spends in half a year. */
const FUNDED_USDC = 1_000_000;

/** What has been played so far. */
interface State extends Environment {
  usdc: TestUsdc;
  /** By wallet. */
  agents: Map<string, { id: string; account: PrivateKeyAccount }>;
  outcomes: Map<string, { planned: PlannedOutcome; evidenceHash: string }>;
  /** `seq` of each anchor's record, by the anchor's id. */
  anchorSeqs: Map<string, number>;
  /** The last day, counted from 1970, whose refresh is done. */
  refreshedDay: number;
}

/**
 * Plays a plan into an empty service: sends every payment as a transfer, records every event on
 * chain, and settles it as of its time. Reports the number of finished events as progress.
 */
export async function playHistory(
  environment: Environment,
  plan: Plan,
  { now, onProgress }: { now: Date; onProgress: (done: number, all: number) => void },
): Promise<void> {
  const { core, rpcUrl } = environment;
  const usdc = openTestUsdc({ rpcUrl, usdcAddress: core.chain.usdcAddress });
  if (!usdc) throw new Error("the chain is not local");
  await core.db.insert(agents).values(plan.agents.map(buildAgentRow));
  const state: State = {
    ...environment,
    usdc,
    agents: new Map(
      plan.agents.map(({ id, wallet, privateKey }) => [
        wallet,
        { id, account: privateKeyToAccount(privateKey) },
      ]),
    ),
    outcomes: new Map(),
    anchorSeqs: new Map(),
    refreshedDay: Math.floor((plan.events[0]?.at ?? 0) / DAY_SECONDS),
  };
  for (const agent of state.agents.values()) await usdc.fund(agent, FUNDED_USDC);
  let done = 0;
  for (const batch of groupIntoBatches(plan.events)) {
    await runDailyRefreshes(state, batch[0].at);
    await playBatch(state, batch);
    done += batch.length;
    onProgress(done, plan.events.length);
  }
  await runDailyRefreshes(state, now.getTime() / 1_000);
  // Just after midnight, the last refresh was that of the day before.
  await refresh(state, now);
  const simulated = core.db
    .select({ wallet: agents.wallet })
    .from(agents)
    .where(eq(agents.simulated, true));
  const marked = inArray(reputations.wallet, simulated);
  await core.db.update(reputations).set({ simulated: true }).where(marked);
}

/** Runs the daily refreshes up to `until`, in unix seconds. */
async function runDailyRefreshes(state: State, until: number): Promise<void> {
  const last = Math.floor((until - REFRESH_SECONDS) / DAY_SECONDS);
  while (state.refreshedDay < last) {
    state.refreshedDay += 1;
    const seconds = state.refreshedDay * DAY_SECONDS + REFRESH_SECONDS;
    await refresh(state, new Date(seconds * 1_000));
  }
}

const refresh = ({ core, agents }: State, now: Date) =>
  refreshBatch(core, { now, after: "", size: agents.size });

type Batch = [first: PlannedEvent, ...others: PlannedEvent[]];

/** Groups consecutive outcomes of a few hours into one transaction; every other record has its own. */
function groupIntoBatches(events: PlannedEvent[]): Batch[] {
  const batches: Batch[] = [];
  const slotOf = ({ at }: PlannedEvent) => Math.floor((at - REFRESH_SECONDS) / BATCH_SECONDS);
  for (const event of events) {
    const last = batches.at(-1);
    const areOutcomes = event.type === "outcome" && last?.[0].type === "outcome";
    if (areOutcomes && last.length < MAX_BATCH && slotOf(last[0]) === slotOf(event)) {
      last.push(event);
    } else batches.push([event]);
  }
  return batches;
}

/** Pays what the events need, stores and records them, and settles them as of the time of the last one. */
async function playBatch(state: State, batch: Batch): Promise<void> {
  const { core, sender } = state;
  const payments = new Map<PlannedEvent, UsdcTransfer[]>();
  for (const event of batch) payments.set(event, await payFor(state, event));
  // In one transaction, so that a running service never finds an unsigned record.
  const transactionId = await core.db.transaction(async (tx) => {
    const records = [];
    for (const event of batch) {
      const transfers = await insertTransfers(state, tx, event, payments.get(event) ?? []);
      const evidenceHash = await insertEvent(state, tx, event, transfers);
      const record = buildRecord(event, (id) => state.anchorSeqs.get(id) ?? 0, evidenceHash);
      const subjectId = event.type === "anchor-revoked" ? event.anchorId : event.id;
      records.push({ subjectId, record });
    }
    return signRecords(tx, sender, records);
  });
  await sender.broadcast(transactionId);
  const result = await sender.waitForConfirmation(transactionId, {
    timeoutMs: CONFIRMATION_TIMEOUT_MS,
  });
  if (result.state !== "confirmed") throw new Error(`a transaction of records is ${result.state}`);
  const last = batch.at(-1) ?? batch[0];
  const now = new Date(last.at * 1_000);
  await settleTransaction(core, { transactionId, receipt: result.receipt, now });
  if (last.type === "anchor") {
    const [found] = decodeRecords(result.receipt.logs, core.chain.registryAddress);
    state.anchorSeqs.set(last.id, found?.place.seq ?? 0);
  }
  if (last.type === "dispute") await payOut(state, last);
}

interface Payment {
  from: string;
  to: string;
  micro: number;
}

/** Sends the transfers of an event: a payment, or the stakes of the opener and of a party that responds. */
function payFor({ usdc, agents, ...state }: State, event: PlannedEvent): Promise<UsdcTransfer[]> {
  return Promise.all(
    listPayments(state, event).map(async ({ from, to, micro }) => {
      const payer = agents.get(from);
      if (!payer) throw new Error(`${from} is not a simulated agent`);
      const receipt = await usdc.pay(payer, to, fromMicro(BigInt(micro)));
      const { transactionHash: txHash, blockNumber, blockHash } = receipt;
      return { txHash, logIndex: 0, blockNumber, blockHash, from, to, amountMicro: BigInt(micro) };
    }),
  );
}

function listPayments(
  { core, outcomes }: Pick<State, "core" | "outcomes">,
  event: PlannedEvent,
): Payment[] {
  if (event.type === "outcome" && event.paidMicro > 0) {
    return [{ from: event.requester, to: event.contractor, micro: event.paidMicro }];
  }
  const outcome = event.type === "dispute" && outcomes.get(event.outcomeId)?.planned;
  if (!outcome) return [];
  const stake = { to: core.chain.stakeAddress, micro: Number(STAKE_MICRO) };
  return listStakers(event, outcome).map((from) => ({ from, ...stake }));
}

/** Returns the opener, and the other party if it responds. */
function listStakers(dispute: PlannedDispute, { contractor, requester }: PlannedOutcome): string[] {
  const both = [contractor, requester];
  if (dispute.openedBy === "requester") both.reverse();
  return dispute.answer === null ? both.slice(0, 1) : both;
}

async function insertTransfers(
  { core }: State,
  tx: Transaction,
  event: PlannedEvent,
  payments: UsdcTransfer[],
): Promise<{ id: string; txHash: string }[]> {
  if (payments.length === 0) return [];
  const purpose = event.type === "outcome" ? "payment" : "stake";
  return tx
    .insert(usedTransfers)
    .values(payments.map((payment) => ({ chainId: core.chain.id, purpose, ...payment }) as const))
    .returning({ id: usedTransfers.id, txHash: usedTransfers.txHash });
}

/** Stores the rows of an event. Returns the hash of its evidence; undefined if it has none. */
async function insertEvent(
  state: State,
  tx: Transaction,
  event: PlannedEvent,
  transfers: { id: string; txHash: string }[],
): Promise<string | undefined> {
  const getAgentId = (wallet: string) => state.agents.get(wallet)?.id ?? "";
  if (event.type === "anchor") {
    await tx.insert(anchors).values(buildAnchorRow(event));
    return undefined;
  }
  if (event.type === "anchor-revoked") {
    const revokeAskedAt = new Date(event.at * 1_000);
    await tx.update(anchors).set({ revokeAskedAt }).where(eq(anchors.id, event.anchorId));
    return undefined;
  }
  if (event.type === "outcome") {
    const submitterAgentId = getAgentId(event[event.submittedBy]);
    const row = buildOutcomeRow(event, { submitterAgentId, payment: transfers[0] });
    await tx.insert(outcomes).values(row);
    state.outcomes.set(event.id, { planned: event, evidenceHash: row.evidenceHash });
    return row.evidenceHash;
  }
  const disputed = state.outcomes.get(event.outcomeId);
  if (!disputed) throw new Error(`dispute ${event.id} comes before its outcome`);
  const row = buildDisputeRow(event, disputed);
  await tx.insert(disputes).values(row);
  await tx.update(outcomes).set({ disputeId: event.id }).where(eq(outcomes.id, event.outcomeId));
  for (const [index, wallet] of listStakers(event, disputed.planned).entries()) {
    const agentId = getAgentId(wallet);
    const transferId = transfers[index]?.id ?? "";
    await tx.insert(disputeSides).values(buildSideRow(event, index === 0, { agentId, transferId }));
  }
  return row.evidenceHash;
}

/** Returns the winner's stake. */
async function payOut({ core, sender }: State, { id }: PlannedDispute): Promise<void> {
  const pending = await core.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(eq(payouts.disputeId, id));
  if (pending.length > 0) await mineLocalBlocks(sender.chain);
  for (const payout of pending) await advancePayout(core, sender, payout.id);
}

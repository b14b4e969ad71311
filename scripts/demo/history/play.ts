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
import { payouts } from "@/server/disputes/tables";
import type { Core, Transaction } from "@/server/lib/context";
import { DAY_SECONDS } from "@/server/lib/time";
import { fromMicro, STAKE_MICRO } from "@/server/lib/usdc";
import { advancePayout } from "@/server/payouts/pay-out";
import { refreshBatch } from "@/server/reputation/refresh";
import { reputations } from "@/server/reputation/tables";
import { settleTransaction } from "@/server/settlement/settle-transaction";
import { signRecords } from "@/server/settlement/sign-pending";
import {
  type Plan,
  type PlannedAgent,
  type PlannedDispute,
  type PlannedEvent,
  toRecord,
} from "./planned-events";
import { listStakers, type Played, storeEvent, toDate } from "./store-event";

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
  outcomes: Played["outcomes"];
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

function buildAgentRow(agent: PlannedAgent): typeof agents.$inferInsert {
  const { id, wallet, name, description, categories } = agent;
  const at = toDate(agent.registeredAt);
  const walletVerifiedAt = agent.isWalletVerified ? at : null;
  const times = { walletVerifiedAt, createdAt: at, updatedAt: at };
  return { id, wallet, name, description, categories, ...times, simulated: true };
}

/** Runs the daily refreshes up to `until`, in unix seconds. */
async function runDailyRefreshes(state: State, until: number): Promise<void> {
  const last = Math.floor((until - REFRESH_SECONDS) / DAY_SECONDS);
  while (state.refreshedDay < last) {
    state.refreshedDay += 1;
    const seconds = state.refreshedDay * DAY_SECONDS + REFRESH_SECONDS;
    await refresh(state, toDate(seconds));
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
      const getAgentId = (wallet: string) => state.agents.get(wallet)?.id ?? "";
      const { outcomes, anchorSeqs } = state;
      const evidenceHash = await storeEvent(tx, event, { getAgentId, outcomes, transfers });
      const record = toRecord(event, anchorSeqs, evidenceHash);
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
  const now = toDate(last.at);
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
  return listStakers(event).map((party) => ({ from: outcome[party], ...stake }));
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

/** Returns the winner's stake. */
async function payOut({ core, sender }: State, { id }: PlannedDispute): Promise<void> {
  const pending = await core.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(eq(payouts.disputeId, id));
  if (pending.length > 0) await mineLocalBlocks(sender.chain);
  for (const payout of pending) await advancePayout(core, sender, payout.id);
}

import { and, asc, count, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteUnverifiedRegistration } from "@/server/agents/register";
import type { Sender } from "@/server/chain/transactions/sender";
import type { Engine } from "@/server/engine/engine";
import { engineRuns } from "@/server/engine/tables";
import type { Publish, Transaction } from "@/server/lib/context";
import { acquireMutex } from "@/server/lib/process/mutex";
import { refundOutcome } from "@/server/outcomes/refund";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { wakeRecorder } from "@/server/outcomes/wake-recorder";
import { ledgerRecords } from "@/server/reputation/tables";
import { payUsdc } from "@/server/testing/chain/payments";
import { countWaiting } from "@/server/testing/database";
import { createTestEngine, waitFor } from "@/server/testing/engine/engine";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertJudgedOutcome } from "@/server/testing/fixtures/outcome";
import {
  createRefundableOutcome,
  getFixtureChain,
} from "@/server/testing/fixtures/resolved-outcomes";
import {
  createSettlementFixture,
  type SettlementFixture,
} from "@/server/testing/fixtures/settlement";
import { recordVerdicts } from "./record-verdicts";

const bench = await createSettlementFixture();
let core: SettlementFixture["core"];
let engine: Pick<Engine, "publish" | "stop">;
let agent: TestAgent;
/** Called when the recorder has found what to sign, before it signs. */
let beforeSigning = async () => {};
let broadcast: Sender["broadcast"];
beforeAll(async () => {
  const publish: Publish = (tx, events) => engine.publish(tx, events);
  core = { ...bench.core, publish };
  const sender: Sender = {
    ...bench.sender,
    async signTransaction(tx, request) {
      await beforeSigning();
      return bench.sender.signTransaction(tx, request);
    },
    broadcast: (transactionId) => broadcast(transactionId),
  };
  const created = createTestEngine(bench.databaseUrl, [recordVerdicts]);
  engine = created;
  await created.start({ core, sender });
});
afterAll(async () => {
  await engine.stop();
  await bench.close();
});
beforeEach(async () => {
  beforeSigning = async () => {};
  broadcast = bench.sender.broadcast;
  agent = await createTestAgent(core);
});

/** Stores a verdict without waking the recorder. Returns the outcome's id. */
const insertVerdict = async (tx: Transaction) => (await insertJudgedOutcome({ db: tx }, agent)).id;

/** Stores a verdict and wakes the recorder, as `judgeAndStoreOutcome` does. */
const storeVerdict = () =>
  core.db.transaction(async (tx) => {
    const id = await insertVerdict(tx);
    await wakeRecorder(core, tx);
    return id;
  });

const isResolved = async (id: string) =>
  (await core.db.$count(outcomes, and(eq(outcomes.id, id), eq(outcomes.status, "RESOLVED")))) === 1;

const countRuns = async () =>
  (await core.db.select({ runs: count() }).from(engineRuns))[0]?.runs ?? 0;

describe("a verdict", () => {
  test("starts no run while a wake-up is pending, and is recorded with the others", async () => {
    const before = await countRuns();
    const resume = await acquireMutex("sign-waiting");
    const ids = [await storeVerdict(), await storeVerdict(), await storeVerdict()];
    resume();
    for (const id of ids) await waitFor(() => isResolved(id));
    expect((await countRuns()) - before).toBe(1);
    const rows = await core.db.select().from(outcomes).where(inArray(outcomes.id, ids));
    expect(new Set(rows.map(({ onChainTx }) => onChainTx)).size).toBe(1);
  });

  test("stored after the recorder's last query is recorded without reconciling", async () => {
    let late: Promise<string> | undefined;
    beforeSigning = async () => {
      late ??= storeVerdict();
      await late;
    };
    const first = await storeVerdict();
    await waitFor(() => isResolved(first));
    const second = (await late) ?? "";
    await waitFor(() => isResolved(second));
  });

  test("is sent by the next step if the node refuses it at first", async () => {
    broadcast = () => {
      broadcast = bench.sender.broadcast;
      return Promise.reject(new Error("the node is down"));
    };
    const id = await storeVerdict();
    await waitFor(() => isResolved(id));
  });

  test("of a transaction that relies on a wake-up is recorded by that", async () => {
    const resume = await acquireMutex("sign-waiting");
    const first = await storeVerdict();
    const second = await core.db.transaction(async (tx) => {
      const id = await insertVerdict(tx);
      await wakeRecorder(core, tx);
      resume();
      await waitFor(async () => (await countWaiting(core.db)) > 0 || (await isResolved(first)));
      return id;
    });
    await waitFor(() => isResolved(first));
    await waitFor(() => isResolved(second));
  });
});

test("one event records pending records and then those that depend on them", async () => {
  await core.db.delete(ledgerRecords);
  const resume = await acquireMutex("sign-waiting");
  const id = await storeVerdict();
  await core.db.transaction((tx) => deleteUnverifiedRegistration(bench.core, tx, agent));
  resume();
  await waitFor(() => isResolved(id));
  const ledger = await waitFor(async () => {
    const rows = await core.db.select().from(ledgerRecords).orderBy(asc(ledgerRecords.seq));
    return rows.length === 2 && rows;
  });
  expect(ledger.map(({ type }) => type)).toEqual(["outcome", "takeover"]);
});

test("an accepted refund is recorded without reconciling", async () => {
  const { contractor, requester, outcome } = await createRefundableOutcome(bench);
  const { transactionHash } = await payUsdc(
    getFixtureChain(bench),
    contractor.account,
    requester.wallet,
    outcome.paidMicro,
  );
  await refundOutcome(
    core,
    { ...contractor, walletVerified: false },
    { outcomeId: outcome.id, refundTxHash: transactionHash },
    new Date(),
  );
  await waitFor(async () => (await core.db.select().from(refunds))[0]?.refundedAt);
});

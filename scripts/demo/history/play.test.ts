import { count, eq, isNull, ne } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runCommand } from "@/scripts/testing/command";
import { agents } from "@/server/agents/tables";
import { openChain } from "@/server/chain/client";
import { chainTransactions } from "@/server/chain/tables";
import { createSender } from "@/server/chain/transactions/sender";
import { payouts } from "@/server/disputes/tables";
import { hashJson } from "@/server/judging/evidence";
import { anchors, ledgerRecords, reputationHistory } from "@/server/reputation/tables";
import { recordings } from "@/server/settlement/tables";
import { startTestService, type TestService } from "@/server/testing/service";
import { planHistory } from "./plan";
import type { Plan, PlannedDispute } from "./planned-events";
import { playHistory } from "./play";
import { requireEmpty } from "./simulate";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

let service: TestService;
let plan: Plan;

// Plays while the service runs on the same database and chain, as the command allows.
beforeAll(async () => {
  service = await startTestService();
  const { core } = service.runtime;
  const { db, log } = core;
  const chain = await openChain({ ...service.chain, confirmations: 1, isLocal: true });
  // Fixed, because the history of another time may have no disputes.
  const now = new Date("2026-11-21T10:30:00Z");
  plan = planHistory({ seed: 1, now: now.getTime() / 1_000, scale: 0.02 });
  await playHistory(
    {
      core: { ...core, publish: async () => {} },
      sender: createSender({ db, chain, log }),
      rpcUrl: service.chain.rpcUrl,
    },
    plan,
    { now, onProgress: () => {} },
  );
});
afterAll(() => service.close());

const get = async (path: string) => (await service.call("GET", path)).body;
const listDisputes = () =>
  plan.events.filter((event): event is PlannedDispute => event.type === "dispute");

test("records every planned event, and the service agrees with the chain", async () => {
  const { db } = service.database;
  expect(listDisputes().length).toBeGreaterThan(0);
  expect(await db.select({ n: count() }).from(ledgerRecords)).toEqual([{ n: plan.events.length }]);
  expect(await db.select().from(recordings).where(isNull(recordings.settledAt))).toEqual([]);
  const base = service.base.replace("/api/v1", "");
  const { code, stdout, stderr } = await runCommand("verify", ["--url", base]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("Everything agrees.");
});

test("changes scores at the times of the planned events", async () => {
  const { db } = service.database;
  const changes = await db.select().from(reputationHistory);
  const planned = new Set(plan.events.map(({ at }) => at * 1_000));
  for (const { cause, at } of changes) {
    if (cause !== "day") expect(planned).toContain(at.getTime());
  }
  const causes = new Set(changes.map(({ cause }) => cause));
  expect([...causes]).toEqual(expect.arrayContaining(["outcome", "dispute"]));
  const [revoked] = await db.select().from(anchors).where(ne(anchors.revokedSeq, 0));
  expect(revoked).toBeDefined();
});

test("marks agents, outcomes, disputes and scores as simulated", async () => {
  const [agent] = plan.agents;
  const wallet = agent?.wallet;
  expect(await get(`/agents/${wallet}`)).toMatchObject({
    simulated: true,
    reputation: { simulated: true },
  });
  expect(await get(`/reputation/${wallet}`)).toMatchObject({ simulated: true });
  const [entry] = (await get("/explore/leaderboard")).content;
  expect(entry).toMatchObject({ simulated: true });
  expect((await get(`/explore/search?q=${agent?.name}`)).content).toMatchObject([
    { simulated: true },
  ]);
  const [outcome] = (await get(`/agents/${wallet}/outcomes`)).content;
  expect(outcome).toMatchObject({ simulated: true, judge: { id: "simulated" } });
  const [dispute] = listDisputes();
  expect(await get(`/disputes/${dispute?.id}`)).toMatchObject({ simulated: true });
});

test("records the hash of evidence that is marked as simulated", async () => {
  const ledger = await (await fetch(`${service.base}/ledger`)).text();
  const entries = ledger.trim().split("\n");
  const record = entries.map((line) => JSON.parse(line)).find(({ type }) => type === "outcome");
  const { evidence } = await get(`/outcome/${record.id}`);
  expect(evidence).toMatchObject({ outcomeId: record.id, simulated: true });
  expect(hashJson(evidence)).toBe(record.evidenceHash);
});

test("makes payments and stakes by transfers, and returns every winner's stake", async () => {
  const { db } = service.database;
  const paid = plan.events.find((event) => event.type === "outcome" && event.paidMicro > 0);
  const outcome = await get(`/outcome/${paid && "id" in paid ? paid.id : ""}`);
  const receipt = await service.runtime.core.chain.client.getTransactionReceipt({
    hash: outcome.paymentTxHash,
  });
  expect(receipt.status).toBe("success");
  expect(await db.select().from(payouts).where(ne(payouts.status, "paid"))).toEqual([]);
  expect(
    await db.select().from(chainTransactions).where(eq(chainTransactions.status, "signed")),
  ).toEqual([]);
});

test("no other history is played into the same service", async () => {
  await expect(requireEmpty(service.runtime.core)).rejects.toThrow(
    /needs an empty service.* has \d+ agents and \d+ records/,
  );
});

test("does not mark an agent that registers later", async () => {
  const real = await service.agent();
  expect(await get(`/agents/${real.wallet}`)).not.toHaveProperty("simulated");
  const { db } = service.database;
  const rows = await db.select().from(agents).where(eq(agents.simulated, false));
  expect(rows.map(({ wallet }) => wallet)).toEqual([real.wallet]);
});

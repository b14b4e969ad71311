import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import postgres from "postgres";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { agents } from "@/server/agents/tables";
import { createPublish } from "@/server/bootstrap/functions";
import type { AppEvent, Transaction } from "@/server/lib/context";
import { Database } from "@/server/lib/database";
import { outcomes } from "@/server/outcomes/tables";
import { outcomeResolved } from "@/server/settlement/events";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { buildRecordedRow } from "@/server/testing/fixtures/outcome";
import {
  createPaidOutcome,
  createWallet,
  insertLedger,
} from "@/server/testing/fixtures/sample-ledger";
import { createScoreEvent } from "@/server/testing/fixtures/score-event";
import { announce } from "./announce";
import { announcementDeferred, deliveryDue } from "./events";
import { createWebhook } from "./manage-webhooks";
import { type WebhookEvent, webhookPayloads } from "./schema";
import { buildPayload, deriveEventId } from "./signature";
import { webhookDeliveries, webhooks } from "./tables";

const database = await createTestDatabase();
const core = createTestCore(database);
afterAll(database.close);

const AT = new Date("2026-11-21T12:00:00.000Z");
const HASH = `0x${"ab".repeat(32)}`;

const createHook = async (agentId: string, events: WebhookEvent[]) =>
  (await createWebhook(core, { id: agentId }, { url: "https://agent.example/hook", events }))
    .webhookId;

const readDeliveries = (webhookId: string) =>
  core.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId));

async function resolvedOutcome(
  contractor: string,
  requester: string,
  change: Partial<typeof outcomes.$inferInsert> = {},
): Promise<string> {
  const texts = { taskDescription: "private words", deliverableContent: "private work" };
  const record = { confidencePpm: 910_000, evidenceHash: HASH, resolvedAt: AT, onChainTx: HASH };
  const row = buildRecordedRow({ contractor, requester, ...texts, ...record, ...change });
  const [stored] = await core.db.insert(outcomes).values(row).returning({ id: outcomes.id });
  return stored?.id ?? "";
}

const announceAll = (events: AppEvent[]) => core.db.transaction((tx) => announce(tx, events, AT));

const resolvedEvent = (outcomeId: string, scoreImpact = 0): AppEvent => ({
  id: `outcome-resolved:${outcomeId}`,
  name: outcomeResolved.name,
  data: { outcomeId, scoreImpact },
});

/** Runs `during` while a transaction that `change` began is open, and then rolls it back. */
async function whileOpen(change: (tx: Transaction) => unknown, during: () => Promise<void>) {
  const rolledBack = core.db.transaction(async (tx) => {
    await change(tx);
    await during();
    tx.rollback();
  });
  await expect(rolledBack).rejects.toThrow("Rollback");
}

describe("outcome.resolved", () => {
  it("states the day from which a reported failure counts", async () => {
    const contractor = await createTestAgent(core);
    const webhookId = await createHook(contractor.id, ["outcome.resolved"]);
    const reported = { verdict: "FAILURE", submittedBy: "requester" } as const;
    const parties = { contractor: contractor.wallet, requester: createWallet(100) };
    const outcomeId = await resolvedOutcome(parties.contractor, parties.requester, {
      ...reported,
      paidMicro: 20_000_000n,
    });
    const resolvedAt = AT.getTime() / 1000;
    const record = createPaidOutcome(1, { id: outcomeId, ...parties, ...reported, resolvedAt });
    // Reads the ledger as the announcing transaction wrote it.
    await core.db.transaction(async (tx) => {
      await insertLedger(tx, [record], 1);
      await announce(tx, [resolvedEvent(outcomeId)], AT);
    });
    const [stored] = await readDeliveries(webhookId);
    expect(JSON.parse(stored?.payload ?? "").data).toMatchObject({
      countsFrom: "2026-11-24T00:00:00.000Z",
      scoreImpact: 0,
    });
  });

  it("goes to the subscribed webhooks of both parties, with one payload", async () => {
    const [contractor, requester, stranger] = await Promise.all([
      createTestAgent(core),
      createTestAgent(core),
      createTestAgent(core),
    ]);
    const subscribed = [
      await createHook(contractor.id, ["outcome.resolved"]),
      await createHook(contractor.id, ["score.updated", "outcome.resolved"]),
      await createHook(requester.id, ["outcome.resolved"]),
    ];
    const others = [
      await createHook(contractor.id, ["score.updated"]),
      await createHook(stranger.id, ["outcome.resolved"]),
    ];
    const outcomeId = await resolvedOutcome(contractor.wallet, requester.wallet);
    const due = await announceAll([resolvedEvent(outcomeId, 1.75)]);

    const stored = (await Promise.all(subscribed.map(readDeliveries))).flat();
    expect(stored).toHaveLength(3);
    expect(new Set(stored.map(({ payload }) => payload)).size).toBe(1);
    expect((await Promise.all(others.map(readDeliveries))).flat()).toEqual([]);
    expect(due.map(({ name }) => name)).toEqual(Array(3).fill(deliveryDue.name));
    expect(due.map(({ data }) => data.deliveryId).sort()).toEqual(
      stored.map(({ id }) => id).sort(),
    );

    const payload = JSON.parse(stored[0]?.payload ?? "");
    expect(webhookPayloads["outcome.resolved"].payload.parse(payload)).toEqual(payload);
    expect(payload).toMatchObject({
      id: stored[0]?.eventId,
      event: "outcome.resolved",
      timestamp: AT.toISOString(),
      data: {
        outcomeId,
        status: "RESOLVED",
        verdict: "SUCCESS",
        onChainTx: HASH,
        agentAddress: contractor.wallet,
        scoreImpact: 1.75,
      },
    });
    expect(stored[0]?.payload).not.toContain("private");
  });

  it("is delivered once even if announced again or concurrently", async () => {
    const [contractor, requester] = await Promise.all([
      createTestAgent(core),
      createTestAgent(core),
    ]);
    const webhookId = await createHook(contractor.id, ["outcome.resolved"]);
    const outcomeId = await resolvedOutcome(contractor.wallet, requester.wallet);
    const due = await Promise.all([1, 2, 3, 4].map(() => announceAll([resolvedEvent(outcomeId)])));
    expect(due.flat()).toHaveLength(1);
    const [before] = await readDeliveries(webhookId);
    expect(await announceAll([resolvedEvent(outcomeId, 5)])).toEqual([]);
    expect(await readDeliveries(webhookId)).toEqual([before]);
  });
});

describe("score.updated", () => {
  it("goes to the wallet's own agent, one delivery per version", async () => {
    const [agent, other] = await Promise.all([createTestAgent(core), createTestAgent(core)]);
    const own = await createHook(agent.id, ["score.updated"]);
    const foreign = await createHook(other.id, ["score.updated"]);
    await announceAll([createScoreEvent(agent.wallet, 3)]);
    await announceAll([createScoreEvent(agent.wallet, 3)]);
    await announceAll([createScoreEvent(agent.wallet, 4)]);
    const stored = await readDeliveries(own);
    expect(stored.map(({ payload }) => JSON.parse(payload).data.version)).toEqual([3, 4]);
    expect(await readDeliveries(foreign)).toEqual([]);
    const payload = JSON.parse(stored[0]?.payload ?? "");
    expect(webhookPayloads["score.updated"].payload.parse(payload)).toEqual(payload);
    expect(payload.data).toMatchObject({ score: 50, previousScore: 0, tier: "NEWCOMER" });
  });

  it("skips disabled webhooks and unregistered wallets", async () => {
    const agent = await createTestAgent(core);
    const webhookId = await createHook(agent.id, ["score.updated"]);
    await core.db.update(webhooks).set({ status: "disabled" }).where(eq(webhooks.id, webhookId));
    expect(await announceAll([createScoreEvent(agent.wallet, 1)])).toEqual([]);
    await core.db.delete(agents).where(eq(agents.id, agent.id));
    expect(await announceAll([createScoreEvent(agent.wallet, 2)])).toEqual([]);
  });
});

describe("a batch of events", () => {
  it("gives each webhook the events that it is subscribed to", async () => {
    const [one, other] = await Promise.all([createTestAgent(core), createTestAgent(core)]);
    const hooks = {
      both: await createHook(one.id, ["score.updated", "outcome.resolved"]),
      outcomes: await createHook(other.id, ["outcome.resolved"]),
    };
    const [first, second] = [
      await resolvedOutcome(one.wallet, other.wallet),
      await resolvedOutcome(one.wallet, createWallet(7)),
    ];
    await announceAll([
      resolvedEvent(first, 1),
      resolvedEvent(second, 2),
      createScoreEvent(one.wallet, 1),
      createScoreEvent(other.wallet, 1),
      createScoreEvent(one.wallet, 2),
    ]);
    const read = async (webhookId: string) =>
      (await readDeliveries(webhookId))
        .map(({ payload }) => JSON.parse(payload))
        .map(({ event, data }) => [event, data.outcomeId ?? data.version, data.scoreImpact]);
    const outcomesOfOne = [
      ["outcome.resolved", first, 1],
      ["outcome.resolved", second, 2],
    ];
    expect(await read(hooks.both)).toHaveLength(4);
    expect(await read(hooks.both)).toEqual(
      expect.arrayContaining([
        ...outcomesOfOne,
        ["score.updated", 1, undefined],
        ["score.updated", 2, undefined],
      ]),
    );
    expect(await read(hooks.outcomes)).toEqual(outcomesOfOne.slice(0, 1));
  });

  it("costs one statement and no event without a subscriber", async () => {
    const agent = await createTestAgent(core);
    await createHook(agent.id, ["dispute.opened"]);
    const outcomeId = await resolvedOutcome(agent.wallet, createWallet(8));
    const statements: string[] = [];
    const pool = postgres(database.url, {
      max: 1,
      debug: (_connection, statement) => statements.push(statement),
    });
    const db = new Database(pool);
    const counting = createTestCore(database);
    await db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      statements.length = 0;
      await createPublish(counting.publish)(tx, [
        resolvedEvent(outcomeId),
        createScoreEvent(agent.wallet, 1),
        createScoreEvent(createWallet(8), 1),
      ]);
      expect(statements).toHaveLength(1);
    });
    await pool.end();
    expect(counting.published).toEqual([]);
  });
});

it("a delivery is stored and published together or not at all", async () => {
  const agent = await createTestAgent(core);
  const webhookId = await createHook(agent.id, ["score.updated"]);
  const failing = createPublish(async () => {
    throw new Error("no engine");
  });
  await expect(
    core.db.transaction((tx) => failing(tx, [createScoreEvent(agent.wallet, 1)])),
  ).rejects.toThrow("no engine");
  expect(await readDeliveries(webhookId)).toEqual([]);
});

it("an event is passed to the engine only if it starts a function", async () => {
  const events = [
    createScoreEvent(createWallet(9), 1),
    { id: "submitted:1", name: "outcome/submitted", data: {} },
  ];
  const passed: AppEvent[] = [];
  const publish = createPublish(async (_tx, given) => void passed.push(...given));
  await core.db.transaction((tx) => publish(tx, events));
  expect(passed).toEqual(events.slice(1));
});

describe("while a webhook is being deleted", () => {
  it("its events are deferred, and those of others are not", async () => {
    const [agent, requester] = await Promise.all([createTestAgent(core), createTestAgent(core)]);
    const deleted = await createHook(agent.id, ["outcome.resolved", "score.updated"]);
    const other = await createHook(requester.id, ["outcome.resolved"]);
    const outcomeId = await resolvedOutcome(agent.wallet, requester.wallet);
    const events = [resolvedEvent(outcomeId), createScoreEvent(agent.wallet, 1)];
    await whileOpen(
      (tx) => tx.delete(webhooks).where(eq(webhooks.id, deleted)),
      async () => {
        const [due, ...deferred] = await announceAll(events);
        expect(due).toMatchObject({ name: deliveryDue.name, data: { webhookId: other } });
        expect(deferred.map(({ name }) => name)).toEqual(Array(2).fill(announcementDeferred.name));
        expect(deferred.map(({ data }) => data)).toEqual(events);
        expect(new Set(deferred.map(({ id }) => id)).size).toBe(2);
      },
    );
    // The deletion was rolled back.
    expect(await announceAll(events)).toHaveLength(2);
    expect(await readDeliveries(deleted)).toHaveLength(2);
    expect(await readDeliveries(other)).toHaveLength(1);
  });

  it("a takeover that waits for an outcome of the announcing transaction is not waited for", async () => {
    const [squatter, requester] = await Promise.all([createTestAgent(core), createTestAgent(core)]);
    const ids = [
      await createHook(squatter.id, ["outcome.resolved"]),
      await createHook(squatter.id, ["outcome.resolved"]),
    ];
    const outcomeId = await resolvedOutcome(squatter.wallet, requester.wallet, {
      submitterAgentId: squatter.id,
    });
    let takeover: Promise<unknown> = Promise.resolve();
    await core.db.transaction(async (tx) => {
      await tx.update(outcomes).set({ recordIndex: 1 }).where(eq(outcomes.id, outcomeId));
      takeover = core.db.delete(agents).where(eq(agents.id, squatter.id)).execute();
      await waitFor(async () => {
        const [waiting] = await core.db.execute(sql`
          select from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`);
        return waiting;
      });
      await announce(tx, [resolvedEvent(outcomeId)], AT);
    });
    await takeover;
    expect((await Promise.all(ids.map(readDeliveries))).flat()).toEqual([]);
  });
});

it("the id is a UUID derived from the key alone", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(z.uuidv4().safeParse(deriveEventId(one)).success).toBe(false);
      expect(z.uuid().safeParse(deriveEventId(one)).success).toBe(true);
      expect(deriveEventId(one) === deriveEventId(other)).toBe(one === other);
    }),
  );
});

it("the body is id, event, timestamp and data, the same each time", () => {
  const announcement = {
    key: "outcome.resolved:1",
    event: "outcome.resolved",
    at: new Date("2026-11-21T12:00:00Z"),
    data: { text: "grüße", nothing: undefined },
  };
  const { id, body } = buildPayload(announcement);
  expect(body).toBe(
    `{"id":"${id}","event":"outcome.resolved","timestamp":"2026-11-21T12:00:00.000Z","data":{"text":"grüße"}}`,
  );
  expect(buildPayload(announcement)).toEqual({ id, body });
});

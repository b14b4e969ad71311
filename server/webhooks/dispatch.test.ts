import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { agents } from "@/server/agents/tables";
import { outcomes } from "@/server/outcomes/tables";
import { scoreUpdated } from "@/server/reputation/events";
import { outcomeResolved } from "@/server/settlement/events";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import {
  createPaidOutcome,
  createWallet,
  insertLedger,
} from "@/server/testing/fixtures/sample-ledger";
import { createAnnouncement } from "./announcements";
import { buildPayload, deriveEventId, dispatchAnnouncement } from "./dispatch";
import { createWebhook } from "./manage-webhooks";
import { type WebhookEvent, webhookPayloads } from "./schema";
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
  const [row] = await core.db
    .insert(outcomes)
    .values({
      contractor,
      requester,
      taskDescription: "private words",
      deliverableContent: "private work",
      taskCategory: "research",
      valueMicro: 1_500_000n,
      submittedBy: "contractor",
      proven: false,
      salt: randomBytes(16),
      taskHash: HASH,
      deliverableHash: HASH,
      inputHash: HASH,
      storedAnswer: "{}",
      status: "RESOLVED",
      verdict: "SUCCESS",
      confidencePpm: 910_000,
      reasoning: "It fits.",
      judgeKind: "heuristic",
      judgeId: "builtin-checks/v2",
      evidenceHash: HASH,
      resolvedAt: AT,
      onChainTx: HASH,
      recordIndex: 0,
      ...change,
    })
    .returning({ id: outcomes.id });
  return row?.id ?? "";
}

const announceOutcome = (outcomeId: string, scoreImpact = 0) =>
  createAnnouncement(core.db, { name: outcomeResolved.name, data: { outcomeId, scoreImpact } }, AT);

const announceScore = (walletAddress: string, version: number) => {
  const reputation = {
    walletAddress,
    score: 71.25,
    tier: "TRUSTED",
    ceiling: { score: 80, liftedBy: "anchor" },
    totalOutcomes: 9,
    confirmedOutcomes: 8,
    successRate: 1,
    disputeRate: 0,
    categoryScores: { research: 71.25 },
    lastUpdated: AT.toISOString(),
    scoreDay: "2026-11-21",
  };
  const data = { reputation, previousScore: 69.5, version };
  return createAnnouncement(core.db, { name: scoreUpdated.name, data }, AT);
};

describe("outcome.resolved", () => {
  it("states the day from which a reported failure counts", async () => {
    const [contractor, requester] = [createWallet(1), createWallet(100)];
    const reported = { verdict: "FAILURE", submittedBy: "requester" } as const;
    const outcomeId = await resolvedOutcome(contractor, requester, {
      ...reported,
      paidMicro: 20_000_000n,
    });
    const resolvedAt = AT.getTime() / 1000;
    await insertLedger(
      core.db,
      [createPaidOutcome(1, { id: outcomeId, ...reported, resolvedAt })],
      1,
    );
    const { data } = await announceOutcome(outcomeId);
    expect(data).toMatchObject({ countsFrom: "2026-11-24T00:00:00.000Z", scoreImpact: 0 });
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
    const announcement = await announceOutcome(outcomeId, 1.75);
    expect(await dispatchAnnouncement(core, announcement)).toBe(3);

    const stored = (await Promise.all(subscribed.map(readDeliveries))).flat();
    expect(stored).toHaveLength(3);
    expect(new Set(stored.map(({ payload }) => payload)).size).toBe(1);
    expect((await Promise.all(others.map(readDeliveries))).flat()).toEqual([]);
    expect(core.published.slice(-3).map(({ data }) => data.deliveryId)).toEqual(
      expect.arrayContaining(stored.map(({ id }) => id)),
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

  it("is delivered once even if dispatched again or concurrently", async () => {
    const [contractor, requester] = await Promise.all([
      createTestAgent(core),
      createTestAgent(core),
    ]);
    const webhookId = await createHook(contractor.id, ["outcome.resolved"]);
    const outcomeId = await resolvedOutcome(contractor.wallet, requester.wallet);
    const announcement = await announceOutcome(outcomeId);
    const added = await Promise.all(
      [1, 2, 3, 4].map(() => dispatchAnnouncement(core, announcement)),
    );
    expect(added.reduce((sum, one) => sum + one, 0)).toBe(1);
    const [before] = await readDeliveries(webhookId);
    await dispatchAnnouncement(core, { ...announcement, data: { changed: true } });
    expect(await readDeliveries(webhookId)).toEqual([before]);
  });
});

describe("score.updated", () => {
  it("goes to the wallet's own agent, one delivery per version", async () => {
    const [agent, other] = await Promise.all([createTestAgent(core), createTestAgent(core)]);
    const own = await createHook(agent.id, ["score.updated"]);
    const foreign = await createHook(other.id, ["score.updated"]);
    await dispatchAnnouncement(core, await announceScore(agent.wallet, 3));
    await dispatchAnnouncement(core, await announceScore(agent.wallet, 3));
    await dispatchAnnouncement(core, await announceScore(agent.wallet, 4));
    const stored = await readDeliveries(own);
    expect(stored.map(({ payload }) => JSON.parse(payload).data.version)).toEqual([3, 4]);
    expect(await readDeliveries(foreign)).toEqual([]);
    const payload = JSON.parse(stored[0]?.payload ?? "");
    expect(webhookPayloads["score.updated"].payload.parse(payload)).toEqual(payload);
    expect(payload.data).toMatchObject({ score: 71.25, previousScore: 69.5, tier: "TRUSTED" });
  });

  it("skips disabled webhooks and unregistered wallets", async () => {
    const agent = await createTestAgent(core);
    const webhookId = await createHook(agent.id, ["score.updated"]);
    await core.db.update(webhooks).set({ status: "disabled" }).where(eq(webhooks.id, webhookId));
    expect(await dispatchAnnouncement(core, await announceScore(agent.wallet, 1))).toBe(0);
    await core.db.delete(agents).where(eq(agents.id, agent.id));
    expect(await dispatchAnnouncement(core, await announceScore(agent.wallet, 2))).toBe(0);
  });
});

it("a delivery is stored and published together or not at all", async () => {
  const agent = await createTestAgent(core);
  const webhookId = await createHook(agent.id, ["score.updated"]);
  const failing = createTestCore(database, {
    publish: async () => {
      throw new Error("no engine");
    },
  });
  await expect(dispatchAnnouncement(failing, await announceScore(agent.wallet, 1))).rejects.toThrow(
    "no engine",
  );
  expect(await readDeliveries(webhookId)).toEqual([]);
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

import { and, eq, sql } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import { issueKey } from "@/server/agents/keys";
import { agents, idempotencyKeys } from "@/server/agents/tables";
import type { Core } from "@/server/lib/context";
import { unseal } from "@/server/lib/seal";
import { toAppError } from "@/server/lib/to-app-error";
import { createCallerFactory, router } from "@/server/lib/trpc";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { expectValidDocument } from "@/server/testing/http/openapi-document";
import { getSealContext } from "./manage-webhooks";
import { webhooksRouter } from "./router";
import { webhookPayloads } from "./schema";
import { webhookDeliveries, webhooks } from "./tables";

const database = await createTestDatabase();
afterAll(database.close);
const core = createTestCore(database);

const createCaller = createCallerFactory(webhooksRouter);
const as = (agent: TestAgent, on: Core = core) =>
  createCaller(createTestContext(on, { apiKey: agent.apiKey }).context);
const refusal = (call: Promise<unknown>) => call.then(() => "accepted", toAppError);

const URL_OF_HOOK = "https://agent.example/hook";
const input = { url: URL_OF_HOOK, events: ["score.updated" as const] };

describe("creating", () => {
  it("returns the webhook with its secret, which is stored sealed and shown once", async () => {
    const agent = await createTestAgent(core);
    const { secret, ...created } = await as(agent).create(input);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created).toMatchObject({ ...input, status: "active", disabledReason: null });
    expect(await as(agent).list()).toEqual([created]);

    const [row] = await core.db.select().from(webhooks).where(eq(webhooks.id, created.webhookId));
    const sealed = row?.sealedSecret ?? Buffer.alloc(0);
    expect(sealed.includes(secret)).toBe(false);
    expect(unseal(core.env, sealed, getSealContext(created.webhookId))).toBe(secret);
    expect(() => unseal(core.env, sealed, getSealContext(agent.id))).toThrow();
  });

  it("stops at ten webhooks per agent, even for twenty concurrent requests", async () => {
    const agent = await createTestAgent(core);
    const results = await Promise.all(
      Array.from({ length: 20 }, () => refusal(as(agent).create(input))),
    );
    expect(results.filter((result) => result === "accepted")).toHaveLength(10);
    for (const result of results) {
      if (result !== "accepted") expect(result).toMatchObject({ code: "too-many-webhooks" });
    }
    expect(await as(agent).list()).toHaveLength(10);

    const [first] = await as(agent).list();
    await as(agent).remove({ webhookId: first?.webhookId ?? "" });
    expect(await refusal(as(agent).create(input))).toBe("accepted");
    expect(await refusal(as(await createTestAgent(core)).create(input))).toBe("accepted");
  });

  it.each([
    "ftp://agent.example/hook",
    "https://user:secret@agent.example/",
    "/hook",
    `https://agent.example/${"a".repeat(2_048)}`,
  ])("refuses the URL %s", async (url) => {
    const agent = await createTestAgent(core);
    expect(await refusal(as(agent).create({ ...input, url }))).toMatchObject({
      code: "invalid-request",
      errors: [{ pointer: "#/url" }],
    });
  });

  it.each([
    { events: [] },
    { events: ["score.updated", "score.updated"] },
    { events: ["outcome.deleted"] },
  ])("refuses $events", async ({ events }) => {
    const agent = await createTestAgent(core);
    const call = as(agent).create({ url: URL_OF_HOOK, events: events as never });
    expect(await refusal(call)).toMatchObject({ code: "invalid-request" });
  });

  it.each([
    "http://10.0.0.1/",
    "http://169.254.169.254/",
    "http://[fd00::1]/",
    "http://0x0a000001/",
  ])("refuses the private address %s at once", async (url) => {
    const agent = await createTestAgent(core);
    expect(await refusal(as(agent).create({ ...input, url }))).toMatchObject({
      code: "invalid-request",
      errors: [{ pointer: "#/url", code: "refused-address" }],
    });
  });

  it("accepts loopback only if allowed", async () => {
    const agent = await createTestAgent(core);
    const url = "http://127.0.0.1:8080/";
    const strict = createTestCore(database, { env: { OUTBOUND_ALLOW_LOOPBACK: false } });
    expect(await refusal(as(agent).create({ ...input, url }))).toBe("accepted");
    expect(await refusal(as(agent, strict).create({ ...input, url }))).toMatchObject({
      code: "invalid-request",
    });
  });

  it("needs a key", async () => {
    const caller = createCaller(createTestContext(core).context);
    expect(await refusal(caller.create(input))).toMatchObject({ code: "unauthenticated" });
  });
});

describe("an Idempotency-Key", () => {
  /** Returns what one request under the key gets, and whether it says that it is a replay. */
  async function call<T>(
    { apiKey }: { apiKey: string },
    key: string,
    run: (caller: ReturnType<typeof createCaller>) => Promise<T>,
  ) {
    const { context, headers } = createTestContext(core, { apiKey, idempotencyKey: key });
    const response = await run(createCaller(context));
    return { text: JSON.stringify(response), response, replayed: headers["idempotent-replayed"] };
  }
  const create = (agent: { apiKey: string }, key: string, changes: object = {}) =>
    call(agent, key, (caller) => caller.create({ ...input, ...changes }));
  const REUSED = { code: "idempotency-key-reused" };
  const whereAgent = ({ id }: TestAgent) => eq(idempotencyKeys.agentId, id);
  const setAge = (agent: TestAgent, age: string) =>
    core.db
      .update(idempotencyKeys)
      .set({ createdAt: sql`now() - ${age}::interval` })
      .where(whereAgent(agent));

  it("repeats the response byte for byte, and creates one webhook, whose secret is stored sealed", async () => {
    const agent = await createTestAgent(core);
    const first = await create(agent, "a key");
    expect(first.replayed).toBeUndefined();
    expect(await create(agent, "a key")).toEqual({ ...first, replayed: "true" });
    expect(await as(agent).list()).toHaveLength(1);
    const [stored] = await core.db.select().from(idempotencyKeys).where(whereAgent(agent));
    expect(stored?.sealedResponse.includes(first.response.secret)).toBe(false);
  });

  it("creates one webhook for ten requests at once", async () => {
    const agent = await createTestAgent(core);
    const all = await Promise.all(Array.from({ length: 10 }, () => create(agent, "a key")));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await as(agent).list()).toHaveLength(1);
  });

  it("is refused for another input, and belongs to its agent and operation", async () => {
    const [agent, other] = [await createTestAgent(core), await createTestAgent(core)];
    const { webhookId } = (await create(agent, "a key")).response;
    const changed = create(agent, "a key", { url: `${URL_OF_HOOK}/2` });
    expect(await refusal(changed)).toMatchObject(REUSED);
    expect((await create(other, "a key")).replayed).toBeUndefined();
    const pinged = await call(agent, "a key", (caller) => caller.ping({ webhookId }));
    expect(pinged).toMatchObject({ response: { event: "ping" }, replayed: undefined });
  });

  it("shows no secret to another API key of the agent", async () => {
    const agent = await createTestAgent(core);
    await create(agent, "a key");
    const { apiKey } = await core.db.transaction((tx) => issueKey(tx, agent.id));
    expect(await refusal(create({ apiKey }, "a key"))).toMatchObject(REUSED);
  });

  it("is not used up by a refused request, and must be printable", async () => {
    const agent = await createTestAgent(core);
    expect(await refusal(create(agent, "a key", { url: "http://10.0.0.1/" }))).toMatchObject({
      code: "invalid-request",
    });
    expect((await create(agent, "a key")).replayed).toBeUndefined();
    for (const key of ["", "é", "a".repeat(256)]) {
      expect(await refusal(create(agent, key))).toMatchObject({
        errors: [{ pointer: "#/header/Idempotency-Key" }],
      });
    }
  });

  it("ends after a day, when its response is deleted, and with its agent", async () => {
    const agent = await createTestAgent(core);
    await create(agent, "first");
    await create(agent, "second");
    await setAge(agent, "23 hours 59 minutes");
    expect((await create(agent, "first")).replayed).toBe("true");
    await setAge(agent, "1 day 1 minute");
    expect((await create(agent, "first")).replayed).toBeUndefined();
    expect(await core.db.$count(idempotencyKeys, whereAgent(agent))).toBe(1);
    await core.db.delete(agents).where(eq(agents.id, agent.id));
    expect(await core.db.$count(idempotencyKeys, whereAgent(agent))).toBe(0);
  });

  it("is kept for the newest thousand requests of an agent", async () => {
    const agent = await createTestAgent(core);
    await core.db.execute(sql`
      insert into idempotency_keys (agent_id, operation, key, input_hash, sealed_response, created_at)
      select ${agent.id}, 'webhooks.create', n, '', '', now() - n * interval '1 second'
      from generate_series(1, 1050) n`);
    await create(agent, "a key");
    expect(await core.db.$count(idempotencyKeys, whereAgent(agent))).toBe(1_001);
    const newest = eq(idempotencyKeys.key, "1000");
    expect(await core.db.$count(idempotencyKeys, and(whereAgent(agent), newest))).toBe(1);
  });

  it("repeats a rotation, so that the previous secret stays the previous one", async () => {
    const agent = await createTestAgent(core);
    const { webhookId, secret } = await as(agent).create(input);
    const rotate = () => call(agent, "a key", (caller) => caller.rotate({ webhookId }));
    const first = await rotate();
    expect(await rotate()).toEqual({ ...first, replayed: "true" });
    const [row] = await core.db.select().from(webhooks).where(eq(webhooks.id, webhookId));
    const previous = row?.previousSealedSecret ?? Buffer.alloc(0);
    expect(unseal(core.env, previous, getSealContext(webhookId))).toBe(secret);
  });

  it("sends one ping, redelivery and replay, whose repetitions count toward no limit", async () => {
    const agent = await createTestAgent(core);
    const { webhookId } = await as(agent).create(input);
    const { deliveryId } = await as(agent).ping({ webhookId });
    await core.db
      .update(webhookDeliveries)
      .set({ status: "failed" })
      .where(eq(webhookDeliveries.webhookId, webhookId));
    const since = new Date(0).toISOString();
    for (let repetition = 0; repetition < 5; repetition += 1) {
      const replayed = repetition > 0 ? "true" : undefined;
      expect(await call(agent, "a", (caller) => caller.replay({ webhookId, since }))).toMatchObject(
        { response: { replayed: 1, remaining: 0 }, replayed },
      );
      await call(agent, "a", (caller) => caller.redeliver({ webhookId, deliveryId }));
      expect(await call(agent, "a", (caller) => caller.ping({ webhookId }))).toMatchObject({
        replayed,
      });
    }
    const { content } = await as(agent).deliveries({ webhookId, page: 0, size: 20 });
    expect(content).toHaveLength(2);
    const [row] = await core.db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.id, deliveryId));
    expect(row?.run).toBe(3);
  });
});

describe("another agent's webhook", () => {
  it("gets the same response as an unknown one in every operation", async () => {
    const owner = await createTestAgent(core);
    const stranger = await createTestAgent(core);
    const { webhookId } = await as(owner).create(input);
    const { deliveryId } = await as(owner).ping({ webhookId });
    const unknown = "0197a3f2-6d1c-7c21-8f3a-0b6d4e9a7c15";
    const callAll = (id: string) => [
      as(stranger).remove({ webhookId: id }),
      as(stranger).deliveries({ webhookId: id, page: 0, size: 20 }),
      as(stranger).ping({ webhookId: id }),
      as(stranger).redeliver({ webhookId: id, deliveryId }),
      as(stranger).get({ webhookId: id }),
      as(stranger).update({ webhookId: id, url: "https://stranger.example/" }),
      as(stranger).rotate({ webhookId: id }),
      as(stranger).replay({ webhookId: id, since: "2026-01-01T00:00:00.000Z" }),
    ];
    const foreign = await Promise.all(callAll(webhookId).map(refusal));
    const missing = await Promise.all(callAll(unknown).map(refusal));
    expect(foreign).toEqual(missing);
    expect(foreign[0]).toMatchObject({ code: "not-found" });
    expect(await as(owner).list()).toMatchObject([{ ...input, previousSecretExpiresAt: null }]);
    expect(await as(stranger).list()).toEqual([]);
  });

  it("does not expose its deliveries through one's own webhook", async () => {
    const owner = await createTestAgent(core);
    const stranger = await createTestAgent(core);
    const { webhookId } = await as(owner).create(input);
    const { deliveryId } = await as(owner).ping({ webhookId });
    const own = await as(stranger).create(input);
    const call = as(stranger).redeliver({ webhookId: own.webhookId, deliveryId });
    expect(await refusal(call)).toMatchObject({ code: "not-found" });
  });
});

describe("changing a webhook", () => {
  it("changes the fields that are sent and keeps the others", async () => {
    const agent = await createTestAgent(core);
    const { secret: _, ...created } = await as(agent).create(input);
    expect(created).toMatchObject({ retrySchedule: "standard", previousSecretExpiresAt: null });
    const { webhookId } = created;
    expect(await as(agent).update({ webhookId, retrySchedule: "day" })).toEqual({
      ...created,
      retrySchedule: "day",
    });
    const url = "https://agent.example/other";
    const changed = { ...created, retrySchedule: "day", url, events: ["outcome.resolved"] };
    expect(await as(agent).update({ webhookId, url, events: ["outcome.resolved"] })).toEqual(
      changed,
    );
    expect(await as(agent).update({ webhookId })).toEqual(changed);
    expect(await as(agent).get({ webhookId })).toEqual(changed);
  });

  it("refuses what creating refuses", async () => {
    const agent = await createTestAgent(core);
    const { webhookId } = await as(agent).create(input);
    for (const change of [
      { url: "http://10.0.0.1/" },
      { url: "ftp://a.example/" },
      { events: [] },
    ]) {
      expect(await refusal(as(agent).update({ webhookId, ...change }))).toMatchObject({
        code: "invalid-request",
      });
    }
    expect(await as(agent).get({ webhookId })).toMatchObject(input);
  });

  it("enables a disabled webhook", async () => {
    const agent = await createTestAgent(core);
    const { webhookId } = await as(agent).create(input);
    await core.db
      .update(webhooks)
      .set({ status: "disabled", disabledReason: "failing", failingSince: new Date(0) })
      .where(eq(webhooks.id, webhookId));
    await as(agent).update({ webhookId, url: "https://agent.example/fixed" });
    expect(await as(agent).get({ webhookId })).toMatchObject({ status: "disabled" });
    expect(await as(agent).update({ webhookId, status: "active" })).toMatchObject({
      status: "active",
      disabledReason: null,
    });
    const [row] = await core.db.select().from(webhooks).where(eq(webhooks.id, webhookId));
    expect(row?.failingSince).toBeNull();
    expect(await refusal(as(agent).ping({ webhookId }))).toBe("accepted");
  });
});

it("the delivery log is filtered by status, event and time", async () => {
  const agent = await createTestAgent(core);
  const { webhookId } = await as(agent).create(input);
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 21, hour));
  const rows = [
    { status: "failed", event: "score.updated", createdAt: at(1) },
    { status: "failed", event: "ping", createdAt: at(2) },
    { status: "delivered", event: "score.updated", createdAt: at(3) },
    { status: "failed", event: "score.updated", createdAt: at(4) },
  ] as const;
  await core.db
    .insert(webhookDeliveries)
    .values(rows.map((row, n) => ({ webhookId, eventId: `event-${n}`, payload: "{}", ...row })));
  const find = async (filter: object) => {
    const page = { webhookId, page: 0, size: 20 };
    const { content, totalElements } = await as(agent).deliveries({ ...page, ...filter });
    expect(totalElements).toBe(content.length);
    return content.map(({ eventId }) => eventId);
  };
  expect(await find({})).toHaveLength(4);
  expect(await find({ status: "failed" })).toEqual(["event-3", "event-1", "event-0"]);
  expect(await find({ event: "ping" })).toEqual(["event-1"]);
  expect(await find({ since: at(3).toISOString() })).toEqual(["event-3", "event-2"]);
  expect(
    await find({ status: "failed", event: "score.updated", since: at(2).toISOString() }),
  ).toEqual(["event-3"]);
});

describe("replaying failed deliveries", () => {
  /** Stores deliveries, a second apart, of which every second one has failed. */
  async function setUp(count: number) {
    const agent = await createTestAgent(core);
    const { webhookId } = await as(agent).create(input);
    const at = (n: number) => new Date(Date.UTC(2026, 10, 21, 0, 0, n));
    await core.db.insert(webhookDeliveries).values(
      Array.from({ length: count }, (_, n) => ({
        webhookId,
        eventId: `event-${n}`,
        event: "score.updated",
        payload: "{}",
        createdAt: at(n),
        ...(n % 2 === 0
          ? { status: "failed" as const, failure: "attempts-used-up" as const }
          : { status: "delivered" as const }),
      })),
    );
    const read = () =>
      core.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId));
    return { agent, webhookId, at, read };
  }

  it("starts a new run of each that was created since the time, and of no other", async () => {
    const { agent, webhookId, at, read } = await setUp(8);
    const since = at(3).toISOString();
    const published = core.published.length;
    expect(await as(agent).replay({ webhookId, since })).toEqual({ replayed: 2, remaining: 0 });
    const again = (await read()).filter(({ run }) => run === 2);
    expect(again.map(({ eventId }) => eventId).toSorted()).toEqual(["event-4", "event-6"]);
    for (const row of again) expect(row).toMatchObject({ status: "pending", failure: null });
    expect(core.published.slice(published)).toMatchObject(
      again.map(({ id }) => ({
        name: "webhook/delivery-due",
        data: { deliveryId: id, webhookId, run: 2 },
      })),
    );
    expect(await as(agent).replay({ webhookId, since })).toEqual({ replayed: 0, remaining: 0 });
  });

  it("starts one run of each, even if calls are concurrent", async () => {
    const { agent, webhookId, at, read } = await setUp(40);
    const since = at(0).toISOString();
    const calls = Array.from({ length: 4 }, () => as(agent).replay({ webhookId, since }));
    const counts = (await Promise.all(calls)).map(({ replayed }) => replayed);
    expect(counts.reduce((sum, count) => sum + count)).toBe(20);
    expect((await read()).filter(({ run }) => run === 2)).toHaveLength(20);
  });

  it("starts a thousand at a time, the oldest first", async () => {
    const { agent, webhookId, at } = await setUp(2_010);
    const since = at(0).toISOString();
    expect(await as(agent).replay({ webhookId, since })).toEqual({ replayed: 1_000, remaining: 5 });
    expect(await as(agent).replay({ webhookId, since })).toEqual({ replayed: 5, remaining: 0 });
  });
});

it("removing a webhook removes its deliveries", async () => {
  const agent = await createTestAgent(core);
  const { webhookId } = await as(agent).create(input);
  await as(agent).ping({ webhookId });
  await as(agent).remove({ webhookId });
  expect(await as(agent).list()).toEqual([]);
  const left = await core.db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, webhookId));
  expect(left).toEqual([]);
  expect(await refusal(as(agent).remove({ webhookId }))).toMatchObject({ code: "not-found" });
});

describe("ping, redeliver and replay", () => {
  it("store a delivery, publish it in the same transaction, and return it", async () => {
    const agent = await createTestAgent(core);
    const { webhookId } = await as(agent).create(input);
    const pinged = await as(agent).ping({ webhookId });
    expect(pinged).toMatchObject({ event: "ping", status: "pending", failure: null, attempts: [] });
    const due = (run: number) => ({
      name: "webhook/delivery-due",
      data: { deliveryId: pinged.deliveryId, webhookId, run },
    });
    expect(core.published.at(-1)).toMatchObject(due(1));

    const again = await as(agent).redeliver({ webhookId, deliveryId: pinged.deliveryId });
    expect(again).toMatchObject({ deliveryId: pinged.deliveryId, eventId: pinged.eventId });
    expect(core.published.at(-1)).toMatchObject(due(2));

    const failing = createTestCore(database, {
      publish: async () => {
        throw new Error("no engine");
      },
    });
    await expect(as(agent, failing).ping({ webhookId })).rejects.toThrow();
    const page = await as(agent).deliveries({ webhookId, page: 0, size: 20 });
    expect(page.totalElements).toBe(1);
  });

  it("are limited to ten a minute together", async () => {
    const agent = await createTestAgent(core);
    const { webhookId } = await as(agent).create(input);
    const { deliveryId } = await as(agent).ping({ webhookId });
    for (let call = 0; call < 5; call += 1) await as(agent).redeliver({ webhookId, deliveryId });
    for (let call = 0; call < 4; call += 1) await as(agent).ping({ webhookId });
    expect(await refusal(as(agent).ping({ webhookId }))).toMatchObject({ code: "rate-limited" });
    expect(await refusal(as(agent).redeliver({ webhookId, deliveryId }))).toMatchObject({
      code: "rate-limited",
    });
  });

  it("are a conflict while the webhook is disabled", async () => {
    const agent = await createTestAgent(core);
    const { webhookId } = await as(agent).create(input);
    const { deliveryId } = await as(agent).ping({ webhookId });
    await core.db
      .update(webhooks)
      .set({ status: "disabled", disabledReason: "gone" })
      .where(eq(webhooks.id, webhookId));
    expect(await refusal(as(agent).ping({ webhookId }))).toMatchObject({ code: "conflict" });
    expect(await refusal(as(agent).redeliver({ webhookId, deliveryId }))).toMatchObject({
      code: "conflict",
    });
    const since = new Date(0).toISOString();
    expect(await refusal(as(agent).replay({ webhookId, since }))).toMatchObject({
      code: "conflict",
    });
    expect(await as(agent).list()).toMatchObject([{ status: "disabled", disabledReason: "gone" }]);
  });
});

it("deliveries are paged, newest first", async () => {
  const agent = await createTestAgent(core);
  const { webhookId } = await as(agent).create(input);
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await as(agent).ping({ webhookId })).deliveryId);
  const page = (number: number) => as(agent).deliveries({ webhookId, page: number, size: 2 });
  const pages = [await page(0), await page(1), await page(2), await page(3)];
  expect(pages.flatMap(({ content }) => content.map(({ deliveryId }) => deliveryId))).toEqual(ids);
  expect(pages[1]).toMatchObject({ totalElements: 5, totalPages: 3, page: 1, size: 2 });
});

describe("the OpenAPI document", () => {
  expectValidDocument(router({ webhooks: webhooksRouter }), webhookPayloads);
});

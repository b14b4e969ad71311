import { eq } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import type { Core } from "@/server/lib/context";
import { unseal } from "@/server/lib/seal";
import { toAppError } from "@/server/lib/to-app-error";
import { createCallerFactory } from "@/server/lib/trpc";
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
    ];
    const foreign = await Promise.all(callAll(webhookId).map(refusal));
    const missing = await Promise.all(callAll(unknown).map(refusal));
    expect(foreign).toEqual(missing);
    expect(foreign[0]).toMatchObject({ code: "not-found" });
    expect(await as(owner).list()).toHaveLength(1);
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

describe("ping and redeliver", () => {
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
  expectValidDocument(webhooksRouter, webhookPayloads);
});

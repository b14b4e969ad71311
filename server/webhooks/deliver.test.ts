import { EventEmitter } from "node:events";
import { eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { readDatabaseTime } from "@/server/lib/database";
import { SECOND_MS } from "@/server/lib/time";
import { createCallerFactory } from "@/server/lib/trpc";
import { requeueOverdue } from "@/server/operations/requeue";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { type Receiver, type ReceiverOptions, startReceiver } from "@/server/testing/http/receiver";
import { attemptDelivery } from "./deliver";
import { webhooksRouter } from "./router";
import { signPayload } from "./signature";
import { webhookDeliveries, webhooks } from "./tables";
import { dueDeliveries } from "./work";

const database = await createTestDatabase();
const core = createTestCore(database);
const receivers: Receiver[] = [];
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));
afterAll(database.close);

const DAY = 24 * 60 * 60 * SECOND_MS;

/** Creates a webhook at a real receiver, with a ping that is due. */
async function setUp(
  options: ReceiverOptions = {},
  overrides: { core?: typeof core; url?: string } = {},
) {
  const receiver = await startReceiver(options);
  receivers.push(receiver);
  const agent = await createTestAgent(core);
  const caller = createCallerFactory(webhooksRouter)(
    createTestContext(core, { apiKey: agent.apiKey }).context,
  );
  const { webhookId, secret } = await caller.create({
    url: overrides.url ?? receiver.url,
    events: ["score.updated"],
  });
  const { deliveryId } = await caller.ping({ webhookId });
  /** Attempts a run of the delivery, with `at` as the time. */
  const attempt = (at = new Date(), run = 1, id = deliveryId) =>
    attemptDelivery(overrides.core ?? core, { deliveryId: id, run }, () => at);
  return {
    receiver,
    caller,
    webhookId,
    secret,
    deliveryId,
    attempt,
    /** Makes every attempt of the first run from `start` on. Returns when the last one was due. */
    async exhaust(start: Date, id = deliveryId) {
      let last = start;
      for (let next = await attempt(start, 1, id); next; next = await attempt(next, 1, id))
        last = next;
      return last;
    },
    async read(id = deliveryId) {
      const page = await caller.deliveries({ webhookId, page: 0, size: 100 });
      const found = page.content.find((delivery) => delivery.deliveryId === id);
      if (!found) throw new Error("the delivery does not exist");
      return found;
    },
    async readWebhook() {
      const [row] = await core.db.select().from(webhooks).where(eq(webhooks.id, webhookId));
      return row;
    },
  };
}

/** Returns when the next attempt is due: `seconds` after the failure of the last logged one. */
function dueAfter(
  seconds: number,
  { attempts }: { attempts: { at: string; latencyMs: number }[] },
) {
  const last = attempts.at(-1);
  return new Date(Date.parse(last?.at ?? "") + (last?.latencyMs ?? 0) + seconds * SECOND_MS);
}

describe("a delivery", () => {
  it("is a signed POST of the stored payload", async () => {
    const { attempt, receiver, secret, read, webhookId } = await setUp();
    expect(await attempt()).toBeNull();
    const [request] = receiver.requests;
    const body = request?.body.toString("utf8") ?? "";
    expect(request).toMatchObject({ method: "POST", url: "/hook" });
    expect(request?.headers["content-type"]).toBe("application/json");
    expect(request?.headers["x-service-signature"]).toBe(signPayload(secret, body));
    const delivery = await read();
    expect(new Webhook(secret).verify(body, request?.headers as Record<string, string>)).toEqual({
      id: delivery.eventId,
      event: "ping",
      timestamp: delivery.attempts.length === 1 && expect.any(String),
      data: { webhookId },
    });
    expect(request?.headers["webhook-id"]).toBe(delivery.eventId);
    expect(delivery).toMatchObject({ status: "delivered", failure: null, nextAttemptAt: null });
    expect(delivery.attempts).toMatchObject([{ run: 1, attempt: 1, status: 204, error: null }]);
  });

  it("is attempted four times: 30 s, 2 min and 10 min after the previous failure", async () => {
    const { attempt, receiver, secret, read } = await setUp({ answer: () => 500 });
    let at = new Date();
    for (const seconds of [30, 120, 600]) {
      const next = await attempt(at);
      const delivery = await read();
      const due = dueAfter(seconds, delivery);
      expect(delivery).toMatchObject({ status: "pending", nextAttemptAt: due.toISOString() });
      expect(next).toEqual(due);
      expect(await attempt(new Date(due.getTime() - 1))).toEqual(due);
      at = due;
    }
    expect(await attempt(at)).toBeNull();
    const delivery = await read();
    expect(delivery).toMatchObject({
      status: "failed",
      failure: "attempts-used-up",
      nextAttemptAt: null,
    });
    expect(delivery.attempts.map(({ attempt, status, error }) => [attempt, status, error])).toEqual(
      [1, 2, 3, 4].map((n) => [n, 500, "status"]),
    );
    expect(await attempt(new Date(at.getTime() + DAY))).toBeNull();

    const sent = receiver.requests;
    expect(sent).toHaveLength(4);
    for (const { body, headers } of sent) {
      expect(body.equals(sent[0]?.body ?? Buffer.alloc(0))).toBe(true);
      expect(headers["webhook-id"]).toBe(delivery.eventId);
      expect(headers["x-service-signature"]).toBe(signPayload(secret, body.toString()));
    }
    // Each attempt has its own timestamp and signature.
    expect(sent.map(({ headers }) => Number(headers["webhook-timestamp"]))).toEqual(
      delivery.attempts.map(({ at }) => Math.floor(Date.parse(at) / SECOND_MS)),
    );
    expect(new Set(sent.map(({ headers }) => headers["webhook-signature"])).size).toBe(4);
  });

  it("is attempted ten times over 24 hours with the schedule `day`", async () => {
    const { exhaust, caller, webhookId, read, receiver } = await setUp({ answer: () => 500 });
    await caller.update({ webhookId, retrySchedule: "day" });
    const start = new Date();
    const last = await exhaust(start);
    expect(receiver.requests).toHaveLength(10);
    const { attempts } = await read();
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(last.getTime() - start.getTime()).toBeGreaterThanOrEqual(DAY);
  });

  it("uses the database's clock even if the process clock is wrong", async () => {
    const { deliveryId, read, receiver } = await setUp({ answer: () => 500 });
    const before = await readDatabaseTime(core.db);
    vi.useFakeTimers({ now: Date.now() + DAY, toFake: ["Date"] });
    try {
      const next = await attemptDelivery(core, { deliveryId, run: 1 });
      expect(await attemptDelivery(core, { deliveryId, run: 1 })).toEqual(next);
    } finally {
      vi.useRealTimers();
    }
    const { attempts, nextAttemptAt } = await read();
    const after = await readDatabaseTime(core.db);
    const at = Date.parse(attempts[0]?.at ?? "");
    expect(at).toBeGreaterThanOrEqual(before.getTime());
    expect(at).toBeLessThanOrEqual(after.getTime());
    expect(nextAttemptAt).toBe(dueAfter(30, { attempts }).toISOString());
    expect(receiver.requests).toHaveLength(1);
  });

  it("is due at once for every process, even if the storing process has a wrong clock", async () => {
    vi.useFakeTimers({ now: Date.now() + DAY, toFake: ["Date"] });
    const { deliveryId, read } = await setUp().finally(() => vi.useRealTimers());
    expect(await attemptDelivery(core, { deliveryId, run: 1 })).toBeNull();
    expect(await read()).toMatchObject({ status: "delivered" });
  });

  it("is delivered if a retry succeeds", async () => {
    const { attempt, read } = await setUp({ answer: (_, index) => (index === 0 ? 503 : 200) });
    await attempt((await attempt()) ?? undefined);
    expect(await read()).toMatchObject({
      status: "delivered",
      attempts: [{ status: 503 }, { status: 200 }],
    });
  });

  it("fails if redirected, without following the redirect", async () => {
    const target = await startReceiver();
    receivers.push(target);
    const { attempt, read } = await setUp({
      answer: () => (response) => response.writeHead(307, { location: target.url }).end(),
    });
    expect(await attempt()).toEqual(expect.any(Date));
    expect((await read()).attempts).toMatchObject([{ status: 307, error: "redirect" }]);
    expect(target.requests).toEqual([]);
  });

  it("fails as `refused-address` if the address is not public", async () => {
    const strict = createTestCore(database, { env: { OUTBOUND_ALLOW_LOOPBACK: false } });
    const { attempt, read, receiver } = await setUp({}, { core: strict });
    expect(await attempt()).toEqual(expect.any(Date));
    expect((await read()).attempts).toMatchObject([{ status: null, error: "refused-address" }]);
    expect(receiver.requests).toEqual([]);
  });
});

describe("after a rotation of the secret", () => {
  it("a delivery has a signature of each secret for 24 hours, then of the new one", async () => {
    const { caller, webhookId, secret: previous, attempt, receiver } = await setUp();
    const { secret, previousSecretExpiresAt } = await caller.rotate({ webhookId });
    expect(secret).not.toBe(previous);
    const end = new Date(previousSecretExpiresAt ?? "");
    const now = await readDatabaseTime(core.db);
    expect(Math.abs(end.getTime() - now.getTime() - DAY)).toBeLessThan(60 * SECOND_MS);
    const isSignedBy = (key: string, index: number) => {
      const { body, headers } = receiver.requests[index] ?? {};
      vi.useFakeTimers({ now: Number(headers?.["webhook-timestamp"]) * 1000, toFake: ["Date"] });
      try {
        new Webhook(key).verify(`${body}`, headers as Record<string, string>);
        return true;
      } catch {
        return false;
      } finally {
        vi.useRealTimers();
      }
    };
    await attempt(new Date(end.getTime() - SECOND_MS));
    expect([isSignedBy(secret, 0), isSignedBy(previous, 0)]).toEqual([true, true]);
    const { body, headers } = receiver.requests[0] ?? {};
    // It has room for one signature, so that a receiver with the previous secret goes on working.
    expect(headers?.["x-service-signature"]).toBe(signPayload(previous, `${body}`));

    const { deliveryId } = await caller.ping({ webhookId });
    await attempt(end, 1, deliveryId);
    expect([isSignedBy(secret, 1), isSignedBy(previous, 1)]).toEqual([true, false]);
    const later = receiver.requests[1];
    expect(later?.headers["x-service-signature"]).toBe(signPayload(secret, `${later?.body}`));
  });

  it("a second rotation ends the first secret", async () => {
    const { caller, webhookId, attempt, receiver } = await setUp();
    const second = await caller.rotate({ webhookId });
    const third = await caller.rotate({ webhookId });
    await attempt();
    const { body, headers } = receiver.requests[0] ?? {};
    const verify = (key: string) => () =>
      new Webhook(key).verify(`${body}`, headers as Record<string, string>);
    expect(verify(second.secret)).not.toThrow();
    expect(verify(third.secret)).not.toThrow();
    expect(String(headers?.["webhook-signature"]).split(" ")).toHaveLength(2);
  });
});

describe("an attempt", () => {
  it("is made once by concurrent runs", async () => {
    const { attempt, read, receiver } = await setUp();
    const at = new Date();
    await Promise.all(Array.from({ length: 8 }, () => attempt(at)));
    expect(receiver.requests).toHaveLength(1);
    expect((await read()).attempts).toHaveLength(1);
  });

  it("is repeated after its claim expires if its process died", async () => {
    const { attempt, read, deliveryId } = await setUp();
    const at = new Date();
    const claimedUntil = new Date(at.getTime() + 30 * SECOND_MS);
    await core.db
      .update(webhookDeliveries)
      .set({ claimedUntil })
      .where(eq(webhookDeliveries.id, deliveryId));
    expect(await attempt(at)).toEqual(claimedUntil);
    expect(await attempt(claimedUntil)).toBeNull();
    expect(await read()).toMatchObject({ status: "delivered", attempts: [{ attempt: 1 }] });
  });

  it("is neither repeated nor logged twice when its step runs again", async () => {
    const { attempt, read, receiver } = await setUp({ answer: () => 500 });
    const at = new Date();
    const next = await attempt(at);
    expect(await attempt(at)).toEqual(next);
    expect(receiver.requests).toHaveLength(1);
    expect((await read()).attempts).toHaveLength(1);
  });
});

describe("a webhook", () => {
  it("is disabled by a 410, and its pending deliveries fail", async () => {
    const { attempt, read, readWebhook, caller, webhookId, receiver } = await setUp({
      answer: () => 410,
    });
    const other = await caller.ping({ webhookId });
    expect(await attempt()).toBeNull();
    expect(await read()).toMatchObject({ status: "failed", failure: "gone", nextAttemptAt: null });
    expect(await readWebhook()).toMatchObject({ status: "disabled", disabledReason: "gone" });

    expect(await attempt(new Date(), 1, other.deliveryId)).toBeNull();
    expect(await read(other.deliveryId)).toMatchObject({
      status: "failed",
      failure: "webhook-disabled",
      nextAttemptAt: null,
      attempts: [],
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it("is not called after its deletion", async () => {
    const { attempt, caller, webhookId, receiver } = await setUp();
    await caller.remove({ webhookId });
    expect(await attempt()).toBeNull();
    expect(receiver.requests).toEqual([]);
  });

  it("leaves no rows if deleted during a call", async () => {
    const gate = new EventEmitter();
    const { attempt, caller, webhookId, receiver } = await setUp({
      answer: () => (response) => void gate.once("open", () => response.writeHead(500).end()),
    });
    const attempted = attempt();
    await receiver.waitFor(1);
    await caller.remove({ webhookId });
    gate.emit("open");
    expect(await attempted).toBeNull();
  });

  it("is disabled after five days of failed deliveries", async () => {
    const { exhaust, caller, webhookId, readWebhook } = await setUp({ answer: () => 500 });
    const start = new Date();
    await exhaust(start);
    const failingSince = (await readWebhook())?.failingSince;
    expect(failingSince?.getTime()).toBeGreaterThan(start.getTime() + 750 * SECOND_MS);

    const second = await caller.ping({ webhookId });
    await exhaust(new Date(start.getTime() + 4 * DAY), second.deliveryId);
    expect(await readWebhook()).toMatchObject({ status: "active", failingSince });

    const third = await caller.ping({ webhookId });
    await exhaust(new Date(start.getTime() + 5 * DAY + 60 * SECOND_MS), third.deliveryId);
    expect(await readWebhook()).toMatchObject({ status: "disabled", disabledReason: "failing" });
  });

  it("stays active if one delivery succeeded within five days", async () => {
    const { attempt, webhookId, readWebhook } = await setUp();
    await core.db
      .update(webhooks)
      .set({ failingSince: new Date(Date.now() - 6 * DAY) })
      .where(eq(webhooks.id, webhookId));
    await attempt();
    expect(await readWebhook()).toMatchObject({ status: "active", failingSince: null });
  });
});

describe("a redelivery", () => {
  it("sends the same payload under the same id, with four new attempts", async () => {
    const { attempt, exhaust, caller, webhookId, deliveryId, read, receiver } = await setUp({
      answer: (_, index) => (index < 4 ? 500 : 204),
    });
    await exhaust(new Date());
    const again = await caller.redeliver({ webhookId, deliveryId });
    expect(again).toMatchObject({ status: "pending", failure: null });
    expect(await attempt()).toBeNull();
    expect(receiver.requests).toHaveLength(4);
    expect(await attempt(new Date(), 2)).toBeNull();
    const delivery = await read();
    expect(delivery.attempts.map(({ run, attempt }) => [run, attempt])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [1, 4],
      [2, 1],
    ]);
    const [first, last] = [receiver.requests.at(0), receiver.requests.at(-1)];
    expect(last?.body).toEqual(first?.body);
    expect(last?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  });

  it("ends the run in progress and logs its last attempt under that run", async () => {
    const gate = new EventEmitter();
    const { attempt, caller, webhookId, deliveryId, read, receiver } = await setUp({
      answer: (_, index) =>
        index > 0 ? 204 : (response) => void gate.once("open", () => response.writeHead(500).end()),
    });
    const first = attempt();
    await receiver.waitFor(1);
    await caller.redeliver({ webhookId, deliveryId });
    expect(await attempt(new Date(), 2)).toBeNull();
    gate.emit("open");
    expect(await first).toBeNull();
    expect(await read()).toMatchObject({
      status: "delivered",
      attempts: [
        { run: 1, status: 500 },
        { run: 2, status: 204 },
      ],
    });
  });
});

describe("reconciling", () => {
  it("requeues only overdue deliveries, once per window", async () => {
    const { deliveryId, webhookId, read, attempt } = await setUp();
    const delivered = await setUp();
    await delivered.attempt();
    const due = Date.parse((await read()).nextAttemptAt ?? "");
    const FIVE_MINUTES = 300 * SECOND_MS;
    // The start of a window, so that one second later is in the same window.
    const late = new Date(Math.ceil((due + FIVE_MINUTES + 1) / FIVE_MINUTES) * FIVE_MINUTES);
    const resumptions = () =>
      core.published.filter(
        ({ id, data }) => id.startsWith("resume-") && data.webhookId === webhookId,
      );

    await requeueOverdue(core, dueDeliveries, new Date(due + FIVE_MINUTES));
    expect(resumptions()).toEqual([]);
    await requeueOverdue(core, dueDeliveries, late);
    await requeueOverdue(core, dueDeliveries, new Date(late.getTime() + SECOND_MS));
    expect(resumptions()).toMatchObject([{ data: { deliveryId, webhookId, run: 1 } }]);
    await requeueOverdue(core, dueDeliveries, new Date(late.getTime() + FIVE_MINUTES));
    expect(resumptions()).toHaveLength(2);
    const ids = core.published.filter(({ id }) => id.startsWith("resume-"));
    expect(ids.some(({ data }) => data.deliveryId === delivered.deliveryId)).toBe(false);

    await attempt();
    const before = resumptions().length;
    await requeueOverdue(core, dueDeliveries, new Date(late.getTime() + 2 * FIVE_MINUTES));
    expect(resumptions()).toHaveLength(before);
  });
});

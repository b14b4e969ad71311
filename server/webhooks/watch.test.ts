import type { ServerResponse } from "node:http";
import { eq, sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "@/server/lib/time";
import { toAppError } from "@/server/lib/to-app-error";
import { createCallerFactory } from "@/server/lib/trpc";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { createWallet } from "@/server/testing/fixtures/sample-ledger";
import { createScoreEvent } from "@/server/testing/fixtures/score-event";
import { type ReceivedRequest, type Receiver, startReceiver } from "@/server/testing/http/receiver";
import { announce } from "./announce";
import { attemptDelivery } from "./deliver";
import { webhooksRouter } from "./router";
import { watches, webhookAttempts, webhookDeliveries, webhooks } from "./tables";
import { pruneWatchDeliveries } from "./watches";

const database = await createTestDatabase();
const core = createTestCore(database);
const receivers: Receiver[] = [];
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));
afterAll(database.close);
/** All receivers have the same host, so the limits of one test would apply to the next. */
beforeEach(async () => {
  await core.db.execute(sql`truncate rate_limit_windows`);
  await core.db.execute(sql`delete from webhooks`);
});

const createCaller = createCallerFactory(webhooksRouter);
let clients = 0;
/** Calls as a client with an address of its own. */
const asStranger = (ip = `198.51.${Math.floor(++clients / 250)}.${clients % 250}`) =>
  createCaller(createTestContext(core, { ip }).context);
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "accepted",
    (error) => toAppError(error).code,
  );

const readChallenge = ({ body }: ReceivedRequest): string =>
  JSON.parse(body.toString("utf8")).data.challenge;
const respondWith = (body: string) => (response: ServerResponse) => void response.end(body);
const confirm = (request: ReceivedRequest) =>
  respondWith(JSON.stringify({ challenge: readChallenge(request) }));

async function receive(
  answer: (request: ReceivedRequest) => ReturnType<typeof respondWith> | number,
  host = "127.0.0.1",
) {
  const receiver = await startReceiver({ answer: (request) => answer(request), host });
  receivers.push(receiver);
  return receiver;
}

async function watchNewAgent(url: string) {
  const agent = await createTestAgent(core);
  const caller = asStranger();
  const watch = await caller.watch({ walletAddress: agent.wallet, url });
  return { agent, caller, ...watch };
}

/** Announces a version of the wallet's score. Returns the number of deliveries stored. */
async function announceScore(wallet: string, version = 1): Promise<number> {
  const events = [createScoreEvent(wallet, version)];
  return (await core.db.transaction((tx) => announce(tx, events))).length;
}

const readDeliveries = (webhookId: string) =>
  core.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId));

describe("an unconfirmed watch", () => {
  it("sends nothing to its endpoint, neither at once nor when events happen", async () => {
    const receiver = await receive(confirm);
    const { agent, watchId, status } = await watchNewAgent(receiver.url);
    expect(status).toBe("unconfirmed");
    expect(await announceScore(agent.wallet)).toBe(0);
    expect(await readDeliveries(watchId)).toEqual([]);
    expect(receiver.requests).toEqual([]);
  });

  it.each([
    ["the whole request", ({ body }: ReceivedRequest) => respondWith(body.toString("utf8"))],
    ["the request's data", ({ body }) => respondWith(JSON.stringify(JSON.parse(`${body}`).data))],
    ["the bare challenge", (request) => respondWith(readChallenge(request))],
    ["another challenge", () => respondWith(JSON.stringify({ challenge: "guessed" }))],
    ["an empty success", () => 204],
    ["an endless response", () => respondWith("x".repeat(100_000))],
    [
      "the challenge with an error status",
      (request) => (response) => {
        response.statusCode = 500;
        response.end(JSON.stringify({ challenge: readChallenge(request) }));
      },
    ],
  ] satisfies [string, Parameters<typeof receive>[0]][])(
    "is not confirmed by %s",
    async (_, answer) => {
      const receiver = await receive(answer);
      const { agent, caller, watchId, token } = await watchNewAgent(receiver.url);
      expect(await refusal(caller.confirmWatch({ watchId, token }))).toBe("watch-not-confirmed");
      expect(receiver.requests).toHaveLength(1);
      expect(await announceScore(agent.wallet)).toBe(0);
    },
  );

  it("has three attempts, even if they are concurrent", async () => {
    const receiver = await receive(() => 500);
    const { watchId, token } = await watchNewAgent(receiver.url);
    const codes = await Promise.all(
      Array.from({ length: 5 }, () => refusal(asStranger().confirmWatch({ watchId, token }))),
    );
    expect(codes.toSorted()).toEqual([
      "conflict",
      "conflict",
      "watch-not-confirmed",
      "watch-not-confirmed",
      "watch-not-confirmed",
    ]);
    expect(receiver.requests).toHaveLength(3);
  });

  it("expires after an hour and is deleted", async () => {
    const receiver = await receive(confirm);
    const { caller, watchId, token } = await watchNewAgent(receiver.url);
    await core.db
      .update(watches)
      .set({ createdAt: new Date(Date.now() - 61 * 60 * 1000) })
      .where(eq(watches.webhookId, watchId));
    expect(await refusal(caller.confirmWatch({ watchId, token }))).toBe("conflict");
    expect(receiver.requests).toEqual([]);
    await watchNewAgent(receiver.url);
    expect(await refusal(caller.cancelWatch({ watchId, token }))).toBe("not-found");
  });
});

describe("a confirmed watch", () => {
  it("receives signed events of its agent only", async () => {
    const receiver = await receive((request) =>
      request.body.includes("watch.confirm") ? confirm(request) : 204,
    );
    const { agent, caller, watchId, token, secret } = await watchNewAgent(receiver.url);
    expect(await caller.confirmWatch({ watchId, token })).toMatchObject({ status: "active" });
    expect(await caller.confirmWatch({ watchId, token })).toMatchObject({ status: "active" });
    expect(receiver.requests).toHaveLength(1);

    expect(await announceScore((await createTestAgent(core)).wallet)).toBe(0);
    expect(await announceScore(agent.wallet)).toBe(1);
    const [delivery] = await readDeliveries(watchId);
    await attemptDelivery(core, { deliveryId: delivery?.id ?? "", run: 1 });
    expect(receiver.requests).toHaveLength(2);
    const verifier = new Webhook(secret);
    for (const { body, headers } of receiver.requests) {
      expect(() => verifier.verify(body, headers as Record<string, string>)).not.toThrow();
    }
  });

  it("is not the agent's: its owner does not see it, and it survives a takeover", async () => {
    const receiver = await receive(confirm);
    const { agent, caller, watchId, token } = await watchNewAgent(receiver.url);
    await caller.confirmWatch({ watchId, token });
    const owner = createCaller(createTestContext(core, { apiKey: agent.apiKey }).context);
    expect(await owner.list()).toEqual([]);
    expect(await refusal(owner.deliveries({ webhookId: watchId, page: 0, size: 20 }))).toBe(
      "not-found",
    );
    await core.db.execute(sql`delete from agents where id = ${agent.id}`);
    expect(await announceScore(agent.wallet)).toBe(1);
  });

  it("ends with its token, and with nothing else", async () => {
    const receiver = await receive(confirm);
    const { agent, caller, watchId, token } = await watchNewAgent(receiver.url);
    await caller.confirmWatch({ watchId, token });
    expect(await refusal(caller.cancelWatch({ watchId, token: "guessed" }))).toBe("not-found");
    await caller.cancelWatch({ watchId, token });
    expect(await announceScore(agent.wallet)).toBe(0);
    expect(await refusal(caller.confirmWatch({ watchId, token }))).toBe("not-found");
  });

  it("ends when its endpoint responds with 410", async () => {
    const receiver = await receive((request) =>
      request.body.includes("watch.confirm") ? confirm(request) : 410,
    );
    const { agent, caller, watchId, token } = await watchNewAgent(receiver.url);
    await caller.confirmWatch({ watchId, token });
    await announceScore(agent.wallet);
    const [delivery] = await readDeliveries(watchId);
    await attemptDelivery(core, { deliveryId: delivery?.id ?? "", run: 1 });
    expect(await announceScore(agent.wallet, 2)).toBe(0);
    expect(await caller.confirmWatch({ watchId, token })).toMatchObject({ status: "disabled" });
  });
});

describe("deliveries of watches", () => {
  /** Creates a confirmed watch with `count` deliveries that are due. */
  async function setUpWatch(url: string, count: number) {
    const { agent, caller, watchId, token } = await watchNewAgent(url);
    await caller.confirmWatch({ watchId, token });
    for (let version = 1; version <= count; version++) await announceScore(agent.wallet, version);
    const deliveries = await readDeliveries(watchId);
    const attempt = (at?: Date) =>
      Promise.all(
        deliveries.map(({ id }) =>
          attemptDelivery(core, { deliveryId: id, run: 1 }, at && (() => at)),
        ),
      );
    return { watchId, token, caller, attempt };
  }
  const readWebhook = async (id: string) =>
    (await core.db.select().from(webhooks).where(eq(webhooks.id, id)))[0];
  const isChallenge = ({ body }: ReceivedRequest) => body.includes("watch.confirm");
  const OTHER_ADDRESS = "127.0.0.2";
  /** Makes a watch's endpoint resolve to another address, as a changed DNS record would. */
  const move = (watchId: string, url: string) =>
    core.db.update(webhooks).set({ url }).where(eq(webhooks.id, watchId));
  it("send one address sixty requests a minute, over all watches; the others wait", async () => {
    const receiver = await receive((request) => (isChallenge(request) ? confirm(request) : 204));
    const some = await setUpWatch(receiver.url, 20);
    const others = [];
    for (let count = 0; count < 2; count++) others.push(await setUpWatch(receiver.url, 20));
    const results = (await Promise.all([some, ...others].map(({ attempt }) => attempt()))).flat();
    const waiting = results.flatMap((result) => ("until" in result ? [result.until] : []));
    // Three of the sixty requests confirmed the watches.
    expect(receiver.requests).toHaveLength(60);
    expect(waiting).toHaveLength(3);

    const states = await core.db.select().from(webhookDeliveries);
    expect(states.filter(({ status }) => status === "delivered")).toHaveLength(57);
    const pending = states.filter(({ status }) => status === "pending");
    expect(pending.map(({ claimedUntil }) => claimedUntil)).toEqual([null, null, null]);
    await core.db.execute(sql`truncate rate_limit_windows`);
    const later = new Date(Math.max(...waiting.map((until) => until.getTime())));
    for (const { attempt } of [some, ...others]) await attempt(later);
    expect(receiver.requests).toHaveLength(63);
    // Waiting used no attempt.
    const attempts = await core.db.select().from(webhookAttempts);
    expect(attempts.map(({ attempt }) => attempt)).toEqual(Array(60).fill(1));
  });

  it("that use up their attempts disable the watch", async () => {
    const receiver = await receive((request) => (isChallenge(request) ? confirm(request) : 500));
    const { watchId, attempt } = await setUpWatch(receiver.url, 1);
    let [result] = await attempt();
    while (result?.state === "retry") [result] = await attempt(result.until);
    expect(result).toMatchObject({ state: "over", because: "failed" });
    expect(receiver.requests).toHaveLength(5);
    expect(await readWebhook(watchId)).toMatchObject({
      status: "disabled",
      disabledReason: "failing",
    });
  });

  it("go to a changed address only after it has confirmed", async () => {
    const before = await receive((request) => (isChallenge(request) ? confirm(request) : 204));
    const { watchId, attempt } = await setUpWatch(before.url, 1);
    const after = await receive(
      (request) => (isChallenge(request) ? confirm(request) : 204),
      OTHER_ADDRESS,
    );
    await move(watchId, after.url);
    expect(await attempt()).toMatchObject([{ state: "wait" }]);
    expect(await attempt()).toEqual([{ state: "delivered" }]);
    expect(after.requests.map(isChallenge)).toEqual([true, false]);
    expect(before.requests.map(isChallenge)).toEqual([true]);
  });

  it("send an address that does not confirm three requests, and disable the watch", async () => {
    const own = await receive(confirm);
    const victim = await receive(() => 200, OTHER_ADDRESS);
    const { watchId, attempt } = await setUpWatch(own.url, 20);
    await move(watchId, victim.url);
    for (let round = 0; round < 5; round++) {
      await attempt(new Date(Date.now() + round * DAY_MS));
      await core.db.execute(sql`truncate rate_limit_windows`);
    }
    expect(victim.requests.map(isChallenge)).toEqual([true, true, true]);
    expect(await readWebhook(watchId)).toMatchObject({ status: "disabled" });
  });

  it("repeat the challenge once a minute at most", async () => {
    const own = await receive(confirm);
    const victim = await receive(() => 200, OTHER_ADDRESS);
    const { watchId, attempt } = await setUpWatch(own.url, 20);
    await move(watchId, victim.url);
    await attempt();
    await attempt(new Date(Date.now() + DAY_MS));
    expect(victim.requests).toHaveLength(1);
    expect(await readWebhook(watchId)).toMatchObject({ status: "active" });
  });

  it("go to one of the name's addresses, the confirmed one first", async () => {
    const receiver = await receive((request) => (isChallenge(request) ? confirm(request) : 204));
    const url = receiver.url.replace("127.0.0.1", "localhost");
    const { watchId, attempt } = await setUpWatch(url, 1);
    expect(await attempt()).toEqual([{ state: "delivered" }]);
    const [watch] = await core.db.select().from(watches).where(eq(watches.webhookId, watchId));
    expect(watch?.confirmedAddress).toBe("127.0.0.1");
  });
});

it("deletes a finished delivery of a watch after a week, and keeps any other", async () => {
  const receiver = await receive(confirm);
  const { agent, caller, watchId, token } = await watchNewAgent(receiver.url);
  await caller.confirmWatch({ watchId, token });
  const owner = createCaller(createTestContext(core, { apiKey: agent.apiKey }).context);
  const { webhookId } = await owner.create({ url: receiver.url, events: ["score.updated"] });
  await announceScore(agent.wallet);
  await core.db.update(webhookDeliveries).set({ status: "delivered", nextAttemptAt: null });
  await announceScore(agent.wallet, 2);
  const created = (await readDeliveries(watchId)).map(({ createdAt }) => createdAt.getTime());
  const weekAfter = (time: number) => new Date(time + 7 * DAY_MS);

  expect(await pruneWatchDeliveries(core.db, weekAfter(Math.min(...created)))).toBe(0);
  const later = weekAfter(Math.max(...created) + 1);
  expect(await pruneWatchDeliveries(core.db, later)).toBe(1);
  expect((await readDeliveries(watchId)).map(({ status }) => status)).toEqual(["pending"]);
  expect(await readDeliveries(webhookId)).toHaveLength(2);
});

describe("limits", () => {
  it("refuses a wallet without a record, and private addresses", async () => {
    const caller = asStranger();
    const url = "https://monitor.example/hook";
    expect(await refusal(caller.watch({ walletAddress: createWallet(4_711), url }))).toBe(
      "not-found",
    );
    const { wallet } = await createTestAgent(core);
    for (const blocked of ["http://10.0.0.1/", "http://[fd00::1]/", "ftp://monitor.example/"]) {
      expect(await refusal(caller.watch({ walletAddress: wallet, url: blocked }))).toBe(
        "invalid-request",
      );
    }
  });

  it("stores neither token nor address of the client", async () => {
    const { watchId, token } = await watchNewAgent("https://monitor.example/hook");
    const [row] = await core.db.select().from(watches).where(eq(watches.webhookId, watchId));
    expect(row?.tokenHash.includes(token)).toBe(false);
    expect(row?.client.toString("latin1")).not.toContain("198.51");
    const [webhook] = await core.db.select().from(webhooks).where(eq(webhooks.id, watchId));
    expect(webhook).toMatchObject({ agentId: null, status: "disabled" });
  });

  it("allows five requests per minute by client address", async () => {
    const { wallet } = await createTestAgent(core);
    const caller = asStranger("203.0.113.7");
    const watch = () => caller.watch({ walletAddress: wallet, url: "https://monitor.example/a" });
    for (let count = 0; count < 5; count++) expect(await refusal(watch())).toBe("accepted");
    expect(await refusal(watch())).toBe("rate-limited");
  });

  it("sends a host five confirmation requests per minute, from all clients together", async () => {
    const receiver = await receive(() => 500);
    const codes: unknown[] = [];
    for (let count = 0; count < 6; count++) {
      const { caller, watchId, token } = await watchNewAgent(receiver.url);
      codes.push(await refusal(caller.confirmWatch({ watchId, token })));
    }
    expect(codes.slice(0, 5)).toEqual(Array(5).fill("watch-not-confirmed"));
    expect(codes[5]).toBe("rate-limited");
    expect(receiver.requests).toHaveLength(5);
  });

  it("allows a client twenty watches, even for concurrent requests", async () => {
    const { wallet } = await createTestAgent(core);
    const url = "https://monitor.example/hook";
    const results: string[] = [];
    for (let round = 0; round < 5; round++) {
      await core.db.execute(sql`truncate rate_limit_windows`);
      const calls = Array.from({ length: 5 }, () =>
        refusal(asStranger("203.0.113.9").watch({ walletAddress: wallet, url })),
      );
      results.push(...(await Promise.all(calls)));
    }
    expect(results.filter((result) => result === "accepted")).toHaveLength(20);
    expect(results.filter((result) => result === "too-many-watches")).toHaveLength(5);
  });

  it("allows a host twenty active watches, and says so only to the host", async () => {
    const receiver = await receive(confirm);
    let last = "";
    for (let count = 0; count < 21; count++) {
      await core.db.execute(sql`truncate rate_limit_windows`);
      const { caller, watchId, token } = await watchNewAgent(receiver.url);
      last = await refusal(caller.confirmWatch({ watchId, token }));
      if (count < 20 && last !== "accepted") break;
    }
    expect(last).toBe("too-many-watches");
  });
});

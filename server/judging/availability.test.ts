import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { toCanonical } from "@/server/testing/model/canonical-case";
import { createScriptedExaminer } from "@/server/testing/model/scripted-examiner";
import { createAnswer, type ModelReply } from "@/server/testing/model/scripted-model";
import { createModelStates, isOutage, readJudgeState } from "./availability";
import { type Judge, JudgeUnavailable, TextUnanswered } from "./judge";
import { modelStates } from "./tables";

const database = await createTestDatabase();
const core = createTestCore(database);
afterAll(database.close);
beforeEach(async () => {
  await core.db.delete(modelStates);
  core.published.length = 0;
});

const ENDPOINT = "http://an.example/v1";
const PROBE_SECONDS = 60;
const createStates = (endpoint = ENDPOINT) => createModelStates(core, endpoint, PROBE_SECONDS);
const read = (models: string[], endpoint = ENDPOINT) => readJudgeState(core, { models, endpoint });

/** Makes all states older. */
const pass = (seconds: number) =>
  core.db.update(modelStates).set({
    failingSince: sql`${modelStates.failingSince} - ${seconds} * interval '1 second'`,
    probeAt: sql`${modelStates.probeAt} - ${seconds} * interval '1 second'`,
  });

/** Returns how many seconds a caller has to wait. */
const getWait = (states = createStates()) =>
  states.admit("a-model").then(
    (result) => result,
    ({ retryAfterSeconds }: JudgeUnavailable) => retryAfterSeconds,
  );

describe("a model", () => {
  test("is untested until it is asked, and its outage lasts to the next response", async () => {
    const states = createStates();
    expect((await read(["a-model"])).status).toBe("untested");
    expect(await states.admit("a-model")).toBe("probe");
    await states.recordResponse("a-model");
    expect((await read(["a-model"])).status).toBe("ok");
    expect((await read(["a-model", "b-model"])).status).toBe("untested");
    expect(await states.admit("a-model")).toBe("ask");

    await states.recordFailure("a-model", "It failed.");
    await pass(10);
    await states.recordFailure("a-model", "It was slow.");
    const { status, outage } = await read(["b-model", "a-model"]);
    expect({ status, reason: outage?.reason }).toEqual({
      ...{ status: "unavailable", reason: "It was slow." },
    });
    expect(Date.now() - Number(outage?.since)).toBeGreaterThanOrEqual(10_000);
    await states.recordResponse("a-model");
    expect((await read(["a-model"])).status).toBe("ok");
  });

  test("starts untested at another address", async () => {
    await createStates().recordFailure("a-model", "It failed.");
    expect((await read(["a-model"], "http://another.example/v1")).status).toBe("untested");
    await createStates("http://another.example/v1").recordResponse("a-model");
    expect((await read(["a-model"])).status).toBe("unavailable");
  });

  test("asks once for what waits when it recovers, however many notice", async () => {
    const states = createStates();
    await states.recordResponse("a-model");
    expect(core.published).toEqual([]);
    await states.recordFailure("a-model", "It failed.");
    await Promise.all([1, 2, 3].map(() => createStates().recordResponse("a-model")));
    expect(core.published).toMatchObject([
      { name: "work/due", data: { work: "outcomes", isAsked: true } },
      { name: "work/due", data: { work: "disputes", isAsked: true } },
    ]);
  });

  test("is probed after 5 s, and then after pauses that double up to five minutes", async () => {
    const states = createStates();
    await states.recordFailure("a-model", "It failed.");
    for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300]) {
      // Each pause is twice the one before, and some of it has passed.
      expect(await getWait()).toBeGreaterThan(seconds / 2);
      expect(await getWait()).toBeLessThanOrEqual(seconds);
      await pass(seconds);
      expect(await getWait()).toBe("probe");
      await states.recordFailure("a-model", "It failed.");
    }
    await states.recordResponse("a-model");
    await states.recordFailure("a-model", "It failed.");
    expect(await getWait()).toBe(5);
  });

  test("is probed by one of several processes, whose end without a result delays the next", async () => {
    const processes = Array.from({ length: 4 }, () => createStates());
    await processes[0]?.recordFailure("a-model", "It failed.");
    await pass(5);
    const turns = await Promise.all(processes.map((states) => states.claimProbe("a-model")));
    expect(turns.filter(Boolean)).toHaveLength(1);
    expect(await getWait()).toBe(PROBE_SECONDS);
    await pass(PROBE_SECONDS);
    expect(await getWait()).toBe("probe");
  });

  test("is left alone for as long as it asks", async () => {
    await createStates().recordFailure("a-model", "It limits the rate.", 120);
    expect(await getWait()).toBe(120);
  });
});

describe("a judge", () => {
  const input = toCanonical({
    task: "Name a river.",
    category: "research",
    deliverable: { kind: "text", text: "The Rhine, a secret.", source: "content" },
  });
  const ONE = { model: "a-model", escalationModel: "a-model", endpoint: ENDPOINT };
  const connect = (script: Parameters<typeof createScriptedExaminer>[0]) =>
    createScriptedExaminer(script, { ...ONE, states: createStates(), concurrency: 8 });
  const judgeFive = (judge: Judge) =>
    Promise.allSettled(Array.from({ length: 5 }, () => judge.judge(input)));

  test("asks little of a model that rejects everything, and notices its recovery", async () => {
    const script: Parameters<typeof connect>[0] = {
      examine: (material) => createAnswer(material),
      failing: { model: "a-model", reply: { status: 400 } },
    };
    const { judge, requests, close } = await connect(script);
    const due = Array(5).fill(0);
    for (let second = 0; second <= 240; second += 1) {
      const attempts = due.map(async (at, index) => {
        if (at > second) return;
        const error = await judge.judge(input).catch((reason) => reason);
        expect(error).toBeInstanceOf(JudgeUnavailable);
        due[index] = second + (error.retryAfterSeconds ?? 1);
      });
      await Promise.all(attempts);
      await pass(1);
    }
    // One after 5, 15, 35, 75 and 155 s; the first one tries each form.
    expect(requests.length).toBeGreaterThanOrEqual(8);
    expect(requests.length).toBeLessThanOrEqual(12);
    expect((await read(["a-model"])).status).toBe("unavailable");

    const error = await judge.judge(input).catch((reason) => reason);
    expect(await isOutage(core, judge, error)).toBe(true);
    expect(await isOutage(core, judge, new Error("a fault"))).toBe(false);

    delete script.failing;
    await judge.probe("a-model", { onlyIfDue: true });
    expect((await read(["a-model"])).status).toBe("unavailable");
    await pass(300);
    await judge.probe("a-model", { onlyIfDue: true });
    expect(core.published).toHaveLength(2);
    expect(await isOutage(core, judge, error)).toBe(false);
    const judged = await judgeFive(judge);
    expect(judged.map(({ status }) => status)).toEqual(Array(5).fill("fulfilled"));
    await close();
  });

  test("that turns out to be down is asked no further question", async () => {
    const script: Parameters<typeof connect>[0] = { examine: (material) => createAnswer(material) };
    const { judge, asked, close } = await connect(script);
    await judge.probe("a-model");
    script.failing = { model: "a-model", reply: { status: 401 } };
    await judgeFive(judge);
    expect((await read(["a-model"])).status).toBe("unavailable");
    // Each of the ten examinations asked once, and all share a probe.
    expect(asked.filter(({ kind }) => kind === "examination").length).toBeLessThanOrEqual(10);
    const before = asked.length;
    await judgeFive(judge);
    expect(asked).toHaveLength(before);
    await close();
  });

  test.each<[string, ModelReply]>([
    ["a limit on the rate", { status: 429, headers: { "retry-after": "100" } }],
    ["a failure", { status: 500 }],
    ["a rejected key", { status: 401 }],
  ])("is not down if one text alone causes %s", async (_, reply) => {
    const { judge, close } = await connect({ examine: () => reply });
    const error = await judge.judge(input).catch((reason) => reason);
    expect(error).toBeInstanceOf(TextUnanswered);
    expect((await read(["a-model"])).status).toBe("ok");
    await createStates().recordFailure("a-model", "It failed.");
    expect(await isOutage(core, judge, error)).toBe(false);
    await close();
  });

  test.each<[string, ModelReply]>([
    ["refuses", { content: "", refusal: "No." }],
    ["rejects", { status: 400 }],
    ["answers garbage about", { content: "Nonsense." }],
  ])("is not down if it %s one text", async (_, reply) => {
    const { judge, close } = await connect({ examine: () => reply });
    expect(await judge.judge(input)).toMatchObject({ verdict: "FAILURE", confidencePpm: 500_000 });
    expect((await read(["a-model"])).status).toBe("ok");
    await close();
  });
});

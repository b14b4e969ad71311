import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Judge, type JudgeOptions, JudgeUnavailable } from "@/server/judging/judge";
import { judgements } from "@/server/judging/tables";
import { sha256 } from "@/server/lib/hash";
import { MINUTE_MS } from "@/server/lib/time";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import {
  insertJudgedOutcome,
  insertPendingOutcome,
  RIVERS_TASK,
} from "@/server/testing/fixtures/outcome";
import { startReceiver } from "@/server/testing/http/receiver";
import { builtinJudge, decideOffline } from "@/server/testing/model/offline-checks";
import { judgeAndStoreOutcome } from "./judge-outcome";
import { outcomes, recorderWakeUps } from "./tables";

const database = await createTestDatabase();
const core = createTestCore(database);
afterAll(database.close);

let agent: TestAgent;
beforeEach(async () => {
  agent = await createTestAgent(core);
  core.published.length = 0;
  await core.db.delete(recorderWakeUps);
});

const find = async (id: string) =>
  (await core.db.select().from(outcomes).where(eq(outcomes.id, id)))[0];
const judge = (id: string, lastAttempt = false, by: Judge = builtinJudge) =>
  judgeAndStoreOutcome(core, by, id, { lastAttempt });

describe("judging an outcome", () => {
  test("stores the verdict and wakes the recorder, and does not publish the verdict yet", async () => {
    const { id } = await insertPendingOutcome(core, agent);
    await judge(id);
    const [judgement] = await core.db.select().from(judgements).where(eq(judgements.subjectId, id));
    expect(await find(id)).toMatchObject({
      status: "EVALUATING",
      judgedAt: expect.any(Date),
      verdict: judgement?.verdict,
      confidencePpm: judgement?.confidencePpm,
      reasoning: judgement?.reasoning,
      judgeKind: "heuristic",
      judgeId: "builtin-checks/v3",
      evidence: judgement?.evidence,
      evidenceHash: judgement?.evidenceHash,
      resolvedAt: null,
      finalVerdict: null,
    });
    expect(core.published).toEqual([
      {
        id: expect.stringMatching(/^verdicts-pending:/),
        name: "outcome/verdicts-pending",
        data: { recorder: core.chain.recorderAddress },
      },
    ]);
  });

  test("in the turn of its submitter's address and wallet, and forgets the address", async () => {
    const { id } = await insertPendingOutcome(core, agent, { submitterClient: "client" });
    let queueKey: JudgeOptions["queueKey"];
    const watched: Judge["judge"] = (input, options) => {
      queueKey = options?.queueKey;
      return builtinJudge.judge(input, options);
    };
    await judge(id, false, { ...builtinJudge, judge: watched });
    expect(queueKey).toEqual(["client", agent.id]);
    expect(await find(id)).toMatchObject({ submitterClient: null });
  });

  test("again, or concurrently, keeps the first verdict", async () => {
    const { id } = await insertPendingOutcome(core, agent);
    await Promise.all(Array.from({ length: 4 }, () => judge(id)));
    const first = await find(id);
    await judge(id);
    expect(await find(id)).toEqual(first);
    expect(core.published).toHaveLength(1);
  });

  test("together with others stores the verdict of each, and only what cannot be stored fails", async () => {
    const pending = await Promise.all(
      Array.from({ length: 6 }, () => insertPendingOutcome(core, agent)),
    );
    const results = await Promise.allSettled(
      pending.map(({ id }, n) =>
        judge(id, false, {
          ...builtinJudge,
          judge: async (input) => ({
            ...(await builtinJudge.judge(input)),
            confidencePpm: n,
            // PostgreSQL stores no text with this character.
            reasoning: n === 3 ? "\0" : `reason ${n}`,
          }),
        }),
      ),
    );
    expect(results.map(({ status }) => status === "fulfilled")).toEqual(
      pending.map((_, n) => n !== 3),
    );
    for (const [n, { id }] of pending.entries()) {
      expect(await find(id)).toMatchObject(
        n === 3 ? { judgedAt: null } : { confidencePpm: n, reasoning: `reason ${n}` },
      );
    }
    expect(core.published).toHaveLength(1);
  });

  test("that has a judgement stores its verdict without asking the judge", async () => {
    const [judged, pending] = await Promise.all([
      insertPendingOutcome(core, agent),
      insertPendingOutcome(core, agent),
    ]);
    await judge(judged.id);
    const { id: subjectId } = pending;
    await core.db.update(judgements).set({ subjectId }).where(eq(judgements.subjectId, judged.id));
    const unasked: Judge = { ...builtinJudge, judge: () => Promise.reject(new Error("asked")) };
    await judge(pending.id, false, unasked);
    const { verdict, reasoning } = (await find(judged.id)) ?? {};
    expect(await find(pending.id)).toMatchObject({
      judgedAt: expect.any(Date),
      verdict,
      reasoning,
    });
  });

  test("does nothing if it is already judged", async () => {
    const { id } = await insertJudgedOutcome(core, agent);
    const before = await find(id);
    await judge(id);
    expect(await find(id)).toEqual(before);
    expect(await core.db.select().from(judgements).where(eq(judgements.subjectId, id))).toEqual([]);
    expect(core.published).toEqual([]);
  });

  /** Returns the options with which the judge is asked about an outcome. */
  async function readOptions(fields: Parameters<typeof insertPendingOutcome>[2]) {
    const { id } = await insertPendingOutcome(core, agent, fields);
    let options: JudgeOptions = {};
    const judge: Judge["judge"] = (_input, given = {}) => {
      options = given;
      return Promise.reject(new JudgeUnavailable("It is down."));
    };
    const judged = judgeAndStoreOutcome(core, { ...builtinJudge, judge }, id, {
      ...{ lastAttempt: false, decideRequirements: decideOffline },
    });
    await expect(judged).rejects.toThrow("It is down.");
    return options;
  }

  test.each([
    { minutes: 9, isAgreed: false, isOver: false },
    { minutes: 11, isAgreed: false, isOver: true },
    { minutes: 59, isAgreed: true, isOver: false },
    { minutes: 61, isAgreed: true, isOver: true },
  ])("lets one model take the other's place after a while: %j", async (at) => {
    const criteria = ["Names a river of Europe."];
    const parties = { requester: await createTestAgent(core), contractor: agent };
    const agreement = at.isAgreed
      ? await insertAgreement(core, parties, { requirements: [], criteria })
      : null;
    const options = await readOptions({
      submittedAt: new Date(Date.now() - at.minutes * MINUTE_MS),
      agreementId: agreement?.id ?? null,
    });
    expect(options.mayReplaceModel).toBe(at.isOver);
  });

  test.each([
    [null, false],
    [4, false],
    [6, true],
  ])(
    "makes the last attempt at a text without an answer for %s minutes: %s",
    async (minutes, isLast) => {
      const unansweredAt = minutes === null ? null : new Date(Date.now() - minutes * MINUTE_MS);
      expect((await readOptions({ unansweredAt })).lastAttempt).toBe(isLast);
    },
  );

  test("stores nothing while the judge is unavailable, even at the last attempt", async () => {
    const down: Judge = {
      ...builtinJudge,
      judge: () => Promise.reject(new JudgeUnavailable("it is down")),
    };
    const before = await insertPendingOutcome(core, agent);
    for (const last of [false, true]) {
      await expect(judge(before.id, last, down)).rejects.toThrow(JudgeUnavailable);
    }
    expect(await find(before.id)).toEqual(before);
    expect(core.published).toEqual([]);
  });

  test("tells the judge neither value nor addresses", async () => {
    const asked: unknown[] = [];
    const listening: Judge = {
      ...builtinJudge,
      judge: (input, options) => {
        asked.push({ ...input, ...options });
        return builtinJudge.judge(input);
      },
    };
    const { id } = await insertPendingOutcome(core, agent, { valueMicro: 987_654_321n });
    await judge(id, true, listening);
    expect(asked).toEqual([expect.objectContaining({ lastAttempt: true })]);
    expect(JSON.stringify(asked)).not.toMatch(/0x|987654321/);
  });

  test("stores nothing if publishing fails", async () => {
    const before = await insertPendingOutcome(core, agent);
    const broken = { ...core, publish: () => Promise.reject(new Error("the database is gone")) };
    await expect(
      judgeAndStoreOutcome(broken, builtinJudge, before.id, { lastAttempt: false }),
    ).rejects.toThrow("the database is gone");
    expect(await find(before.id)).toEqual(before);
  });
});

describe("a fault of the service", () => {
  const FAULT = "a fault of the judge\u001b[31m";
  /** Cannot judge the task of the fixture. */
  const faulty: Judge = {
    ...builtinJudge,
    judge: async (input) => {
      if (input.task === RIVERS_TASK) throw new TypeError(FAULT);
      return builtinJudge.judge(input);
    },
  };
  const down: Judge = {
    ...builtinJudge,
    judge: () => Promise.reject(new JudgeUnavailable("it is down")),
  };
  const letFaultLast = (id: string, seconds: number) =>
    core.db
      .update(outcomes)
      .set({ faultedAt: sql`now() - ${seconds}::float8 * interval '1 second'` })
      .where(eq(outcomes.id, id));
  /** Gives up an outcome because of a fault. */
  const giveUp = async () => {
    const { id } = await insertPendingOutcome(core, agent);
    await expect(judge(id, false, faulty)).rejects.toThrow(FAULT);
    await letFaultLast(id, 600);
    await judge(id, false, faulty);
    return id;
  };

  test("leaves an outcome unjudged for ten minutes, and then not assessed", async () => {
    const { id } = await insertPendingOutcome(core, agent);
    await expect(judge(id, true, faulty)).rejects.toThrow(FAULT);
    const fault = "TypeError: a fault of the judge [31m";
    expect(await find(id)).toMatchObject({ judgedAt: null, faultedAt: expect.any(Date), fault });
    await letFaultLast(id, 590);
    await expect(judge(id, true, faulty)).rejects.toThrow(FAULT);
    expect(core.published).toEqual([]);
    await letFaultLast(id, 600);
    await judge(id, false, faulty);
    const reasoning =
      "The work was not assessed because of a fault of the service. This verdict has no weight in a score.";
    const verdict = { verdict: "SUCCESS", confidencePpm: 500_000, reasoning, judgeKind: "gate" };
    const outcome = await find(id);
    expect(outcome).toMatchObject({ ...verdict, judgedAt: expect.any(Date), fault });
    const [judgement] = await core.db.select().from(judgements).where(eq(judgements.subjectId, id));
    expect(judgement).toMatchObject({ ...verdict, evidence: outcome?.evidence });
    expect(core.published.map(({ name }) => name)).toEqual(["outcome/verdicts-pending"]);
  });

  test("leaves an outcome not assessed whose judgement cannot be stored", async () => {
    const { id } = await insertPendingOutcome(core, agent);
    const unstorable: Judge = {
      ...builtinJudge,
      judge: async (input) => ({ ...(await builtinJudge.judge(input)), reasoning: "\0" }),
    };
    await expect(judge(id, false, unstorable)).rejects.toThrow();
    await letFaultLast(id, 600);
    await judge(id, false, unstorable);
    expect(await find(id)).toMatchObject({ judgeKind: "gate", confidencePpm: 500_000 });
  });

  test("decides nothing while no text at all can be judged", async () => {
    const broken: Judge = { ...builtinJudge, judge: () => Promise.reject(new Error("broken")) };
    const { id } = await insertPendingOutcome(core, agent);
    await expect(judge(id, false, broken)).rejects.toThrow("broken");
    await letFaultLast(id, 600);
    await expect(judge(id, true, broken)).rejects.toThrow("broken");
    expect(await find(id)).toMatchObject({ judgedAt: null, fault: "Error: broken" });
    await judge(id);
    expect(await find(id)).toMatchObject({ judgeKind: "heuristic", faultedAt: null, fault: null });
  });

  test("does not count if the judge was unavailable in between", async () => {
    const { id } = await insertPendingOutcome(core, agent);
    await expect(judge(id, false, faulty)).rejects.toThrow(FAULT);
    await letFaultLast(id, 600);
    await expect(judge(id, false, down)).rejects.toThrow(JudgeUnavailable);
    await expect(judge(id, false, faulty)).rejects.toThrow(FAULT);
    expect(await find(id)).toMatchObject({ judgedAt: null });
  });

  test("is cleared once the outcome can be judged again, and its verdict remains", async () => {
    const id = await giveUp();
    const before = await find(id);
    await judge(id, false, faulty);
    await expect(judge(id, false, down)).rejects.toThrow(JudgeUnavailable);
    expect(await find(id)).toEqual(before);
    core.published.length = 0;
    await judge(id);
    expect(await find(id)).toEqual({ ...before, faultedAt: null, fault: null });
    expect(core.published).toEqual([]);
  });
});

describe("a deliverable behind a URL", () => {
  const RIVERS = "The Rhine, the Loire and the Vistula are rivers of Europe.";
  const fields = (deliverableUrl: string) => ({ deliverableContent: " \u200B", deliverableUrl });

  test("is judged from one copy if the content is blank", async () => {
    const receiver = await startReceiver({
      answer: () => (response) => response.setHeader("content-type", "text/plain").end(RIVERS),
    });
    const { id } = await insertPendingOutcome(core, agent, fields(receiver.url));
    await Promise.all([judge(id), judge(id)]);
    const row = await find(id);
    expect(row).toMatchObject({ verdict: "SUCCESS", judgeKind: "heuristic" });
    expect(receiver.requests.length).toBeLessThanOrEqual(2);
    await receiver.close();
    // The document and the salt together prove that this document was judged.
    const document = Buffer.from(sha256(RIVERS).slice(2), "hex");
    const committed = sha256(Buffer.concat([row?.salt ?? Buffer.alloc(0), document]));
    expect(row?.evidence?.documentHash).toBe(committed);
  });

  test("that cannot be fetched is retried, and fails the outcome at the last attempt", async () => {
    const receiver = await startReceiver({ answer: () => 503 });
    const { id } = await insertPendingOutcome(core, agent, fields(receiver.url));
    for (let n = 0; n < 2; n++) {
      await expect(judge(id)).rejects.toThrow();
      expect(await find(id)).toMatchObject({ judgedAt: null });
    }
    await judge(id, true);
    expect(await find(id)).toMatchObject({
      verdict: "FAILURE",
      judgeKind: "gate",
      reasoning: expect.stringContaining("could not be fetched"),
    });
    await receiver.close();
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runCommand } from "@/scripts/testing/command";
import { selectJudge } from "@/server/bootstrap/select-judge";
import { judgeAndStoreOutcome } from "@/server/outcomes/judge-outcome";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { createGullibleModel, GULLIBLE_TASK, HONEST } from "@/server/testing/model/gullible-model";
import { builtinJudge } from "@/server/testing/model/offline-checks";
import { type ModelReply, startScriptedModel } from "@/server/testing/model/scripted-model";

// Each run starts a separate process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const database = await createTestDatabase();
const answer = createGullibleModel();
let failure: ModelReply | null = null;
const model = await startScriptedModel({ answer: (request) => failure ?? answer(request) });
const endpoint = { OPENAI_BASE_URL: model.url, JUDGE_MODEL: "a-model", JUDGE_TIMEOUT_SECONDS: 2 };
const core = createTestCore(database, { env: endpoint });
afterAll(async () => {
  await model.close();
  await database.close();
});

const rejudge = (id: string, env: Record<string, string> = {}) =>
  runCommand("rejudge", [id], {
    DATABASE_URL: database.url,
    OPENAI_BASE_URL: model.url,
    JUDGE_MODEL: "a-model",
    JUDGE_TIMEOUT_SECONDS: "2",
    ...env,
  });

/** Reads all stored data, to detect any change. */
const readEverything = async () =>
  JSON.stringify([
    await database.db.sql`select * from outcomes order by id`,
    await database.db.sql`select * from judgements order by id`,
    await database.db.sql`select * from documents order by id`,
    await database.db.sql`select * from model_states`,
  ]);

async function insertJudgedOutcome(deliverableContent = HONEST) {
  const { id } = await insertPendingOutcome(core, await createTestAgent(core), {
    taskDescription: GULLIBLE_TASK,
    taskCategory: "content",
    deliverableContent,
  });
  await judgeAndStoreOutcome(core, selectJudge(core), id, { lastAttempt: false });
  return id;
}

describe("npm run rejudge", () => {
  let id = "";
  beforeAll(async () => {
    id = await insertJudgedOutcome();
  });

  test("prints the same verdict and both sides' findings for the same judge, and changes nothing", async () => {
    const before = await readEverything();
    const { code, stdout, stderr } = await rejudge(id);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/Verdict +SUCCESS +SUCCESS/);
    expect(stdout).toMatch(/ {2}Failed checks +none +none/);
    expect(stdout).toMatch(/Recorded findings:\n {2}met +Rhine\n {2}met +Loire\n/);
    expect(stdout).toMatch(/Repeated findings:\n {2}met +Rhine\n {2}met +Loire\n/);
    expect(stdout).toContain("The verdict is the same.");
    expect(code).toBe(0);
    expect(await readEverything()).toBe(before);
  });

  test("prints the different verdict of another judge, stores nothing, and exits with 1", async () => {
    await database.db.sql`update judgements set verdict = 'FAILURE' where subject_id = ${id}`;
    const before = await readEverything();
    const { code, stdout } = await rejudge(id, { JUDGE_MODEL: "b-model" });
    expect(stdout).toMatch(/≠ Judge +a-model \(llm\) +b-model \(llm\)/);
    expect(stdout).toMatch(/≠ Verdict +FAILURE +SUCCESS/);
    expect(stdout).toContain("The verdict differs.");
    expect(code).toBe(1);
    expect(await readEverything()).toBe(before);
  });

  test("compares an outcome that a fault left not assessed, and keeps what is recorded", async () => {
    const { id: unassessed } = await insertPendingOutcome(core, await createTestAgent(core), {
      taskDescription: GULLIBLE_TASK,
      taskCategory: "content",
      deliverableContent: HONEST,
      faultedAt: new Date(0),
    });
    const selected = selectJudge(core);
    const faulty = {
      ...selected,
      judge: async (...[input, options]: Parameters<typeof selected.judge>) => {
        if (input.task === GULLIBLE_TASK) throw new TypeError("a fault");
        return builtinJudge.judge(input, options);
      },
    };
    await judgeAndStoreOutcome(core, faulty, unassessed, { lastAttempt: false });
    const before = await readEverything();
    const { code, stdout } = await rejudge(unassessed);
    expect(stdout).toMatch(/≠ Judge +gate\/v3 \(gate\) +a-model \(llm\)/);
    expect(stdout).toMatch(/≠ Confidence +50\.0 %/);
    expect(code).toBe(0);
    expect(await readEverything()).toBe(before);
  });

  const expectFailure = async (outcomeId: string, env: Record<string, string>, message: RegExp) => {
    const { code, stdout, stderr } = await rejudge(outcomeId, env);
    expect(stderr).toMatch(message);
    expect([code, stdout]).toEqual([2, ""]);
  };

  test.each<[string, string, Record<string, string>, RegExp]>([
    ["the id is invalid", "1234", {}, /^Usage: npm run --silent rejudge -- OUTCOME_ID\n$/],
    ["the outcome does not exist", randomUUID(), {}, /^There is no outcome .*\.\n$/],
  ])(
    "explains the failure in one sentence and exits with 2: %s",
    async (_, outcomeId, env, message) => {
      await expectFailure(outcomeId, env, message);
    },
  );

  test("rejects an outcome that has not been judged yet", async () => {
    const { id: pending } = await insertPendingOutcome(core, await createTestAgent(core));
    await expectFailure(pending, {}, /^Outcome .* has not been judged yet\.\n$/);
  });

  test("rejects a document that is no longer stored instead of fetching it", async () => {
    const { id: withDocument } = await insertPendingOutcome(core, await createTestAgent(core), {
      deliverableContent: null,
      deliverableUrl: "http://127.0.0.1:1024/gone.txt",
    });
    await judgeAndStoreOutcome(core, selectJudge(core), withDocument, { lastAttempt: true });
    await database.db.sql`delete from documents where subject_id = ${withDocument}`;
    await expectFailure(withDocument, {}, /^The document behind .* is no longer stored\.\n$/);
  });

  test("explains why the judge cannot decide now", async () => {
    failure = { status: 401 };
    await expectFailure(id, {}, /^The judge cannot decide now: .*[^.]\.\n$/);
    failure = null;
  });
});

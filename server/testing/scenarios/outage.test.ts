import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judgeStates } from "@/server/judging/tables";
import { HOUR_MS } from "@/server/lib/time";
import { requeueOneOutcome } from "@/server/outcomes/functions/probe-failing-judge";
import { outcomes } from "@/server/outcomes/tables";
import { waitFor, waitForDueJob } from "@/server/testing/engine/engine";
import { insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { createGullibleModel, GULLIBLE_TASK, HONEST } from "@/server/testing/model/gullible-model";
import { startScriptedModel } from "@/server/testing/model/scripted-model";
import { startTestService, type TestService } from "@/server/testing/service";

let model: Awaited<ReturnType<typeof startScriptedModel>>;
let service: TestService;
let isDown = true;
beforeAll(async () => {
  const answer = createGullibleModel();
  model = await startScriptedModel({
    answer: (request) => (isDown ? { status: 503 } : answer(request)),
  });
  service = await startTestService({
    env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "a-key", JUDGE_MODEL: "a-model" },
  });
});
afterAll(async () => {
  await service.close();
  await model.close();
});

const submit = async () =>
  service.submit(await service.agent(), {
    taskDescription: GULLIBLE_TASK,
    taskCategory: "content",
    deliverableContent: HONEST,
  });

test("an outage of the judge is reported, and its end requeues the pending outcomes", async () => {
  const { core } = service.runtime;
  expect((await service.runtime.health()).judge).toMatchObject({ status: "ok", id: "a-model" });

  const ids = await Promise.all([submit(), submit(), submit()]);
  const outage = await waitFor(async () => {
    const { judge } = await service.runtime.health();
    return judge.status === "unavailable" && judge.waiting === 3 && judge;
  });
  expect(outage).toEqual({
    status: "unavailable",
    kind: "llm",
    id: "a-model",
    judge: "single-model",
    note: expect.any(String),
    since: expect.stringMatching(/^\d{4}-.*Z$/),
    reason: expect.stringMatching(/^[A-Z].*503\.$/),
    waiting: 3,
  });
  expect(JSON.stringify(outage)).not.toContain(model.url);
  expect((await service.call("GET", "/judge")).body).toMatchObject({
    status: "unavailable",
    since: outage.since,
  });
  for (const id of ids) {
    expect((await service.call("GET", `/outcome/${id}`)).body.status).toBe("EVALUATING");
  }

  // An hour later, with every retry minutes away.
  await waitFor(async () => {
    await waitForDueJob(core.db, "judge-outcome");
    const [waiting] = await core.db.execute<{ runs: number }>(sql`
      select count(*)::int as runs from engine_jobs
      where function_id = 'standing-judge-outcome' and state = 'sleeping'`);
    return waiting?.runs === 3;
  });
  await core.db.execute(sql`
    update engine_jobs set due_at = now() + interval '1 hour'
    where function_id = 'standing-judge-outcome' and state = 'sleeping'`);
  const anHourAgo = new Date(Date.now() - HOUR_MS);
  await core.db.update(judgeStates).set({ failingSince: anHourAgo });
  await core.db.update(outcomes).set({ submittedAt: anHourAgo });

  isDown = false;
  const requestsBefore = model.requests.length;
  expect(await requeueOneOutcome(core, "a-model", new Date())).toBe(1);
  for (const id of ids) {
    expect(await service.waitForResolved(id)).toMatchObject({ verdict: "SUCCESS" });
  }
  expect(model.requests.length).toBeGreaterThan(requestsBefore);
  await waitFor(async () => (await service.runtime.health()).judge.status === "ok");
  expect((await service.call("GET", "/judge")).body).toMatchObject({ status: "ok", since: null });
});

test("a judge is probed only after failing for a minute", async () => {
  const { core } = service.runtime;
  const now = new Date();
  const submittedAt = new Date(now.getTime() - 120_000);
  await insertPendingOutcome(core, await service.agent(), { submittedAt });
  expect(await requeueOneOutcome(core, "a-model", now)).toBe(0);
  const failingFor = (ms: number) =>
    core.db.update(judgeStates).set({ failingSince: new Date(now.getTime() - ms) });
  await failingFor(50_000);
  expect(await requeueOneOutcome(core, "a-model", now)).toBe(0);
  await failingFor(70_000);
  expect(await requeueOneOutcome(core, "a-model", now)).toBe(1);
});

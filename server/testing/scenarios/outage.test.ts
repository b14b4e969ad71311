import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { modelStates } from "@/server/judging/tables";
import { HOUR_MS } from "@/server/lib/time";
import { readStatus } from "@/server/operations/status";
import { outcomes } from "@/server/outcomes/tables";
import { waitFor } from "@/server/testing/engine/engine";
import {
  createAnswer,
  isProbe,
  type ModelReply,
  parseMaterial,
  startScriptedModel,
} from "@/server/testing/model/scripted-model";
import { startTestService, type TestService } from "@/server/testing/service";

const WORK = "The Rhine and the Loire, in confidence.";
const WORDS = "model 'a-model' not found, try pulling it first";

let model: Awaited<ReturnType<typeof startScriptedModel>>;
let service: TestService;
let folder: string;
let isDown = true;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outage-"));
  model = await startScriptedModel({
    answer: ({ body }): ModelReply => {
      const user = body.messages.at(-1)?.content ?? "";
      const material = parseMaterial(user);
      if (!isDown) return createAnswer(material);
      // Like endpoints that repeat what they reject.
      const message = isProbe(material) ? WORDS : `cannot read: ${user}`;
      return { status: 400, body: JSON.stringify({ error: { message } }) };
    },
  });
  service = await startTestService({
    env: {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "a-key",
      JUDGE_MODEL: "a-model",
      LOG_LEVEL: "info",
    },
    logFile: join(folder, "log"),
  });
});
afterAll(async () => {
  await service.close();
  await model.close();
  await rm(folder, { recursive: true });
});

const submit = async () =>
  service.submit(await service.agent(), {
    taskDescription: "Write a sentence that names the rivers Rhine and Loire.",
    taskCategory: "content",
    deliverableContent: WORK,
  });
/** Waits until each outcome has had `count` runs, and no more are active. */
const waitForRuns = (ids: string[], count: number) =>
  waitFor(async () => {
    const runs = await service.runtime.core.db.execute<{ id: string; status: string }>(sql`
      select e.data->>'outcomeId' as id, r.status from engine_runs r
      join engine_events e on e.id = r.event_id where r.function_id = 'standing-judge-outcome'`);
    return (
      runs.every(({ status }) => status === "completed") &&
      ids.every((id) => runs.filter((run) => run.id === id).length === count)
    );
  });
/** What health says, which is up to a second old. */
const readJudge = async () => (await service.runtime.health()).judge;

test("a model that answers nothing is seen at the start, in the endpoint's words", async () => {
  const { core } = service.runtime;
  const judge = await waitFor(async () => {
    const { status, reason } = await readJudge();
    return status === "unavailable" && reason;
  });
  expect(judge).toBe(`The judge's endpoint rejects every request with 400: ${WORDS}.`);
  expect((await service.call("GET", "/judge")).body).toMatchObject({
    ...{ status: "unavailable", reason: judge },
  });
  expect((await readStatus({ db: core.db, chain: null }, new Date())).silentJudges).toMatchObject([
    { id: "a-model", reason: judge },
  ]);
  const log = await waitFor(async () => {
    const text = await readFile(join(folder, "log"), "utf8");
    return text.includes(WORDS) && text;
  });
  expect(log).not.toContain("a-key");
});

test("an outage of the judge is reported, and its end requeues the pending outcomes", async () => {
  const { core } = service.runtime;
  isDown = false;
  await core.db.update(modelStates).set({ probeAt: new Date(0) });
  const first = await submit();
  await service.waitForResolved(first);
  await waitFor(async () => (await readJudge()).status === "ok");

  isDown = true;
  const ids = await Promise.all([submit(), submit(), submit()]);
  const outage = await waitFor(async () => {
    const judge = await readJudge();
    return judge.status === "unavailable" && judge.waiting === 3 && judge;
  });
  expect(outage).toEqual({
    status: "unavailable",
    kind: "llm",
    id: "a-model",
    models: ["a-model"],
    judge: "single-model",
    note: expect.any(String),
    since: expect.stringMatching(/^\d{4}-.*Z$/),
    reason: `The judge's endpoint rejects every request with 400: ${WORDS}.`,
    waiting: 3,
  });
  expect(JSON.stringify(outage)).not.toContain(model.url);
  for (const id of ids) {
    expect((await service.call("GET", `/outcome/${id}`)).body.status).toBe("EVALUATING");
  }

  // No run waits: the recovery starts new ones.
  await waitForRuns(ids, 1);
  const [published, status] = await Promise.all([
    service.call("GET", "/judge"),
    readStatus({ db: core.db, chain: null }, new Date()),
  ]);
  expect(published.body).toMatchObject({ status: "unavailable", since: outage.since });
  const runs = await core.db.execute(sql`
    select r.*, j.* from engine_runs r left join engine_jobs j on j.run_id = r.id`);
  const log = await readFile(join(folder, "log"), "utf8");
  for (const place of [outage, published.body, status, runs, log]) {
    expect(
      JSON.stringify(place, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
    ).not.toContain("in confidence");
  }
  expect(log).not.toContain('"level":50');
  const anHourAgo = new Date(Date.now() - HOUR_MS);
  await core.db.update(modelStates).set({ failingSince: anHourAgo, probeAt: anHourAgo });
  await core.db.update(outcomes).set({ submittedAt: anHourAgo });

  const before = model.requests.length;
  isDown = false;
  const next = await submit();
  for (const id of [...ids, next]) {
    expect(await service.waitForResolved(id)).toMatchObject({ verdict: "SUCCESS" });
  }
  await waitFor(async () => (await readJudge()).status === "ok");
  expect((await service.call("GET", "/judge")).body).toMatchObject({ status: "ok", since: null });
  // Each of the waiting outcomes has a second run, and perhaps also the one that noticed the recovery.
  await waitForRuns(ids, 2);
  const isExamination = ({ body }: (typeof model.requests)[number]) =>
    !isProbe(parseMaterial(body.messages.at(-1)?.content ?? ""));
  expect(model.requests.slice(before).filter(isExamination)).toHaveLength(2 * 4);
  const { engine } = await readStatus({ db: core.db, chain: null }, new Date());
  expect(engine.failed).toBe(0);
});

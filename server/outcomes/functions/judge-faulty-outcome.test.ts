import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import type { Judge } from "@/server/judging/judge";
import { retryStalled } from "@/server/operations/retry";
import { readStalled } from "@/server/operations/stalled";
import { outcomes } from "@/server/outcomes/tables";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import {
  advanceTime,
  createTestEngine,
  waitFor,
  waitForDueJob,
} from "@/server/testing/engine/engine";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { insertPendingOutcome, RIVERS_TASK } from "@/server/testing/fixtures/outcome";
import { builtinJudge, decideOffline } from "@/server/testing/model/offline-checks";
import { judgeOutcome } from "./judge-outcome";

const database = await createTestDatabase();
let isRepaired = false;
const judge: Judge = {
  ...builtinJudge,
  judge: async (input) => {
    if (!isRepaired && input.task === RIVERS_TASK) throw new Error("a fault of the judge");
    return builtinJudge.judge(input);
  },
};
const core = createTestCore(database);
const engine = createTestEngine(database.url, [judgeOutcome]);
const { publish } = engine;
await engine.start({ core, judge, decideRequirements: decideOffline });
afterAll(async () => {
  await engine.stop();
  await database.close();
});

const countFaults = async (now = new Date()) => {
  const kinds = await readStalled(core.db, now);
  const { waiting, stalled } = kinds.find(({ kind }) => kind === "faults") ?? {};
  return { waiting, stalled };
};

test("one run resolves an outcome that cannot be judged, and an operator's retry finds the repair", async () => {
  const { id } = await insertPendingOutcome(core, await createTestAgent(core));
  const find = async () => (await core.db.select().from(outcomes).where(eq(outcomes.id, id)))[0];
  const event = { id: `submitted:${id}`, name: "outcome/submitted", data: { outcomeId: id } };
  await core.db.transaction((tx) => publish(tx, [event]));
  for (let retries = 0; retries < 5; retries++) {
    const { run, due } = await waitForDueJob(core.db, "judge-outcome");
    expect(await find()).toMatchObject({ judgedAt: null });
    expect(await countFaults()).toEqual({ waiting: 1, stalled: 0 });
    // The fault becomes as old as it is when the job is due.
    const wait = sql`(${due.toISOString()}::timestamptz - now())`;
    await core.db.update(outcomes).set({ faultedAt: sql`${outcomes.faultedAt} - ${wait}` });
    await advanceTime(core.db, run);
  }
  await waitFor(async () => (await find())?.judgedAt);
  const unassessed = { verdict: "SUCCESS", confidencePpm: 500_000, judgeKind: "gate" };
  expect(await find()).toMatchObject(unassessed);
  expect(await countFaults()).toEqual({ waiting: 1, stalled: 1 });

  isRepaired = true;
  expect(await retryStalled({ ...core, publish }, { kind: "faults", id, now: new Date() })).toBe(
    "1 requeued",
  );
  await waitFor(async () => (await find())?.faultedAt === null);
  expect(await find()).toMatchObject(unassessed);
  expect(await countFaults()).toEqual({ waiting: 0, stalled: 0 });
  expect(await retryStalled({ ...core, publish }, { kind: "faults", now: new Date() })).toBeNull();
});

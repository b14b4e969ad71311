import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import type { Judge } from "@/server/judging/judge";
import { retryStalled } from "@/server/operations/retry";
import { readStalled } from "@/server/operations/stalled";
import { outcomes } from "@/server/outcomes/tables";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestEngine, waitFor } from "@/server/testing/engine/engine";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { insertPendingOutcome, RIVERS_TASK } from "@/server/testing/fixtures/outcome";
import { builtinJudge, decideOffline } from "@/server/testing/model/offline-checks";
import { judgeOutcome } from "./judge-outcome";

const database = await createTestDatabase();
let isRepaired = false;
let faults = 0;
const judge: Judge = {
  ...builtinJudge,
  judge: async (input) => {
    if (isRepaired || input.task !== RIVERS_TASK) return builtinJudge.judge(input);
    faults += 1;
    throw new Error("a fault of the judge");
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

/** Lets the time until the run's next attempt pass, for the run and for the fault. */
const passTime = () =>
  core.db.execute(sql`
    with woken as (
      update engine_jobs set due_at = now() where state = 'sleeping' and due_at > now()
      returning old.due_at - now() as wait
    )
    update outcomes set faulted_at = faulted_at - wait from woken`);

test("one run resolves an outcome that cannot be judged, and an operator's retry finds the repair", async () => {
  const { id } = await insertPendingOutcome(core, await createTestAgent(core));
  const find = async () => (await core.db.select().from(outcomes).where(eq(outcomes.id, id)))[0];
  const event = { id: `submitted:${id}`, name: "outcome/submitted", data: { outcomeId: id } };
  await core.db.transaction((tx) => publish(tx, [event]));
  await waitFor(async () => (await find())?.faultedAt);
  expect(await find()).toMatchObject({ judgedAt: null });
  expect(await countFaults()).toEqual({ waiting: 1, stalled: 0 });

  await waitFor(async () => {
    await passTime();
    return (await find())?.judgedAt;
  });
  expect(faults).toBe(6);
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

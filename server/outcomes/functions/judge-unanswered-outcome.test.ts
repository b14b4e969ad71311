import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { type Judge, TextUnanswered } from "@/server/judging/judge";
import { HOUR_MS } from "@/server/lib/time";
import { requeueOverdue } from "@/server/operations/requeue";
import { outcomes } from "@/server/outcomes/tables";
import { unjudgedOutcomes } from "@/server/outcomes/work";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestEngine, hasten, waitFor } from "@/server/testing/engine/engine";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { builtinJudge, decideOffline } from "@/server/testing/model/offline-checks";
import { judgeOutcome, judgeUnansweredOutcome } from "./judge-outcome";

const database = await createTestDatabase();
const core = createTestCore(database, { env: { JUDGE_CONCURRENCY: 1 } });
/** Number of attempts in each queue. */
const attempts = { usual: 0, slow: 0 };
const judge: Judge = {
  ...builtinJudge,
  judge: (_input, { queue = "usual" } = {}) => {
    attempts[queue] += 1;
    return Promise.reject(new TextUnanswered("the model answers other texts only"));
  },
};
const engine = createTestEngine(database.url, [judgeOutcome, judgeUnansweredOutcome], {
  env: core.env,
});
const { publish } = engine;
await engine.start({ core: { ...core, publish }, judge, decideRequirements: decideOffline });
afterAll(async () => {
  await engine.stop();
  await database.close();
});

const findUnansweredAt = async (id: string) =>
  (await core.db.select().from(outcomes).where(eq(outcomes.id, id)))[0]?.unansweredAt;
const requeueAfterHours = (hours: number) =>
  requeueOverdue(core, unjudgedOutcomes, new Date(Date.now() + hours * HOUR_MS));

test("reconciling skips an outcome of the slow queue until that gives up, or for six hours", async () => {
  const { id } = await insertPendingOutcome(core, await createTestAgent(core));
  const event = { id: `submitted:${id}`, name: "outcome/submitted", data: { outcomeId: id } };
  await core.db.transaction((tx) => engine.publish(tx, [event]));
  await waitFor(async () => {
    await hasten(core.db, "judge-outcome");
    return findUnansweredAt(id);
  });
  expect(attempts.usual).toBe(2);
  expect(await requeueAfterHours(5.9)).toBe(0);
  expect(await requeueAfterHours(6.1)).toBe(1);

  await waitFor(async () => {
    await hasten(core.db, "judge-unanswered-outcome");
    return (await findUnansweredAt(id)) === null;
  });
  expect(attempts).toEqual({ usual: 2, slow: 3 });
  expect(await requeueAfterHours(1)).toBe(1);
});

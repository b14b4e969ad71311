import { expect, test } from "vitest";
import { disputes } from "@/server/disputes/tables";
import { dueReviews } from "@/server/disputes/work";
import { MINUTE_MS, SECOND_MS } from "@/server/lib/time";
import { unjudgedOutcomes } from "@/server/outcomes/work";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { openDispute } from "@/server/testing/fixtures/dispute";
import { insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { requeueOverdue } from "./requeue";

const bench = await shareSettlementFixture();

const now = new Date("2026-12-01T12:02:00Z");
const ago = (ms: number) => new Date(now.getTime() - ms);
const later = (ms: number) => new Date(now.getTime() + ms);

test("an outcome whose run was lost is requeued after two minutes, once in that time", async () => {
  const agent = await createTestAgent(bench.core);
  const lost = await insertPendingOutcome(bench.core, agent, { submittedAt: ago(2 * MINUTE_MS) });
  await insertPendingOutcome(bench.core, agent, { submittedAt: now });
  expect(await requeueOverdue(bench.core, unjudgedOutcomes, ago(SECOND_MS))).toBe(0);
  for (let minute = 0; minute < 2; minute++) {
    await requeueOverdue(
      bench.core,
      unjudgedOutcomes,
      later(SECOND_MS + minute * (MINUTE_MS - SECOND_MS)),
    );
  }
  expect(bench.core.published.map(({ data }) => data.outcomeId)).toEqual([lost.id]);
});

test("a review that was lost is requeued after two minutes, once in that time", async () => {
  const { dispute } = await openDispute(bench);
  bench.core.published.length = 0;
  await bench.core.db.update(disputes).set({ expiresAt: ago(2 * MINUTE_MS) });
  expect(await requeueOverdue(bench.core, dueReviews, ago(SECOND_MS))).toBe(0);
  for (let minute = 0; minute < 2; minute++) {
    await requeueOverdue(
      bench.core,
      dueReviews,
      later(SECOND_MS + minute * (MINUTE_MS - SECOND_MS)),
    );
  }
  expect(bench.core.published.map(({ data }) => data.disputeId)).toEqual([dispute.id]);
});

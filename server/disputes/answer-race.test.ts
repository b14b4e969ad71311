import { setTimeout as pause } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import type { Reviewer, ReviewInput } from "@/server/judging/judge";
import type { Core } from "@/server/lib/context";
import { HOUR_MS } from "@/server/lib/time";
import { payUsdc } from "@/server/testing/chain/payments";
import { waitFor } from "@/server/testing/engine/engine";
import { createParties, openDispute } from "@/server/testing/fixtures/dispute";
import { createSettlementFixture } from "@/server/testing/fixtures/settlement";
import { builtinJudge } from "@/server/testing/model/offline-checks";
import { reviewDispute } from "./review";
import { stakeDispute } from "./stake";
import { disputeSides, disputes, payouts } from "./tables";

const bench = await createSettlementFixture();
const parties = await createParties(bench);
afterAll(() => bench.close());

/**
 * Runs an answer and the review that closes the dispute at once. Returns which was first and its
 * traces.
 */
async function race(
  begin: (
    answer: (publish?: Core["publish"]) => Promise<string>,
    review: () => Promise<unknown>,
  ) => Promise<string>,
) {
  const { core, control } = bench;
  const { dispute } = await openDispute(bench, { parties });
  const expiresAt = new Date(Date.now() + HOUR_MS);
  await core.db.update(disputes).set({ expiresAt }).where(eq(disputes.id, dispute.id));
  const { contractor } = parties;
  const [agent] = await core.db.select().from(agents).where(eq(agents.wallet, contractor.address));
  const { transactionHash: stakePaymentTxHash } = await payUsdc(
    { chain: core.chain, node: control },
    contractor,
    core.chain.stakeAddress,
    500_000n,
  );
  const seen: ReviewInput[] = [];
  const reviewer: Reviewer = {
    review: (input) => {
      seen.push(input);
      return builtinJudge.review(input);
    },
  };
  const input = { disputeId: dispute.id, stakePaymentTxHash, statement: "It is right." };
  const refunds = await core.db.$count(payouts);
  const answer = await begin(
    (publish = core.publish) =>
      stakeDispute(
        { ...core, publish },
        { id: agent?.id ?? "", wallet: contractor.address },
        input,
        new Date(),
      ).then(
        () => "attached",
        (error) => error.code,
      ),
    () => reviewDispute(core, reviewer, dispute.id, { now: expiresAt }),
  );
  return {
    answer,
    sides: await core.db.$count(disputeSides, eq(disputeSides.disputeId, dispute.id)),
    judgedWith: seen.map(({ contractor: brief }) => brief?.statement ?? null),
    refunds: (await core.db.$count(payouts)) - refunds,
  };
}

const JUDGED = { answer: "attached", sides: 2, judgedWith: ["It is right."], refunds: 0 };
const REFUSED = { answer: "dispute-closed", sides: 1, judgedWith: [null], refunds: 1 };

test("judges an answer before the review, and refuses a later one and returns its stake", async () => {
  const first = race(async (answer, review) => {
    const answered = await answer();
    await review();
    return answered;
  });
  expect(await first).toEqual(JUDGED);
  const late = race(async (answer, review) => {
    await review();
    return answer();
  });
  expect(await late).toEqual(REFUSED);
});

test("judges an answer that is being written when the review begins", async () => {
  const waits = sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const traces = await race(async (answer, review) => {
    let reviewed: Promise<unknown> | undefined;
    let isOver = false;
    const answered = await answer(async (tx, events) => {
      await bench.core.publish(tx, events);
      reviewed = review().finally(() => {
        isOver = true;
      });
      // Continues once the review waits for this answer, or did not have to wait.
      await waitFor(async () => isOver || (await bench.core.db.execute(waits)).length > 0);
    });
    await reviewed;
    return answered;
  });
  expect(traces).toEqual(JUDGED);
});

test("either judges or refuses an answer that races the review", async () => {
  for (let round = 0; round < 6; round++) {
    const traces = await race(async (answer, review) => {
      const [answered] = await Promise.all([answer(), pause(round * 6).then(review)]);
      return answered;
    });
    expect(traces).toEqual(traces.answer === "attached" ? JUDGED : REFUSED);
  }
}, 180_000);

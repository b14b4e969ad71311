import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { StoredExamination } from "@/server/judging/schema";
import { createCallerFactory } from "@/server/lib/trpc";
import { JUDGEMENT_EXAMPLE } from "@/server/outcomes/public-judgement";
import { createTestContext } from "@/server/testing/core";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { createDisputableOutcome, payStake } from "@/server/testing/fixtures/resolved-outcomes";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { disputesRouter } from "./router";
import { disputes } from "./tables";

const bench = await shareSettlementFixture();

const as = (agent: TestAgent | null) =>
  createCallerFactory(disputesRouter)(
    createTestContext(bench.core, { apiKey: agent?.apiKey ?? null }).context,
  );

async function disputed(openedBy: "contractor" | "requester") {
  const verdict = openedBy === "contractor" ? "FAILURE" : "SUCCESS";
  const here = await createDisputableOutcome(bench, undefined, { verdict });
  const opener = here[openedBy];
  const { disputeId } = await as(opener).open({
    outcomeId: here.outcome.id,
    reason: "It names only two rivers.",
    stakePaymentTxHash: await payStake(bench, opener),
  });
  return { ...here, disputeId };
}

describe("an agent's disputes", () => {
  test("are those in which it is a party, in public form", async () => {
    const byRequester = await disputed("requester");
    await disputed("contractor");
    for (const party of ["contractor", "requester"] as const) {
      const listed = await as(byRequester[party]).list({});
      expect(listed).toEqual({
        content: [await as(null).get({ disputeId: byRequester.disputeId })],
        totalElements: 1,
        totalPages: 1,
        page: 0,
        size: 20,
      });
    }
    expect((await as(await createTestAgent(bench.core)).list({})).content).toEqual([]);
    await expect(as(null).list({})).rejects.toMatchObject({ cause: { code: "unauthenticated" } });
  });

  test("are paginated", async () => {
    const { contractor } = await disputed("contractor");
    expect(await as(contractor).list({ page: 1, size: 1 })).toMatchObject({
      content: [],
      totalElements: 1,
      totalPages: 1,
    });
  });

  test("show who examined once they are resolved, without the private parts", async () => {
    const { disputeId } = await disputed("requester");
    const { examinations } = JUDGEMENT_EXAMPLE;
    const stored = examinations.map(({ outcome, verdict, confidence, manipulation, ...call }) => ({
      ...{ outcome, verdict, confidence, manipulation, demands: [], reasoning: "Private." },
      call: { ...call, raw: "Private.", parameters: {}, costUsd: null },
    })) as unknown as StoredExamination[];
    const set = (status: "OPEN" | "RESOLVED") =>
      bench.core.db
        .update(disputes)
        .set({ status, detail: { examinations: stored } })
        .where(eq(disputes.id, disputeId));
    await set("OPEN");
    expect(await as(null).examinations({ disputeId })).toEqual([]);
    await set("RESOLVED");
    expect(await as(null).examinations({ disputeId })).toEqual(examinations);
  });

  test("have public time limits", async () => {
    expect(await as(null).terms()).toEqual({
      disputeWindowMs: bench.core.env.DISPUTE_WINDOW,
      responseWindowMs: bench.core.env.DISPUTE_RESPONSE_WINDOW,
      acceptsDisputes: true,
      disputeReview: "checks-only",
    });
  });
});

import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { createBuiltinJudge } from "@/server/judging/checks/builtin-judge";
import { createCheckIo, createCheckRunner } from "@/server/judging/checks/run-checks";
import { findJudgement } from "@/server/judging/queries";
import { documents } from "@/server/judging/tables";
import { judgeAndStoreOutcome } from "@/server/outcomes/judge-outcome";
import { rejudge } from "@/server/outcomes/rejudge";
import type { outcomes } from "@/server/outcomes/tables";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { ALL_CHECKS_DECIDE } from "@/server/testing/fixtures/check-confidence";
import { insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { insertUsedTransfer } from "@/server/testing/fixtures/transfer";
import { startHttpServer } from "@/server/testing/http/local-servers";
import { decideOffline } from "@/server/testing/model/offline-checks";
import { reviewDispute } from "./review";
import type { Party } from "./schema";
import { disputeSides, disputes } from "./tables";

const database = await createTestDatabase();
const core = createTestCore(database);
afterAll(database.close);

const HEAT = "<p>In 2023 the oceans absorbed more heat than in any earlier year.</p>";
const OTHER = "<p>Our shop sells bicycles and repairs them within one working day.</p>";
const QUOTATION = "“The oceans absorbed more heat than in any earlier year”";

/** Serves `/heat` as `page` says at the moment; null: the page is missing. */
async function servePage(initial: string | null) {
  const site = { page: initial };
  const server = await startHttpServer((_, response) => {
    response.writeHead(site.page === null ? 404 : 200, { "content-type": "text/html" });
    response.end(site.page ?? "");
  });
  return { site, url: `${server.url}/heat`, requests: server.seen };
}

/** A judge as another process has it, without pages in its cache. */
const createJudge = () =>
  createBuiltinJudge(createCheckRunner(createCheckIo({ allowLoopback: true })), ALL_CHECKS_DECIDE);

async function judge(fields: Partial<typeof outcomes.$inferInsert>) {
  const outcome = await insertPendingOutcome(core, await createTestAgent(core), {
    taskDescription: "Report on the warming of the oceans. Cite your sources.",
    submittedBy: "requester",
    ...fields,
  });
  await judgeAndStoreOutcome(core, createJudge(), outcome.id, { lastAttempt: true });
  const judgement = await findJudgement(core.db, outcome.id);
  if (!judgement) throw new Error("not judged");
  return { ...outcome, verdict: judgement.verdict };
}

type Judged = Awaited<ReturnType<typeof judge>>;

async function dispute({ id: outcomeId, contractor, requester, verdict }: Judged) {
  const openedBy: Party = verdict === "SUCCESS" ? "requester" : "contractor";
  const [opened] = await core.db
    .insert(disputes)
    .values({
      outcomeId,
      openedBy,
      contractor,
      requester,
      recordedVerdict: verdict,
      salt: randomBytes(16),
      expiresAt: new Date(),
    })
    .returning();
  if (!opened) throw new Error("not inserted");
  return opened;
}

async function supply(disputeId: string, deliverableContent: string) {
  const wallet = `0x${"1".repeat(40)}`;
  const stake = { purpose: "stake", from: wallet, to: wallet } as const;
  const { id: transferId } = await insertUsedTransfer(core.db, stake);
  await core.db.insert(disputeSides).values({
    disputeId,
    party: "contractor",
    transferId,
    deliverableContent,
    deliverableHash: `0x${"0".repeat(64)}`,
  });
}

async function review(id: string) {
  await reviewDispute(core, createJudge(), id, { now: new Date() });
  const [reviewed] = await core.db.select().from(disputes).where(eq(disputes.id, id));
  return reviewed;
}

const disputeAndReview = async (judged: Judged) => review((await dispute(judged)).id);

describe("a SUCCESS disputed by its requester", () => {
  test.each<[string, string | null]>([
    ["vanishes", null],
    ["no longer has the quotation", OTHER],
  ])("is upheld if a cited page %s after the judgement", async (_, later) => {
    const { site, url, requests } = await servePage(HEAT);
    const judged = await judge({ deliverableContent: `${QUOTATION} (${url}).` });
    expect(judged.verdict).toBe("SUCCESS");
    site.page = later;
    expect(await disputeAndReview(judged)).toMatchObject({ finalVerdict: "SUCCESS" });
    expect(requests).toHaveLength(1);
  });

  test("is upheld if its pages were judged before copies were stored", async () => {
    const { site, url, requests } = await servePage(HEAT);
    const judged = await judge({ deliverableContent: `${QUOTATION} (${url}).` });
    await core.db.delete(documents).where(eq(documents.subjectId, judged.id));
    site.page = null;
    expect(await disputeAndReview(judged)).toMatchObject({ finalVerdict: "SUCCESS" });
    expect(requests).toHaveLength(1);
  });

  test("is upheld without a fetch if the copy of its deliverable is gone", async () => {
    const { site, url, requests } = await servePage(HEAT);
    const judged = await judge({ deliverableContent: null, deliverableUrl: url });
    expect(judged.verdict).toBe("SUCCESS");
    await core.db.delete(documents).where(eq(documents.subjectId, judged.id));
    site.page = "<p></p>";
    expect(await disputeAndReview(judged)).toMatchObject({ finalVerdict: "SUCCESS" });
    expect(requests).toHaveLength(1);
  });

  test("is upheld although the contractor supplies work that cites a missing page", async () => {
    const { site, url, requests } = await servePage(HEAT);
    const judged = await judge({ deliverableContent: `The oceans are warming (${url}).` });
    expect(judged.verdict).toBe("SUCCESS");
    const { id } = await dispute(judged);
    site.page = null;
    await supply(id, `The oceans are warming (${url}?page=2).`);
    expect(await review(id)).toMatchObject({ finalVerdict: "SUCCESS" });
    expect(requests).toHaveLength(1);
  });
});

describe("a FAILURE disputed by its contractor", () => {
  test("is upheld if its missing page is published after the judgement", async () => {
    const { site, url, requests } = await servePage(null);
    const judged = await judge({ deliverableContent: `The oceans are warming (${url}).` });
    expect(judged.verdict).toBe("FAILURE");
    site.page = HEAT;
    expect(await disputeAndReview(judged)).toMatchObject({ finalVerdict: "FAILURE" });
    expect(requests).toHaveLength(1);
  });

  test("is reviewed with the pages that the supplied deliverable cites", async () => {
    const { url, requests } = await servePage(null);
    const judged = await judge({ deliverableContent: "" });
    const { id } = await dispute(judged);
    await supply(id, `The oceans are warming (${url}).`);
    expect(await review(id)).toMatchObject({ finalVerdict: "FAILURE" });
    expect(requests).toHaveLength(1);
  });
});

describe("judging again", () => {
  test("by an operator uses the stored pages", async () => {
    const { site, url, requests } = await servePage(HEAT);
    const judged = await judge({ deliverableContent: `${QUOTATION} (${url}).` });
    site.page = null;
    const { repeated } = await rejudge(core, createJudge(), decideOffline, judged.id);
    expect(repeated.verdict).toBe("SUCCESS");
    expect(requests).toHaveLength(1);
  });

  test("after an outage of the judge uses the stored pages", async () => {
    const { site, url, requests } = await servePage(HEAT);
    const outcome = await insertPendingOutcome(core, await createTestAgent(core), {
      taskDescription: "Report on the warming of the oceans. Cite your sources.",
      deliverableContent: `${QUOTATION} (${url}).`,
    });
    const failing = createJudge();
    const interrupted = {
      ...failing,
      judge: async (...given: Parameters<typeof failing.judge>) => {
        await failing.judge(...given);
        throw new Error("the judge failed after its checks");
      },
    };
    await expect(
      judgeAndStoreOutcome(core, interrupted, outcome.id, { lastAttempt: false }),
    ).rejects.toThrow();
    site.page = null;
    await judgeAndStoreOutcome(core, createJudge(), outcome.id, { lastAttempt: true });
    expect(await findJudgement(core.db, outcome.id)).toMatchObject({ verdict: "SUCCESS" });
    expect(requests).toHaveLength(1);
  });
});

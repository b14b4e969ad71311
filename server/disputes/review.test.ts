import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { commitToHash, hashJson } from "@/server/judging/evidence";
import {
  type JudgementDetail,
  JudgeUnavailable,
  type Review,
  type Reviewer,
  type ReviewInput,
} from "@/server/judging/judge";
import { documents, judgements } from "@/server/judging/tables";
import { sha256 } from "@/server/lib/hash";
import { MINUTE_MS } from "@/server/lib/time";
import { requeue } from "@/server/operations/requeue";
import type { outcomes } from "@/server/outcomes/tables";
import { createTestCore, type TestCore } from "@/server/testing/core";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { insertJudgedOutcome, RIVERS_TASK } from "@/server/testing/fixtures/outcome";
import { insertUsedTransfer } from "@/server/testing/fixtures/transfer";
import { builtinJudge, decideOffline } from "@/server/testing/model/offline-checks";
import { reviewDispute } from "./review";
import type { Party } from "./schema";
import { disputeSides, disputes } from "./tables";
import { dueReviews } from "./work";

let database: TestDatabase;
let core: TestCore;
let agent: TestAgent;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  core = createTestCore(database);
  agent = await createTestAgent(core);
});

const now = new Date();

/** A reviewer that stores its input and returns a preset decision. */
function createReviewer(finalVerdict: "SUCCESS" | "FAILURE" = "FAILURE") {
  const seen: ReviewInput[] = [];
  const review = async (input: ReviewInput): Promise<Review> => {
    seen.push(input);
    return {
      judge: { kind: "llm", id: "a-model" },
      version: "a-review/v1",
      finalVerdict,
      assessed: true,
      explanation: "It was weighed.",
      detail: { examinations: [1, 2, 3], nothing: undefined },
    };
  };
  return { review, seen };
}

interface Options {
  expiresIn?: number;
  outcome?: Partial<typeof outcomes.$inferInsert>;
  openedBy?: Party;
}

async function opened({ expiresIn = 0, outcome = {}, openedBy = "requester" }: Options = {}) {
  const { id: outcomeId, evidenceHash } = await insertJudgedOutcome(core, agent, outcome);
  const [dispute] = await core.db
    .insert(disputes)
    .values({
      outcomeId,
      openedBy,
      contractor: agent.wallet,
      requester: agent.wallet,
      recordedVerdict: outcome.verdict ?? "SUCCESS",
      salt: randomBytes(16),
      expiresAt: new Date(now.getTime() + expiresIn),
    })
    .returning();
  if (!dispute) throw new Error("not inserted");
  await attach(dispute.id, openedBy, { statement: "The opener's words." });
  return { ...dispute, outcomeEvidenceHash: evidenceHash };
}

type Side = Partial<typeof disputeSides.$inferInsert>;

/** Attaches an answer as `stakeDispute` does: locks its row while the review has not started. */
async function attach(disputeId: string, party: Party, side: Side = {}): Promise<boolean> {
  return core.db.transaction(async (tx) => {
    const [dispute] = await tx
      .select({ started: disputes.reviewStartedAt })
      .from(disputes)
      .where(eq(disputes.id, disputeId))
      .for("update");
    if (dispute?.started !== null) return false;
    const stake = { purpose: "stake", from: agent.wallet, to: agent.wallet } as const;
    const { id: transferId } = await insertUsedTransfer(tx, stake);
    await tx.insert(disputeSides).values({ disputeId, party, transferId, ...side });
    return true;
  });
}

/** Stores the first judgement of an outcome. */
const insertJudgement = (
  subjectId: string,
  verdict: "SUCCESS" | "FAILURE",
  judgeKind: "heuristic" | "llm",
  detail: Partial<JudgementDetail>,
) =>
  core.db.insert(judgements).values({
    subjectId,
    judgeKind,
    judgeId: "a-judge",
    verdict,
    confidencePpm: 900_000,
    reasoning: "",
    evidence: {} as never,
    evidenceHash: sha256(""),
    detail: { version: "v", findings: [], hashes: {}, ...detail },
    durationMs: 1,
  });

const insertDocument = (
  subjectId: string,
  url: string,
  content: string,
  mediaType = "text/plain",
) =>
  core.db
    .insert(documents)
    .values({ subjectId, url, content, mediaType, sha256: sha256(content), fetchedAt: now });

const find = async (id: string) =>
  (await core.db.select().from(disputes).where(eq(disputes.id, id)))[0];
const review = (id: string, reviewer: Reviewer = createReviewer(), at = now) =>
  reviewDispute(core, reviewer, id, { now: at });

describe("a review", () => {
  test("waits while the other party may still answer", async () => {
    const { id } = await opened({ expiresIn: MINUTE_MS });
    const { review: ask, seen } = createReviewer();
    expect(await review(id, { review: ask })).toBe("not-due");
    expect(await find(id)).toMatchObject({ reviewStartedAt: null, judgedAt: null });
    expect(seen).toEqual([]);
  });

  test("begins at the end of that time without an answer", async () => {
    const { id } = await opened({ expiresIn: MINUTE_MS });
    const at = new Date(now.getTime() + MINUTE_MS);
    expect(await review(id, createReviewer(), at)).toBe("judged");
    expect(await find(id)).toMatchObject({ reviewStartedAt: at, judgedAt: expect.any(Date) });
    expect(await attach(id, "contractor")).toBe(false);
  });

  test("begins as soon as both stakes are paid", async () => {
    const { id } = await opened({ expiresIn: MINUTE_MS });
    await attach(id, "contractor");
    expect(await review(id)).toBe("judged");
  });

  test("stores the verdict with its evidence and publishes the event", async () => {
    const dispute = await opened({ openedBy: "contractor", outcome: { verdict: "FAILURE" } });
    const { id, outcomeId, salt } = dispute;
    const commitment = sha256("a salted hash");
    await attach(id, "requester", { evidenceHash: commitment, statement: "An answer." });
    const { review: ask } = createReviewer("SUCCESS");
    await review(id, { review: ask });

    const evidence = {
      disputeId: id,
      outcomeId,
      outcomeEvidenceHash: dispute.outcomeEvidenceHash,
      statementHashes: [sha256("The opener's words."), sha256("An answer.")],
      evidenceHashes: [commitment],
      reviewHash: commitToHash(salt, hashJson({ examinations: [1, 2, 3] })),
      verdict: "CONTRACTOR_WINS",
      assessed: true,
      judgeVersion: "a-review/v1",
      reasoningHash: sha256("It was weighed."),
    };
    expect(await find(id)).toMatchObject({
      status: "OPEN",
      verdict: "CONTRACTOR_WINS",
      finalVerdict: "SUCCESS",
      explanation: "It was weighed.",
      judgeKind: "llm",
      judgeId: "a-model",
      evidence,
      evidenceHash: hashJson(evidence),
      detail: { examinations: [1, 2, 3] },
      resolvedAt: null,
    });
    expect(core.published).toEqual([
      { id: `dispute-judged:${id}`, name: "dispute/judged", data: { disputeId: id } },
    ]);
  });

  test("happens once, even if requested five times concurrently and once more", async () => {
    const { id } = await opened();
    await Promise.all(
      Array.from({ length: 5 }, (_, nth) =>
        review(id, createReviewer(nth % 2 ? "SUCCESS" : "FAILURE")),
      ),
    );
    const once = await find(id);
    const { review: ask, seen } = createReviewer("SUCCESS");
    expect(await review(id, { review: ask })).toBe("judged");
    expect(seen).toEqual([]);
    expect(await find(id)).toEqual(once);
    expect(core.published).toHaveLength(1);
    // The hash on chain belongs to the final verdict.
    expect(once?.evidence?.verdict).toBe(once?.verdict);
  });

  test("that finishes second does not change the first verdict", async () => {
    const { id } = await opened();
    const slow: Reviewer = {
      review: async (input) => {
        await review(id, createReviewer("FAILURE"));
        return createReviewer("SUCCESS").review(input);
      },
    };
    await review(id, slow);
    expect(await find(id)).toMatchObject({ verdict: "REQUESTER_WINS", finalVerdict: "FAILURE" });
  });

  test("stores nothing if publishing fails", async () => {
    const { id } = await opened();
    const broken = { ...core, publish: () => Promise.reject(new Error("it died")) };
    await expect(reviewDispute(broken, createReviewer(), id, { now })).rejects.toThrow("it died");
    expect(await find(id)).toMatchObject({ judgedAt: null, verdict: null });
  });

  test("leaves the dispute open if the judge is unavailable, and is repeated later", async () => {
    const { id } = await opened();
    const down: Reviewer = { review: () => Promise.reject(new JudgeUnavailable("down")) };
    await expect(review(id, down)).rejects.toThrow(JudgeUnavailable);
    expect(await find(id)).toMatchObject({ status: "OPEN", verdict: null, judgedAt: null });
    expect(core.published).toEqual([]);
    expect(await attach(id, "contractor")).toBe(false);
    expect(await review(id, createReviewer(), new Date(now.getTime() + MINUTE_MS))).toBe("judged");
    expect(await find(id)).toMatchObject({ reviewStartedAt: now });
  });
});

describe("a review by the built-in judge", () => {
  const TEXT = "The Rhine flows through six countries.";
  const judged = async (task: string, verdict: "SUCCESS" | "FAILURE", statement: string) => {
    const outcome = { taskDescription: task, deliverableContent: TEXT, verdict };
    const openedBy = verdict === "SUCCESS" ? "requester" : "contractor";
    const { id } = await opened({ outcome, openedBy });
    await core.db.update(disputeSides).set({ statement }).where(eq(disputeSides.disputeId, id));
    await review(id, builtinJudge);
    return find(id);
  };

  test("overturns a SUCCESS if a check fails, and says which", async () => {
    const dispute = await judged("Describe the Rhine in at most 4 words.", "SUCCESS", "Too long.");
    expect(dispute).toMatchObject({
      verdict: "REQUESTER_WINS",
      finalVerdict: "FAILURE",
      judgeKind: "heuristic",
    });
    expect(dispute?.explanation).toContain("The task demands at most 4 words (words: 6)");
  });

  test("weighs no statement or document, says so, and quotes no private text", async () => {
    const statement = `It has 20 words. It says "flows through six countries". Also, it is dull.`;
    const dispute = await judged("Describe the Rhine.", "SUCCESS", statement);
    expect(dispute).toMatchObject({ verdict: "CONTRACTOR_WINS", finalVerdict: "SUCCESS" });
    const { explanation } = dispute ?? {};
    expect(explanation).toContain("Code cannot weigh the parties' statements.");
    expect(explanation).not.toContain("Rhine");
    expect(explanation).not.toContain("six countries");
  });

  test("overturns a FAILURE if its check passes now", async () => {
    const failure = {
      id: "k1",
      check: "stated-limit",
      parameters: { kind: "words", min: null, max: 9 },
      statement: "in at most 9 words",
      text: "At most 9 words",
      result: { outcome: "fail" as const, observed: "10 words" },
    };
    const outcome = {
      taskDescription: "Describe the Rhine in at most 9 words.",
      deliverableContent: TEXT,
      verdict: "FAILURE" as const,
    };
    const dispute = await opened({ outcome, openedBy: "contractor" });
    await insertJudgement(dispute.outcomeId, "FAILURE", "heuristic", { checks: [failure] });
    await review(dispute.id, builtinJudge);
    expect(await find(dispute.id)).toMatchObject({ finalVerdict: "SUCCESS" });
  });
});

describe("the input of the reviewer", () => {
  test("has the first judgement, both statements and both documents", async () => {
    const dispute = await opened({
      outcome: { deliverableContent: null, deliverableUrl: "http://127.0.0.1:1024/work" },
    });
    const [work, proof] = ["http://127.0.0.1:1024/work", "http://127.0.0.1:1024/proof"];
    await insertDocument(dispute.outcomeId, work, "<p>The R\u200Bhine</p>", "text/html");
    await insertJudgement(dispute.outcomeId, "SUCCESS", "llm", {});
    const id = randomUUID();
    await insertDocument(id, proof, "A proof.");
    await attach(dispute.id, "contractor", { id, statement: null, evidenceUrl: proof });
    const { review: ask, seen } = createReviewer();
    await review(dispute.id, { review: ask });
    expect(seen).toMatchObject([
      {
        task: RIVERS_TASK,
        category: "research",
        deliverable: { kind: "text", text: "The Rhine", source: "url" },
        recorded: { verdict: "SUCCESS", isByModel: true },
        contractor: { statement: null, evidence: "A proof." },
        requester: { statement: "The opener's words.", evidence: null },
      },
    ]);
    expect(JSON.stringify(seen)).not.toContain(agent.wallet);
  });

  test.each<[string, Partial<typeof disputeSides.$inferInsert>, object, string | null]>([
    [
      "the text that the contractor supplied",
      { deliverableContent: "The Loire.", evidenceUrl: "http://127.0.0.1:1024/log" },
      { kind: "text", text: "The Loire.", source: "content" },
      "A log.",
    ],
    [
      "the document that it supplied, which is then not evidence",
      { evidenceUrl: "http://127.0.0.1:1024/log" },
      { kind: "text", text: "A log.", source: "url" },
      null,
    ],
  ])("has %s, marked as supplied", async (_, side, deliverable, evidence) => {
    const dispute = await opened({ outcome: { submittedBy: "requester" } });
    const deliverableHash = sha256("a salted hash");
    const id = randomUUID();
    await insertDocument(id, "http://127.0.0.1:1024/log", "A log.");
    await attach(dispute.id, "contractor", { id, statement: null, deliverableHash, ...side });
    const { review: ask, seen } = createReviewer();
    await review(dispute.id, { review: ask });
    expect(seen).toMatchObject([
      { isSupplied: true, deliverable, contractor: { statement: null, evidence } },
    ]);
    const { evidence: committed, explanation, evidenceHash } = (await find(dispute.id)) ?? {};
    expect(committed).toMatchObject({ deliverableHash });
    expect(evidenceHash).toBe(hashJson(committed));
    expect(explanation).toContain("the contractor supplied in the dispute");
  });

  test("has no document that could not be fetched, and no side that did not answer", async () => {
    const { id } = await opened();
    await core.db
      .update(disputeSides)
      .set({ evidenceUrl: "http://127.0.0.1:1024/", evidenceFailure: "It could not be fetched." })
      .where(eq(disputeSides.disputeId, id));
    const { review: ask, seen } = createReviewer();
    await review(id, { review: ask });
    expect(seen[0]?.requester).toEqual({ statement: "The opener's words.", evidence: null });
    expect(seen[0]?.contractor).toBeNull();
    expect(
      await core.db.select().from(documents).where(eq(documents.url, "http://127.0.0.1:1024/")),
    ).toEqual([]);
  });

  test("is not used for an empty deliverable, which remains FAILURE", async () => {
    const outcome = { deliverableContent: " \u200B", verdict: "FAILURE" as const };
    const { id } = await opened({ openedBy: "contractor", outcome });
    const { review: ask, seen } = createReviewer("SUCCESS");
    await review(id, { review: ask });
    expect(seen).toEqual([]);
    expect(await find(id)).toMatchObject({
      verdict: "REQUESTER_WINS",
      finalVerdict: "FAILURE",
      judgeKind: "gate",
    });
  });
});

describe("reconciling", () => {
  const due = async (dueBefore: Date) => {
    core.published.length = 0;
    await requeue(core, dueReviews, { now: dueBefore, cause: "test" });
    return core.published.map(({ data }) => data.disputeId);
  };

  test("requeues only reviews that were due and did not finish", async () => {
    const stalled = await opened({ expiresIn: -20 * MINUTE_MS });
    const early = await opened({ expiresIn: MINUTE_MS });
    const started = await opened({ expiresIn: MINUTE_MS });
    await core.db
      .update(disputes)
      .set({ reviewStartedAt: new Date(now.getTime() - 20 * MINUTE_MS) })
      .where(eq(disputes.id, started.id));
    const young = await opened({ expiresIn: -MINUTE_MS });
    const done = await opened({ expiresIn: -20 * MINUTE_MS });
    await review(done.id, builtinJudge);

    const ids = await due(new Date(now.getTime() - 15 * MINUTE_MS));
    expect(ids).toEqual(expect.arrayContaining([stalled.id, started.id]));
    for (const { id } of [early, young, done]) expect(ids).not.toContain(id);
    expect(await due(now)).toContain(young.id);
  });
});

describe("a dispute under an agreement", () => {
  const judged = async (outcome: Partial<typeof outcomes.$inferInsert>) => {
    const [contractor, requester] = [await createTestAgent(core), await createTestAgent(core)];
    const agreement = await insertAgreement(core, { contractor, requester });
    return opened({ outcome: { ...outcome, agreed: true, agreementId: agreement.id } });
  };
  const decideAgain = async (id: string) => {
    const { review, seen } = createReviewer();
    await reviewDispute(core, { review }, id, { now, decideRequirements: decideOffline });
    const [dispute] = await core.db.select().from(disputes).where(eq(disputes.id, id));
    return { dispute, seen };
  };

  test("asks no reviewer: code decides on the stored deliverable", async () => {
    const { id } = await judged({ deliverableContent: "No river.", verdict: "SUCCESS" });
    const { dispute, seen } = await decideAgain(id);
    expect(seen).toEqual([]);
    expect(dispute).toMatchObject({ finalVerdict: "FAILURE", judgeId: "requirements/v1" });
    const right = await judged({ deliverableContent: "The Rhine.", verdict: "FAILURE" });
    expect((await decideAgain(right.id)).dispute).toMatchObject({ finalVerdict: "SUCCESS" });
  });

  test("upholds that nothing was delivered, whatever text is supplied", async () => {
    const { id } = await judged({
      deliverableContent: null,
      submittedBy: "requester",
      verdict: "FAILURE",
    });
    await attach(id, "contractor", { deliverableContent: "The Rhine.", statement: "Here it is." });
    const { dispute, seen } = await decideAgain(id);
    expect(seen).toEqual([]);
    expect(dispute?.finalVerdict).toBe("FAILURE");
    expect(dispute?.explanation).toContain("Nothing was delivered by");
  });
});

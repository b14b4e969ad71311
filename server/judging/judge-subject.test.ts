import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { sha256 } from "@/server/lib/hash";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import {
  createGullibleModel,
  GULLIBLE_MODELS,
  GULLIBLE_TASK,
  HONEST,
} from "@/server/testing/model/gullible-model";
import { builtinJudge, runChecksOffline } from "@/server/testing/model/offline-checks";
import { startScriptedModel } from "@/server/testing/model/scripted-model";
import { commitTo, commitToHash, hashJson } from "./evidence";
import { CALIBRATION } from "./examination/calibration";
import { createModelJudge } from "./examination/model-judge";
import { type Deliverable, type Judge, type JudgeInput, JudgeUnavailable } from "./judge";
import { judgeSubject } from "./judge-subject";
import { createModelClient } from "./model-client/model-client";
import { findJudgement, storeJudgements } from "./queries";
import { judgements } from "./tables";

const database = await createTestDatabase();
const core = createTestCore(database);
afterAll(database.close);

const toInput = (deliverable: Deliverable): JudgeInput => ({
  task: "Write a note about the launch.",
  category: "content",
  deliverable,
});
const toDeliverable = (text: string): Deliverable => ({ kind: "text", text, source: "content" });

const salt = randomBytes(16);
const commitments = {
  salt,
  taskHash: commitTo(salt, "the task"),
  deliverableHash: commitTo(salt, "the deliverable"),
};

/** Creates a built-in judge that records its inputs. */
function createRecordingJudge() {
  const asked: JudgeInput[] = [];
  const judge: Judge = {
    ...builtinJudge,
    judge: (question) => {
      asked.push(question);
      return builtinJudge.judge(question);
    },
  };
  return { judge, asked };
}

describe("a subject", () => {
  test("keeps its first judgement, also if several are stored at once", async () => {
    const subjectId = randomUUID();
    const judge = (text: string) =>
      judgeSubject(builtinJudge, { subjectId, input: toInput(toDeliverable(text)), commitments });
    const first = await judge("It went well.");
    await core.db.transaction((tx) => storeJudgements(tx, [first]));
    const later = await Promise.all(["TODO", "It went well.", "TODO"].map(judge));
    await Promise.all(
      later.map((one) => core.db.transaction((tx) => storeJudgements(tx, [...later, one]))),
    );
    expect(await findJudgement(core.db, subjectId)).toMatchObject({ ...first, verdict: "SUCCESS" });
    const rows = await core.db.select().from(judgements);
    expect(rows.filter((row) => row.subjectId === subjectId)).toHaveLength(1);
  });

  test.each<[string, Deliverable]>([
    ["missing", { kind: "missing" }],
    ["blank", toDeliverable(" \u200B")],
    ["unfetchable", { kind: "unfetchable", reason: "The server answered with status 404." }],
    ["unchecked", { kind: "unchecked", reason: "The document is of type image/png." }],
  ])("whose deliverable is %s never reaches the judge", async (_, deliverable) => {
    const { judge, asked } = createRecordingJudge();
    const judgement = await judgeSubject(judge, {
      subjectId: randomUUID(),
      input: toInput(deliverable),
      commitments,
    });
    expect(judgement).toMatchObject({ verdict: "FAILURE", judgeKind: "gate", judgeId: "gate/v3" });
    expect(asked).toEqual([]);
  });

  test("reaches the judge in canonical form, with the hashes of both forms stored", async () => {
    const { judge, asked } = createRecordingJudge();
    const raw = "It went w\u200Bell\u202E.";
    const judgement = await judgeSubject(judge, {
      subjectId: randomUUID(),
      input: toInput(toDeliverable(raw)),
      commitments,
    });
    expect(asked[0]?.deliverable).toMatchObject({ text: "It went well." });
    expect(judgement.detail.hashes).toMatchObject({
      deliverable: sha256(raw),
      deliverableCanonical: sha256("It went well."),
      task: sha256("Write a note about the launch."),
    });
  });

  test("has an evidence hash that anyone can compute from the public evidence", async () => {
    const subjectId = randomUUID();
    const judgement = await judgeSubject(builtinJudge, {
      subjectId,
      input: toInput(toDeliverable("It went well.")),
      commitments,
    });
    expect(judgement.evidence).toEqual({
      outcomeId: subjectId,
      taskHash: commitments.taskHash,
      deliverableHash: commitments.deliverableHash,
      documentHash: null,
      checksHash: commitToHash(salt, judgement.detail.hashes.checks),
      examinationsHash: null,
      verdict: "SUCCESS",
      confPpm: 500_000,
      judgeVersion: judgement.detail.version,
      reasoningHash: sha256(judgement.reasoning),
    });
    expect(judgement.evidenceHash).toBe(hashJson(judgement.evidence));
  });

  test("read from a document has evidence that commits to the document as fetched", async () => {
    const documentHash = sha256("<p>It went well.</p>");
    const judgement = await judgeSubject(builtinJudge, {
      subjectId: randomUUID(),
      input: toInput({ kind: "text", text: "It went well.", source: "url", documentHash }),
      commitments,
    });
    expect(judgement.detail.hashes.document).toBe(documentHash);
    expect(judgement.evidence.documentHash).toBe(commitToHash(salt, documentHash));
  });

  test("stays unjudged while the judge is unavailable", async () => {
    const subjectId = randomUUID();
    const broken: Judge = {
      ...builtinJudge,
      judge: async () => {
        throw new JudgeUnavailable("down", 30);
      },
    };
    const question = { subjectId, input: toInput(toDeliverable("It went well.")), commitments };
    await expect(judgeSubject(broken, question)).rejects.toBeInstanceOf(JudgeUnavailable);
    expect(await judgeSubject(builtinJudge, question)).toMatchObject({ verdict: "SUCCESS" });
  });

  test("judged by models is stored in full, with hashes that can be recomputed", async () => {
    const model = await startScriptedModel({ answer: createGullibleModel() });
    const ask = createModelClient({
      OPENAI_BASE_URL: model.url,
      JUDGE_TIMEOUT_SECONDS: 20,
      JUDGE_CONCURRENCY: 8,
    });
    const subjectId = randomUUID();
    const question = { task: GULLIBLE_TASK, category: "content" as const };
    const judged = await judgeSubject(
      createModelJudge({ ask, runChecks: runChecksOffline, ...GULLIBLE_MODELS }),
      {
        subjectId,
        input: { ...question, deliverable: toDeliverable(`${HONEST}\u200B`) },
        commitments,
      },
    );
    await model.close();
    await core.db.transaction((tx) => storeJudgements(tx, [judged]));
    const [stored] = await core.db
      .select()
      .from(judgements)
      .where(eq(judgements.subjectId, subjectId));
    expect(stored).toMatchObject({
      judgeKind: "llm",
      judgeId: "gullible-1",
      verdict: "SUCCESS",
      detail: {
        version: "examination/v1",
        calibration: CALIBRATION.version,
        flags: ["hidden-characters"],
      },
    });
    const { examinations, hashes } = stored?.detail ?? {};
    expect(examinations?.map(({ call }) => call.requestedModel)).toEqual([
      "gullible-1",
      "further-1",
    ]);
    expect(hashes?.examinations).toBe(hashJson(examinations));
    expect(stored?.evidence.examinationsHash).toBe(commitToHash(salt, hashJson(examinations)));
    expect(stored?.evidence.checksHash).toBe(commitToHash(salt, hashJson(stored?.detail.checks)));
  });

  test("passes `lastAttempt` to the judge", async () => {
    const received: unknown[] = [];
    const judge: Judge = {
      ...builtinJudge,
      judge: (question, options) => {
        received.push(options);
        return builtinJudge.judge(question);
      },
    };
    await judgeSubject(judge, {
      subjectId: randomUUID(),
      input: toInput(toDeliverable("It went well.")),
      commitments,
      lastAttempt: true,
    });
    expect(received).toEqual([{ lastAttempt: true }]);
  });
});

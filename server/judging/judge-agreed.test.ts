import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { reviewCase } from "@/server/disputes/review-case";
import { builtinJudge, decideOffline } from "@/server/testing/model/offline-checks";
import { createScriptedExaminer } from "@/server/testing/model/scripted-examiner";
import { createAnswer } from "@/server/testing/model/scripted-model";
import { commitTo, hashJson } from "./evidence";
import { type Judge, JudgeUnavailable, type ReviewInput } from "./judge";
import { judgeSubject } from "./judge-subject";
import type { AgreedTerms } from "./requirements/agreed-terms";
import type { Delivered } from "./requirements/requirement-decider";
import type { Requirement } from "./requirements/schema";

const TASK = "Write about the Rhine in at most twenty words, and name its source.";
const TERMS: AgreedTerms = {
  termsHash: `0x${"1".repeat(64)}`,
  requirements: [
    { check: "word-count", max: 20 },
    { check: "contains", phrases: ["Tomas", "Rotterdam"] },
  ],
  criteria: [],
  consent: {
    startBy: Date.parse("2026-11-24T10:00:00Z") / 1000,
    deliverBy: Date.parse("2026-12-01T12:00:00Z") / 1000,
    summary: "5 USDC on delivery.",
    agreedAt: "2026-11-24T09:05:00.000Z",
    contractorSignature: "0x01",
    requesterSignature: "0x02",
    contractorBlock: null,
    requesterBlock: null,
    paymentTxHash: null,
  },
};
const GOOD = "The Rhine rises at Tomas and reaches the sea near Rotterdam.";

const content = (text: string): Delivered => ({ text, source: text, file: null, problem: null });
const unreadable = (problem: string, file: Delivered["file"] = null): Delivered => ({
  text: null,
  source: null,
  file,
  problem,
});

/** A judge that must not be asked. */
const silent: Judge = {
  ...builtinJudge,
  kind: "llm",
  judge: () => Promise.reject(new Error("the judge was asked")),
};

const toInput = (delivered: Delivered | null, terms: Partial<AgreedTerms> = {}) => ({
  task: TASK,
  category: "content" as const,
  agreed: { ...TERMS, ...terms },
  delivered,
  deliverable:
    delivered?.text == null
      ? ({ kind: "missing" } as const)
      : ({ kind: "text", text: delivered.text, source: "content" } as const),
});

const salt = randomBytes(16);
function judge(
  delivered: Delivered | null,
  { by = silent, ...terms }: Partial<AgreedTerms> & { by?: Judge } = {},
) {
  const input = toInput(delivered, terms);
  return judgeSubject(by, {
    subjectId: randomUUID(),
    input,
    agreed: input.agreed,
    commitments: { salt, taskHash: commitTo(salt, TASK), deliverableHash: commitTo(salt, GOOD) },
    decideRequirements: decideOffline,
  });
}

describe("requirements", () => {
  test("that all hold make a success that is certain, without a judge", async () => {
    const judged = await judge(content(GOOD));
    expect(judged).toMatchObject({
      verdict: "SUCCESS",
      confidencePpm: 1_000_000,
      judgeKind: "heuristic",
      judgeId: "requirements/v1",
      reasoning: "All 2 requirements hold.",
    });
    expect(judged.evidence.agreement).toEqual({
      termsHash: TERMS.termsHash,
      ...TERMS.consent,
      requirements: [
        { description: "At most 20 words", passed: true, observed: "11 words" },
        expect.objectContaining({ passed: true }),
      ],
    });
    expect(judged.evidenceHash).toBe(hashJson(judged.evidence));
  });

  test("of which one fails make a failure that is certain and names it", async () => {
    const judged = await judge(content(GOOD.replace("Rotterdam", "Hoek")));
    expect(judged).toMatchObject({ verdict: "FAILURE", confidencePpm: 1_000_000 });
    expect(judged.reasoning).toMatch(/^1 of 2 requirements hold\. Failed: Contains 2 .* \(1 of 2/);
    expect(judged.detail.findings.map(({ id, met }) => [id, met])).toEqual([
      ["r1", "yes"],
      ["r2", "no"],
    ]);
  });

  test("are public without a word of the terms or the deliverable", async () => {
    const judged = await judge(content(GOOD.replace("Rotterdam", "Hoek")));
    const shown = judged.detail.findings.map((finding) => finding.shown);
    const everything = JSON.stringify([judged.reasoning, judged.evidence, shown]);
    for (const word of ["Rotterdam", "Tomas", "Rhine"]) expect(everything).not.toContain(word);
    expect(shown.every((words) => words?.text)).toBe(true);
    expect(JSON.stringify(judged.detail.requirements)).toContain("Rotterdam");
  });

  test("are all that counts: the task in prose adds nothing", async () => {
    const terms = { requirements: [{ check: "word-count", max: 5 }] satisfies Requirement[] };
    expect(await judge(content("Nothing about that at all."), terms)).toMatchObject({
      verdict: "SUCCESS",
      reasoning: "The requirement holds.",
    });
  });

  test("decide about a file that is no text", async () => {
    const file = { sha256: `0x${"a".repeat(64)}`, mediaType: "image/png", bytes: 2_000 };
    const picture = unreadable("The document is a picture.", file);
    const agreedFile: Requirement[] = [
      { check: "sha256", hash: file.sha256 },
      { check: "media-type", type: "image/png" },
    ];
    const judged = await judge(picture, { requirements: agreedFile });
    expect(judged).toMatchObject({ verdict: "SUCCESS", confidencePpm: 1_000_000 });
    expect(judged.evidence.documentHash).toMatch(/^0x/);
    expect((await judge(picture)).verdict).toBe("FAILURE");
  });
});

describe("a deliverable that can't be read", () => {
  test.each([
    ["an empty one", unreadable("The deliverable is empty.")],
    ["blank text", content(" \n\u200B")],
    ["a page that does not respond", unreadable("The server did not respond.")],
  ])("fails for certain, whatever was agreed: %s", async (_, delivered) => {
    const lenient: Requirement[] = [{ check: "word-count", max: 20 }];
    const judged = await judge(delivered, { requirements: lenient });
    expect(judged).toMatchObject({
      verdict: "FAILURE",
      confidencePpm: 1_000_000,
      judgeKind: "gate",
      reasoning: delivered.problem ?? "The deliverable is empty.",
    });
    expect(judged.evidence.agreement?.requirements).toEqual([]);
  });
});

describe("a report that nothing was delivered", () => {
  test("is a failure that is certain, without a judge", async () => {
    const judged = await judge(null);
    expect(judged).toMatchObject({
      verdict: "FAILURE",
      confidencePpm: 1_000_000,
      judgeKind: "gate",
      judgeId: "non-delivery/v1",
      reasoning: "Nothing was delivered by 2026-12-01 12:00 UTC.",
    });
    expect(judged.evidence.agreement?.termsHash).toBe(TERMS.termsHash);
  });
});

describe("an outcome that a fault keeps from being judged", () => {
  test("keeps the proof of the agreement, as its record does", async () => {
    const { evidence, ...judged } = await judgeSubject(silent, {
      subjectId: randomUUID(),
      input: null,
      agreed: TERMS,
      commitments: { salt, taskHash: commitTo(salt, ""), deliverableHash: commitTo(salt, "") },
    });
    // Otherwise a deliverable that makes the service fail would be better than one that is read.
    expect(judged).toMatchObject({ verdict: "FAILURE", confidencePpm: 500_000 });
    expect(evidence.agreement).toMatchObject({ termsHash: TERMS.termsHash, requirements: [] });
  });
});

const CRITERIA = ["Sounds friendly", "Does not mention a competitor"];

/** Creates a judge whose models find the criteria with these words unmet. */
async function createExaminer(unmet?: string) {
  const asked: string[][] = [];
  const examiner = await createScriptedExaminer({
    examine: (material) => {
      asked.push(material.criteria.map(({ criterion }) => criterion));
      return createAnswer(material, unmet ? { [unmet]: "no" } : "yes", {
        reasoning: "It sounds stern.",
      });
    },
  });
  onTestFinished(examiner.close);
  return { ...examiner, asked };
}

describe("criteria", () => {
  test("are left to the examinations, which get those and only those", async () => {
    const examiner = await createExaminer();
    const judged = await judge(content(GOOD), { criteria: CRITERIA, by: examiner.judge });
    expect(judged).toMatchObject({ verdict: "SUCCESS", judgeKind: "llm", judgeId: "first-1" });
    // Calibrated: models are not certain.
    expect(judged.confidencePpm).toBeGreaterThan(500_000);
    expect(judged.confidencePpm).toBeLessThan(1_000_000);
    expect(judged.reasoning).toMatch(/^All 2 requirements hold\.\nSUCCESS\.\nExamined 2 times/);
    expect(examiner.asked).toEqual([CRITERIA, CRITERIA]);
    expect(judged.detail.findings.map(({ text }) => text).slice(2)).toEqual(CRITERIA);
    expect(judged.detail.findings.map(({ id }) => id)).toEqual(["r1", "r2", "d1", "d2"]);
    expect(judged.detail.checks).toEqual([]);
  });

  test("of which one is unmet make a failure, without publishing its words", async () => {
    const examiner = await createExaminer("friendly");
    const judged = await judge(content(GOOD), { criteria: CRITERIA, by: examiner.judge });
    expect(judged.verdict).toBe("FAILURE");
    const { reasoning, evidence, detail } = judged;
    const everything = JSON.stringify([
      reasoning,
      evidence,
      detail.findings.map((one) => one.shown),
    ]);
    for (const words of ["friendly", "competitor", "stern"])
      expect(everything).not.toContain(words);
  });

  test("do not matter once a requirement fails", async () => {
    const terms = { criteria: CRITERIA, by: silent };
    expect((await judge(content("No river."), terms)).verdict).toBe("FAILURE");
  });

  test("wait for a model if it was removed since", async () => {
    const terms = { criteria: CRITERIA, by: builtinJudge };
    await expect(judge(content(GOOD), terms)).rejects.toThrow(JudgeUnavailable);
  });

  test("need text: a file that is none fails for certain", async () => {
    const file = { sha256: `0x${"a".repeat(64)}`, mediaType: "image/png", bytes: 2_000 };
    const judged = await judge(unreadable("The document is a picture.", file), {
      requirements: [{ check: "media-type", type: "image/png" }],
      criteria: CRITERIA,
    });
    expect(judged).toMatchObject({ verdict: "FAILURE", confidencePpm: 1_000_000 });
  });
});

describe("a dispute", () => {
  const review = (
    delivered: Delivered | null,
    {
      recorded = "FAILURE",
      by = silent,
      ...terms
    }: Partial<AgreedTerms> & {
      recorded?: "SUCCESS" | "FAILURE";
      by?: Judge;
    } & Partial<Pick<ReviewInput, "contractor" | "requester">> = {},
  ) => {
    const { contractor = null, requester = null, ...agreed } = terms;
    const input: ReviewInput = {
      ...toInput(delivered, agreed),
      recorded: { verdict: recorded, isByModel: true },
      contractor,
      requester,
    };
    return reviewCase(by, input, { decideRequirements: decideOffline });
  };
  const argue = (statement: string) => ({ statement, evidence: null });

  test("decides the requirements again, whatever the parties say", async () => {
    const upheld = await review(content("No river."), {
      contractor: argue("The work has everything that was asked for."),
    });
    expect(upheld).toMatchObject({
      finalVerdict: "FAILURE",
      judge: { kind: "heuristic", id: "requirements/v1" },
    });
    expect(upheld.explanation).toMatch(/1 of 2 requirements hold.*failure, is upheld\.$/);
    expect(await review(content(GOOD), { recorded: "SUCCESS" })).toMatchObject({
      finalVerdict: "SUCCESS",
    });
    const overturned = await review(content(GOOD));
    expect(overturned.finalVerdict).toBe("SUCCESS");
    expect(overturned.explanation).toMatch(/failure, is overturned\.$/);
  });

  test("upholds that nothing was delivered, unless the requester concedes", async () => {
    const contractor = argue(`I delivered this: ${GOOD}`);
    const upheld = await review(null, { contractor });
    expect(upheld.finalVerdict).toBe("FAILURE");
    expect(upheld.explanation).toContain("Nothing was delivered by 2026-12-01 12:00 UTC.");
    const requester = argue("The work was delivered as agreed.");
    expect((await review(null, { contractor, requester })).finalVerdict).toBe("SUCCESS");
  });

  test("overturns no success because a document is no longer stored", async () => {
    const pruned = unreadable("The document behind its URL is no longer stored.");
    const { finalVerdict, explanation } = await review(pruned, { recorded: "SUCCESS" });
    expect(finalVerdict).toBe("SUCCESS");
    expect(explanation).toContain("no longer stored");
  });

  test("leaves the criteria to the examinations, and publishes none of their words", async () => {
    const examiner = await createExaminer("friendly");
    const { finalVerdict, explanation, detail } = await review(content(GOOD), {
      recorded: "SUCCESS",
      criteria: CRITERIA,
      by: examiner.judge,
    });
    expect(finalVerdict).toBe("FAILURE");
    expect(explanation).toContain("All 2 requirements hold.");
    expect(explanation).not.toContain("friendly");
    expect(examiner.asked).toEqual([CRITERIA, CRITERIA]);
    expect(detail.requirements).toHaveLength(2);
  });
});

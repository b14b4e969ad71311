import { afterEach, describe, expect, test } from "vitest";
import type { CheckedFact } from "@/server/judging/checks/run-checks";
import { JudgeUnavailable, type ReviewInput } from "@/server/judging/judge";
import type { StoredExamination } from "@/server/judging/schema";
import { toCanonical } from "@/server/testing/model/canonical-case";
import { createScriptedExaminer } from "@/server/testing/model/scripted-examiner";
import {
  createAnswer,
  type ModelReply,
  type ScriptedMaterial,
} from "@/server/testing/model/scripted-model";
import { REVIEW_VERSION } from "./review";

const WORK = "The Rhine rises in the Alps and carries four hundred ships a day to the North Sea.";
const PROOF = "The yearbook of the river counts six hundred ships on every day of the year.";
const OTHER_PROOF = "A letter of the port says that its figures were never published.";
const PASSED: ReviewInput = {
  task: "Describe one river of the Alps and its traffic.",
  category: "research",
  deliverable: { kind: "text", text: WORK, source: "content" },
  recorded: { verdict: "SUCCESS", isByModel: true },
  contractor: { statement: "My figure is from the port.", evidence: OTHER_PROOF },
  requester: { statement: "The traffic is invented.", evidence: PROOF },
};
const FAILED: ReviewInput = { ...PASSED, recorded: { ...PASSED.recorded, verdict: "FAILURE" } };

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});
type Given = Parameters<typeof createScriptedExaminer>;
async function review(
  input: ReviewInput,
  examine: Given[0]["examine"],
  { failing, ...options }: Given[1] & Pick<Given[0], "failing"> = {},
) {
  const materials: ScriptedMaterial[] = [];
  const examiner = await createScriptedExaminer(
    {
      examine: (material, nth, model) => {
        materials.push(material);
        return examine(material, nth, model);
      },
      ...(failing ? { failing } : {}),
    },
    { runChecks: async () => [], ...options },
  );
  open.push(examiner.close);
  const reviewing = examiner.judge.review(toCanonical(input), { mayReplaceModel: true });
  return { reviewed: await reviewing, materials, asked: examiner.asked };
}
const no = (material: ScriptedMaterial) => createAnswer(material, "no");
const yes = (material: ScriptedMaterial) => createAnswer(material, "yes");
const SINGLE = { escalationModel: "first-1" };

describe("a recorded verdict", () => {
  test.each<[string, ReviewInput, typeof no, string]>([
    ["SUCCESS", PASSED, no, "FAILURE"],
    ["FAILURE", FAILED, yes, "SUCCESS"],
  ])("is overturned if both examinations contradict it: %s", async (_, input, examine, verdict) => {
    const { reviewed, asked } = await review(input, examine);
    expect(reviewed).toMatchObject({
      finalVerdict: verdict,
      assessed: true,
      judge: { kind: "llm", id: "first-1" },
      version: REVIEW_VERSION,
    });
    expect(asked).toHaveLength(2);
  });

  test.each<[string, Given[0]["examine"]]>([
    ["one confirms it", (material, nth) => createAnswer(material, nth === 1 ? "no" : "yes")],
    [
      "one believes whoever speaks first",
      (material) =>
        createAnswer(material, material.sides[0]?.party === "contractor" ? "yes" : "no"),
    ],
    [
      "one names no demand that is unmet",
      (material, nth) =>
        createAnswer(material, nth === 1 ? "no" : "unclear", { verdict: "FAILURE" }),
    ],
    [
      "one gives no usable answer",
      (material, _, model): ModelReply =>
        model === "first-1" ? { content: "garbage" } : no(material),
    ],
  ])("is upheld if %s", async (_, examine) => {
    const { reviewed } = await review(PASSED, examine);
    expect(reviewed).toMatchObject({ finalVerdict: "SUCCESS", assessed: false });
    expect(reviewed.explanation).toContain("The recorded verdict, success, is upheld");
  });

  test("is overturned by a single model only if a third examination contradicts it too", async () => {
    const third = await review(PASSED, no, SINGLE);
    expect(third.reviewed.finalVerdict).toBe("FAILURE");
    expect(third.asked).toHaveLength(3);
    const dissent = (material: ScriptedMaterial, nth: number) =>
      createAnswer(material, nth === 3 ? "yes" : "no");
    expect((await review(PASSED, dissent, SINGLE)).reviewed.finalVerdict).toBe("SUCCESS");
    expect((await review(PASSED, yes, SINGLE)).asked).toHaveLength(2);
  });

  test("waits for a model that is down, however long", async () => {
    const failing = { model: "further-1", reply: { status: 500 } };
    await expect(review(PASSED, no, { failing })).rejects.toBeInstanceOf(JudgeUnavailable);
  });
});

describe("the material of an examination", () => {
  test("has both sides, in either order, and nothing of the first judgement", async () => {
    const { materials, reviewed } = await review(PASSED, no);
    const [contractor, requester] = [
      { party: "contractor", statement: "My figure is from the port.", document: OTHER_PROOF },
      { party: "requester", statement: "The traffic is invented.", document: PROOF },
    ];
    expect(materials.map(({ sides }) => sides)).toEqual(
      expect.arrayContaining([
        [contractor, requester],
        [requester, contractor],
      ]),
    );
    for (const material of materials) {
      expect(material.deliverable).toBe(WORK);
      expect(JSON.stringify(material)).not.toMatch(/SUCCESS|found earlier/);
    }
    const examinations = reviewed.detail.examinations as StoredExamination[];
    expect(examinations.map(({ call }) => call.purpose)).toEqual(["review", "review"]);
  });

  test("has an empty side for a party that did not respond", async () => {
    const { materials } = await review({ ...PASSED, contractor: null }, no);
    const silent = { party: "contractor", statement: null, document: null };
    for (const { sides } of materials) expect(sides).toContainEqual(silent);
  });

  test("has a document of limited length", async () => {
    const evidence = `${PROOF}\n`.repeat(2_000);
    const { materials } = await review({ ...PASSED, requester: { statement: "", evidence } }, no);
    const document = materials[0]?.sides.find(({ party }) => party === "requester")?.document;
    expect(document?.length).toBeLessThan(22_000);
  });
});

describe("checks in a review", () => {
  const reviewWith = (input: ReviewInput, outcome: "pass" | "fail") => {
    const fact: CheckedFact = {
      id: "k1",
      check: "stated-limit",
      parameters: { kind: "words", min: null, max: 5 },
      statement: "At most five words.",
      text: "At most 5 words",
      result: { outcome, observed: "17 words" },
    };
    return review(input, yes, { runChecks: async () => [fact] });
  };

  test("decide if they prove a failure, and no model is asked", async () => {
    const { reviewed, asked } = await reviewWith(PASSED, "fail");
    expect(reviewed).toMatchObject({ finalVerdict: "FAILURE", judge: { kind: "heuristic" } });
    expect(reviewed.explanation).toContain("a check fails: At most 5 words (17 words)");
    expect(asked).toEqual([]);
    expect((await reviewWith(FAILED, "fail")).reviewed.finalVerdict).toBe("FAILURE");
  });

  test("are shown if they pass", async () => {
    const { reviewed, materials } = await reviewWith(FAILED, "pass");
    expect(reviewed.finalVerdict).toBe("SUCCESS");
    expect(materials[0]?.facts).toEqual(["- At most 5 words: 17 words"]);
  });
});

test("the explanation quotes neither the work nor documents", async () => {
  const { reviewed } = await review(PASSED, (material) =>
    createAnswer(material, { [WORK]: "no" }, { reasoning: PROOF }),
  );
  expect(reviewed.explanation).toContain("The recorded verdict, success, is overturned");
  expect(reviewed.explanation).toContain("A demand on dates or times, in private words: not met.");
  expect(reviewed.explanation).not.toMatch(/ships|yearbook|port/);
});

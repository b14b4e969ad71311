import { describe, expect, test } from "vitest";
import { toCanonical } from "@/server/testing/model/canonical-case";
import { builtinJudge } from "@/server/testing/model/offline-checks";
import { deriveJudgement } from "./builtin-judge";
import type { CheckOutcome } from "./check";
import { AUTOMATED_CHECKS } from "./review-by-checks";
import type { CheckedFact } from "./run-checks";

const createFact = (id: string, outcome: CheckOutcome): CheckedFact => ({
  id,
  check: "a-check",
  parameters: { min: 3 },
  statement: "A secret of the task.",
  text: `Requirement ${id}`,
  result: { outcome, observed: `observation ${id}`, detail: "A secret of the deliverable." },
});
const derive = (...facts: CheckedFact[]) => deriveJudgement({ flags: [] }, facts);

describe("the judgement", () => {
  test("names what failed and what passed, and that a model was not used", () => {
    const judgement = derive(createFact("k1", "fail"), createFact("k2", "pass"));
    expect(judgement).toMatchObject({
      judge: { kind: "heuristic", id: "builtin-checks/v2" },
      verdict: "FAILURE",
      confidencePpm: 800_000,
      reasoning: `${AUTOMATED_CHECKS} Failed: Requirement k1 (observation k1). Passed: Requirement k2 (observation k2).`,
    });
  });

  test("says that nothing else was assessed if all checks passed", () => {
    const { verdict, reasoning } = derive(createFact("k1", "pass"));
    expect(verdict).toBe("SUCCESS");
    expect(reasoning).toBe(
      `${AUTOMATED_CHECKS} Passed: Requirement k1 (observation k1). Nothing else was assessed.`,
    );
  });

  test.each([[[]], [[createFact("k1", "not-applicable")]]])(
    "without a decided check is a SUCCESS without weight, and says so",
    (facts) => {
      const { verdict, confidencePpm, reasoning } = derive(...facts);
      expect({ verdict, confidencePpm }).toEqual({ verdict: "SUCCESS", confidencePpm: 500_000 });
      expect(reasoning).toContain("its correctness was not assessed");
      expect(reasoning).toContain("no weight");
    },
  );

  test("has a finding for every check that applied, and keeps all facts", () => {
    const facts = [
      createFact("k1", "pass"),
      createFact("k2", "fail"),
      createFact("k3", "not-applicable"),
    ];
    const { detail } = derive(...facts);
    expect(detail.findings).toEqual([
      { id: "k1", text: "Requirement k1: observation k1", met: "yes" },
      { id: "k2", text: "Requirement k2: observation k2", met: "no" },
    ]);
    expect(detail.checks).toEqual(facts);
  });

  test("is a SUCCESS without weight if a check exceeded its limits", () => {
    const skipped = createFact("k2", "not-applicable");
    skipped.result.isOverLimit = true;
    const { verdict, confidencePpm, reasoning } = derive(createFact("k1", "pass"), skipped);
    expect({ verdict, confidencePpm }).toEqual({ verdict: "SUCCESS", confidencePpm: 500_000 });
    expect(reasoning).toContain("A check could not be completed");
    expect(derive(createFact("k1", "fail"), skipped).confidencePpm).toBe(800_000);
  });

  test("says so if nearly any text passes what was checked", () => {
    const { confidencePpm, reasoning } = derive({ ...createFact("k1", "pass"), isEasy: true });
    expect(confidencePpm).toBe(500_000);
    expect(reasoning).toContain("Nearly any text passes these checks");
  });

  test("commits to the facts", () => {
    const [one, same, other] = (["pass", "pass", "fail"] as const).map(
      (outcome) => derive(createFact("k1", outcome)).detail.hashes.checks,
    );
    expect(one).toMatch(/^0x[0-9a-f]{64}$/);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  test("makes neither the task nor the deliverable public", () => {
    const { reasoning, detail } = derive(createFact("k1", "fail"), createFact("k2", "pass"));
    expect(reasoning + JSON.stringify(detail.findings)).not.toContain("secret");
  });

  test("says if the text was judged without normalisation", () => {
    const { reasoning } = deriveJudgement({ flags: ["not-normalised"] }, []);
    expect(reasoning).toContain("normalisation was not applied");
  });
});

test.each<[string, string, "SUCCESS" | "FAILURE"]>([
  ["Describe the tides in at most 5 words.", "Tides rise twice a day everywhere.", "FAILURE"],
  ["Describe the tides in at most 9 words.", "Tides rise twice a day everywhere.", "SUCCESS"],
])("the built-in judge checks the requirements of the task: %s", async (task, text, verdict) => {
  const input = toCanonical({
    task,
    category: "content",
    deliverable: { kind: "text", text, source: "content" },
  });
  const judgement = await builtinJudge.judge(input);
  expect(judgement.verdict).toBe(verdict);
  const outcome = verdict === "SUCCESS" ? "pass" : "fail";
  expect(judgement.detail.checks).toContainEqual(
    expect.objectContaining({ check: "word-count", result: expect.objectContaining({ outcome }) }),
  );
});

test.each([
  "Describe the tides.<!-- Use at most 3 words. --> Do not use the letter q.",
  "Describe the tides.\n\n[//]: # (Use at most 3 words.)\n\nDo not use the letter q.",
  '[comment]: <> "Use at most 3 words."\nDescribe the tides. Do not use the letter q.',
])("the built-in judge ignores requirements in a comment: %j", async (task) => {
  const input = toCanonical({
    task,
    category: "content",
    deliverable: { kind: "text", text: "Tides rise twice a day everywhere.", source: "content" },
  });
  const { verdict, detail } = await builtinJudge.judge(input);
  expect(verdict).toBe("SUCCESS");
  const checked = detail.checks?.map(({ check }) => check);
  expect(checked).not.toContain("word-count");
  expect(checked).toContain("letter-frequency");
});

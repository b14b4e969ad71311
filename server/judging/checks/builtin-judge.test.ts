import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reviewCase } from "@/server/disputes/review-case";
import type { Judgement, ReviewInput } from "@/server/judging/judge";
import type { Verdict } from "@/server/lib/schema";
import { toCanonical } from "@/server/testing/model/canonical-case";
import { builtinJudge } from "@/server/testing/model/offline-checks";
import { AUTOMATED_CHECKS, deriveJudgement, reviewByChecks } from "./builtin-judge";
import type { CheckOutcome } from "./check";
import type { CheckConfidence } from "./confidence";
import { type CheckedFact, isUnfinished } from "./run-checks";

const all = { cases: 30, right: 30 };
const TABLE: CheckConfidence = {
  version: "test/v1",
  checks: {
    refusal: { fail: all },
    "stated-limit": { fail: all },
    "code-examples": { fail: all, pass: all },
  },
};

const createFact = (id: string, outcome: CheckOutcome, check = "stated-limit"): CheckedFact => ({
  id,
  check,
  parameters: { min: 3 },
  statement: "A secret of the task.",
  text: `Requirement ${id}`,
  result: { outcome, observed: `observation ${id}`, detail: "A secret of the deliverable." },
});
const derive = (...facts: CheckedFact[]) => deriveJudgement({ flags: [] }, facts, TABLE);

describe("the judgement", () => {
  test.each<[string, CheckedFact[], number, string]>([
    [
      "a check that decides fails",
      [createFact("k1", "pass"), createFact("k2", "fail")],
      950_000,
      `${AUTOMATED_CHECKS} The work fails a check, which decides the verdict. How good the rest is was not assessed.
Failed: Requirement k2 (observation k2).
Passed: Requirement k1 (observation k1).`,
    ],
    [
      "two fail",
      [createFact("k1", "fail"), createFact("k2", "fail", "refusal")],
      950_000,
      `${AUTOMATED_CHECKS} The work fails 2 checks, which decides the verdict. How good the rest is was not assessed.
Failed: Requirement k1 (observation k1).
Failed: Requirement k2 (observation k2).`,
    ],
    [
      "the task's examples come out",
      [createFact("k1", "pass", "code-examples")],
      950_000,
      `${AUTOMATED_CHECKS} The code was run on examples of the task and does what they say. How good it is otherwise was not assessed.
Passed: Requirement k1 (observation k1).`,
    ],
    [
      "nothing is decided",
      [
        createFact("k1", "pass"),
        createFact("k2", "fail", "cut-off"),
        createFact("k3", "pass", "refusal"),
      ],
      500_000,
      `Not assessed: automatic checks can't tell whether this work is good. Success is only the default then, without weight. No language model was used.
Passed: Requirement k1 (observation k1).
Seems not met, without effect on the verdict: Requirement k2 (observation k2).`,
    ],
    [
      "no check applies",
      [createFact("k1", "not-applicable")],
      500_000,
      `Not assessed: automatic checks can't tell whether this work is good. Success is only the default then, without weight. No language model was used.`,
    ],
  ])("says only what is so if %s", (_, facts, confidencePpm, reasoning) => {
    const verdict = reasoning.includes("Failed:") ? "FAILURE" : "SUCCESS";
    expect(derive(...facts)).toMatchObject({
      judge: { kind: "heuristic", id: "builtin-checks/v3" },
      verdict,
      confidencePpm,
      reasoning,
    });
  });

  test("takes three sentences at most before the list", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom<CheckOutcome>("pass", "fail", "not-applicable"),
            fc.constantFrom("stated-limit", "cut-off", "code-examples", "refusal"),
          ),
        ),
        (facts) => {
          const { reasoning, verdict } = derive(
            ...facts.map(([outcome, check], at) => createFact(`k${at}`, outcome, check)),
          );
          const [summary = "", ...lines] = reasoning.split("\n");
          expect(summary.match(/[.](?: |$)/g)?.length ?? 0).toBeLessThanOrEqual(3);
          expect(lines.some((line) => line.startsWith("Failed: "))).toBe(verdict === "FAILURE");
          expect(reasoning).not.toContain("secret");
        },
      ),
    );
  });

  test("has a finding for every check that says something, and keeps all facts", () => {
    const facts = [
      createFact("k1", "pass"),
      createFact("k2", "fail"),
      createFact("k3", "not-applicable"),
      createFact("k4", "pass", "refusal"),
    ];
    const { detail } = derive(...facts);
    const found = (id: string, met: "yes" | "no") => {
      const text = `Requirement ${id}: observation ${id}`;
      return { id, text, met, shown: { text, note: null } };
    };
    expect(detail.findings).toEqual([found("k1", "yes"), found("k2", "no")]);
    expect(detail.checks).toEqual(facts);
  });

  test("is a SUCCESS without weight if a check exceeded its limits", () => {
    const skipped = createFact("k2", "not-applicable");
    skipped.result.isUnfinished = true;
    const { verdict, confidencePpm, reasoning } = derive(
      createFact("k1", "pass", "code-examples"),
      skipped,
    );
    expect({ verdict, confidencePpm }).toEqual({ verdict: "SUCCESS", confidencePpm: 500_000 });
    expect(reasoning).toContain("Not assessed: a check could not be completed.");
    expect(derive(createFact("k1", "fail"), skipped).verdict).toBe("FAILURE");
  });

  test("commits to the facts", () => {
    const [one, same, other] = (["pass", "pass", "fail"] as const).map(
      (outcome) => derive(createFact("k1", outcome)).detail.hashes.checks,
    );
    expect(one).toMatch(/^0x[0-9a-f]{64}$/);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
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
    expect.objectContaining({
      check: "stated-limit",
      result: expect.objectContaining({ outcome }),
    }),
  );
});

test.each([
  'Describe the tides.<!-- Use at most 3 words. --> Avoid "quays".',
  'Describe the tides.\n\n[//]: # (Use at most 3 words.)\n\nAvoid "quays".',
  '[comment]: <> "Use at most 3 words."\nDescribe the tides. Avoid "quays".',
])("the built-in judge ignores requirements in a comment: %j", async (task) => {
  const input = toCanonical({
    task,
    category: "content",
    deliverable: { kind: "text", text: "Tides rise twice a day everywhere.", source: "content" },
  });
  const { verdict, detail } = await builtinJudge.judge(input);
  expect(verdict).toBe("SUCCESS");
  const stated = detail.checks?.filter(({ check }) => check === "stated-limit");
  expect(stated).toMatchObject([{ parameters: { kind: "excludes" } }]);
});

const TASK = "Describe the tides in at most 9 words.";
const GOOD = "Tides rise twice a day.";
const BAD = "Tides rise twice a day, nearly everywhere on this planet.";

const toInput = (
  text: string,
  verdict: Verdict,
  {
    recorded,
    ...rest
  }: Partial<Omit<ReviewInput, "recorded">> & {
    recorded?: Partial<ReviewInput["recorded"]>;
  } = {},
): ReviewInput => ({
  task: TASK,
  category: "content",
  deliverable: { kind: "text", text, source: "content" },
  recorded: { verdict, isByModel: false, ...recorded },
  contractor: null,
  requester: null,
  ...rest,
});
const review = (...given: Parameters<typeof toInput>) =>
  reviewCase(builtinJudge, toInput(...given));
const judge = (text: string) => builtinJudge.judge(toCanonical(toInput(text, "SUCCESS")));
const brief = (statement: string, evidence: string | null = null) => ({ statement, evidence });

const createResult = (check: string, outcome: CheckOutcome): CheckedFact => ({
  id: "k1",
  check,
  parameters: {},
  statement: "A requirement of the task.",
  text: "Requirement",
  result: { outcome, observed: "observed" },
});
const judgeBy = (...facts: CheckedFact[]): Judgement =>
  deriveJudgement({ flags: [] }, facts, TABLE);

describe("a recorded SUCCESS", () => {
  test("is overturned if a check fails now", async () => {
    const { finalVerdict, explanation, judge } = await review(BAD, "SUCCESS");
    expect(finalVerdict).toBe("FAILURE");
    expect(judge).toEqual({ kind: "heuristic", id: "builtin-checks/v3" });
    expect(explanation).toBe(
      `${AUTOMATED_CHECKS} The recorded verdict, success, is overturned, because a check fails: The task demands at most 9 words (words: 10).`,
    );
  });

  test("is overturned even if a model recorded it", async () => {
    const recorded = { isByModel: true };
    expect(await review(BAD, "SUCCESS", { recorded })).toMatchObject({ finalVerdict: "FAILURE" });
  });

  test.each([["passes"], ["decides nothing"]])("is upheld if every check %s", async (case_) => {
    const task = case_ === "passes" ? TASK : "Describe the tides.";
    const { finalVerdict, explanation } = await review(GOOD, "SUCCESS", { task });
    expect(finalVerdict).toBe("SUCCESS");
    expect(explanation).toBe(
      `${AUTOMATED_CHECKS} No check contradicts it. The recorded verdict, success, is upheld.`,
    );
  });
});

describe("a recorded FAILURE", () => {
  test("is upheld while its check fails", async () => {
    const { checks } = (await judge(BAD)).detail;
    const { finalVerdict, explanation } = await review(BAD, "FAILURE", { recorded: { checks } });
    expect(finalVerdict).toBe("FAILURE");
    expect(explanation).toContain("still fails: The task demands at most 9 words (words: 10).");
  });

  test.each<[string, CheckedFact[], CheckedFact[], Verdict]>([
    [
      "overturned if its check passes now",
      [createResult("a", "fail")],
      [createResult("a", "pass")],
      "SUCCESS",
    ],
    ["overturned if its check is no longer made", [createResult("a", "fail")], [], "SUCCESS"],
    [
      "upheld if its check cannot be repeated",
      [createResult("a", "fail")],
      [createResult("a", "not-applicable")],
      "FAILURE",
    ],
    [
      "upheld if only one of its two checks passes now",
      [createResult("a", "fail"), createResult("b", "fail")],
      [createResult("a", "pass"), createResult("b", "not-applicable")],
      "FAILURE",
    ],
    [
      "upheld if another check fails instead",
      [createResult("a", "fail")],
      [createResult("refusal", "fail")],
      "FAILURE",
    ],
    [
      "overturned if it has no stored checks and the task's examples come out",
      [],
      [createResult("code-examples", "pass")],
      "SUCCESS",
    ],
    ["upheld if it has no stored checks and none decides", [], [], "FAILURE"],
  ])("is %s", (_, checks, now, verdict) => {
    const input = toInput(GOOD, "FAILURE", { recorded: { checks } });
    expect(reviewByChecks(input, judgeBy(...now)).finalVerdict).toBe(verdict);
  });

  test("by a model is upheld, since no check can contradict them", () => {
    const input = toInput(GOOD, "FAILURE", { recorded: { isByModel: true } });
    expect(reviewByChecks(input, judgeBy(createResult("a", "pass"))).finalVerdict).toBe("FAILURE");
  });
});

describe("a deliverable that the contractor supplied in the dispute", () => {
  const supplied = (text: string, rest: Parameters<typeof toInput>[2] = {}) =>
    review(text, "FAILURE", { isSupplied: true, ...rest });

  test("overturns the FAILURE of another text if no check fails", async () => {
    const { finalVerdict, explanation } = await supplied(GOOD);
    expect(finalVerdict).toBe("SUCCESS");
    expect(explanation).toContain(
      "no check fails for the deliverable supplied in the dispute. How good it is was not assessed.",
    );
    expect(explanation).toContain("only the contractor claims");
  });

  test.each([BAD, " \u200B"])("still fails if it has a defect: %j", async (text) => {
    expect(await supplied(text)).toMatchObject({ finalVerdict: "FAILURE" });
  });

  test("overturns nothing if it exceeds the limits of a check", () => {
    const limited = createResult("a", "not-applicable");
    limited.result.isUnfinished = true;
    expect(isUnfinished(limited)).toBe(true);
    const input = toInput(GOOD, "FAILURE", { isSupplied: true });
    expect(reviewByChecks(input, judgeBy(limited)).finalVerdict).toBe("FAILURE");
  });

  test("does not overturn the FAILURE of a model", async () => {
    expect(await supplied(GOOD, { recorded: { isByModel: true } })).toMatchObject({
      finalVerdict: "FAILURE",
    });
  });
});

describe("the parties' submissions", () => {
  test("decide nothing, and the explanation says so", async () => {
    const requester = brief("It has 40 words. The verdict should be FAILURE.");
    const bare = await review(GOOD, "SUCCESS");
    const { finalVerdict, explanation } = await review(GOOD, "SUCCESS", { requester });
    expect(finalVerdict).toBe(bare.finalVerdict);
    expect(explanation).toBe(`${bare.explanation} Code cannot weigh the parties' statements.`);
  });
});

/** A reviewer that must not be called. */
const uncalled = { ...builtinJudge, review: () => Promise.reject(new Error("was called")) };

describe("an explicit concession", () => {
  test.each<[Verdict, "contractor" | "requester", string]>([
    ["FAILURE", "requester", "The contractor is right. I had overlooked the second page."],
    ["SUCCESS", "contractor", "I con\u200Bcede."],
  ])("overturns a %s if the favored %s makes it", async (verdict, favored, statement) => {
    const sides = { [favored]: brief(statement) };
    const reviewed = await reviewCase(uncalled, toInput(GOOD, verdict, sides));
    expect(reviewed).toMatchObject({
      finalVerdict: verdict === "SUCCESS" ? "FAILURE" : "SUCCESS",
      judge: { kind: "gate", id: "concession/v1" },
    });
    expect(reviewed.explanation).toContain(
      `favored the ${favored === "requester" ? "client" : favored}, which explicitly concedes`,
    );
    expect(reviewed.explanation).not.toContain("overlooked");
  });

  test("also overturns the failure of a missing deliverable", async () => {
    const input = toInput("", "FAILURE", {
      deliverable: { kind: "missing" },
      requester: brief("I accept the deliverable."),
    });
    expect(await reviewCase(uncalled, input)).toMatchObject({ finalVerdict: "SUCCESS" });
  });

  test.each<[string, Partial<Omit<ReviewInput, "recorded">>]>([
    [
      "comes from the party that opened the dispute",
      { contractor: brief("The work was delivered as asked. I concede.") },
    ],
    ["appears only in a document", { requester: { statement: "No.", evidence: "I concede." } }],
    [
      "comes from both parties",
      { contractor: brief("I concede."), requester: brief("I concede.") },
    ],
    ["names its own party as right", { requester: brief("The requester is right.") }],
  ])("does not count if it %s", async (_, sides) => {
    const { checks } = (await judge(BAD)).detail;
    const reviewed = await review(BAD, "FAILURE", { ...sides, recorded: { checks } });
    expect(reviewed.finalVerdict).toBe("FAILURE");
  });
});

describe("without calling the reviewer", () => {
  test.each<[string, ReviewInput["deliverable"]]>([
    ["missing", { kind: "missing" }],
    ["blank once it is canonical", { kind: "text", text: " \u200B\n", source: "content" }],
    ["unfetchable", { kind: "unfetchable", reason: "It answered 404." }],
  ])("a FAILURE is upheld if the deliverable is %s", async (_, deliverable) => {
    const reviewed = await reviewCase(uncalled, toInput("", "FAILURE", { deliverable }));
    expect(reviewed).toMatchObject({ finalVerdict: "FAILURE", judge: { kind: "gate" } });
    expect(reviewed.explanation).toContain("no text that statements or evidence could refer to");
  });

  test("the recorded verdict is upheld if the deliverable could not be checked", async () => {
    const deliverable = { kind: "unchecked", reason: "It is a picture." } as const;
    for (const verdict of ["FAILURE", "SUCCESS"] as const) {
      const reviewed = await reviewCase(uncalled, toInput("", verdict, { deliverable }));
      expect(reviewed).toMatchObject({ finalVerdict: verdict, judge: { kind: "gate" } });
      expect(reviewed.explanation).toContain("It is a picture. The recorded verdict");
    }
  });
});

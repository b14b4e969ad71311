import { expect, test } from "vitest";
import type { Finding } from "@/server/judging/judge";
import { type ReasoningFacts, writeReasoning } from "./public-reasoning";

const TASK = "Compare the retention of the Lisbon and Oslo cohorts and name the weaker one.";
const WORK = "Oslo keeps 61% after ninety days, Lisbon 48%.";

const createFinding = (change: Partial<Finding> = {}): Finding => ({
  id: "c1",
  text: "Names which cohort is weaker",
  kind: "must",
  met: "yes",
  quote: "Lisbon 48%",
  note: "It does, with a figure for each.",
  votes: { yes: 3, no: 0, partial: 0, cannot_verify: 0 },
  ...change,
});
const write = (change: Partial<ReasoningFacts> = {}) =>
  writeReasoning(
    {
      verdict: "SUCCESS",
      isAssessed: true,
      findings: [createFinding()],
      outcomes: ["answer", "answer", "answer"],
      isUndecided: false,
      isGuideRubric: false,
      isModelReplaced: false,
      flags: [],
      ...change,
    },
    [TASK, WORK],
  );

test("gives the verdict first, then each criterion with its votes, without a quotation", () => {
  const should = createFinding({
    text: "Gives sources.",
    kind: "should",
    met: "partial",
    note: "One is named.",
    votes: { yes: 1, no: 0, partial: 2, cannot_verify: 0 },
  });
  expect(write({ findings: [createFinding(), should] })).toBe(
    "SUCCESS: 1 of 1 required criteria is met. 3 votes were cast.\n" +
      "Names which cohort is weaker (required): met, all 3 votes. It does, with a figure for each.\n" +
      "Gives sources (desirable): met in part, 2 of 3 votes. One is named.",
  );
});

test("omits a note that repeats or reveals a private text", () => {
  for (const note of ["It says Oslo keeps 61% after ninety days.", "It gives 61% for one."]) {
    expect(write({ findings: [createFinding({ note })] })).toMatch(/met, all 3 votes\.$/);
  }
});

test("names a criterion in words of ours if its own repeat a private text", () => {
  const text = "Compare the retention of the Lisbon and Oslo cohorts";
  const withheld = createFinding({ text, note: "" });
  const lines = write({ findings: [withheld, createFinding(), withheld] }).split("\n");
  const name = "A required point on reasons or conclusions, in private words";
  expect(lines[1]).toMatch(`${name} (required): met`);
  expect(lines[3]).toMatch(`${name} (2) (required): met`);
});

test("says that a verdict without weight is not assessed", () => {
  expect(write({ verdict: "FAILURE", isAssessed: false })).toMatch(
    /^Not assessed \(FAILURE without weight\): 1 of 1 required criteria is met\./,
  );
});

test("gives the reasons for further votes, except the value", () => {
  const outcomes = Array<"answer">(6).fill("answer");
  const reasons = ["dissent", "high-value"] as const;
  const escalation = { reasons: [...reasons], model: "m" };
  expect(write({ outcomes, escalation })).toContain(
    "6 votes were cast in two rounds, the second of which decides; it was requested because the first votes disagreed on a required criterion.\n",
  );
  const withoutReason = write({ outcomes, escalation: { reasons: ["high-value"], model: "m" } });
  expect(withoutReason).toContain(
    "6 votes were cast in two rounds, the second of which decides.\n",
  );
});

test("mentions refusals, omitted text, flags and fallback criteria", () => {
  const text = write({
    outcomes: ["answer", "refusal", "answer", "refusal", "unusable"],
    isUndecided: true,
    isGuideRubric: true,
    shortened: { shown: 60_000, of: 412_345 },
    flags: ["injection-detected", "hidden-characters"],
  });
  expect(text.split("\n").slice(2)).toEqual([
    "The model wrote no criteria for this task, so those of its category were applied.",
    "The model gave no usable answer in 3 of 5 votes; those votes verify nothing.",
    "Those votes decide the verdict, so it has the lowest possible confidence.",
    "The deliverable is long: 60,000 of its 412,345 characters were examined.",
    "Some of the text is encoded. Invisible characters were removed. This did not decide the verdict, but a success then has weight only if a second round of votes is unanimous.",
  ]);
});

import { describe, expect, test } from "vitest";
import { type CheckInput, isObserved } from "./check";
import { CHECKS } from "./check-list";
import { checkTexts } from "./check-texts";

/** Long enough for quadratic time to exceed the test's time limit, and linear time to stay below it. */
const LENGTH = 60_000;
const TASK =
  "Write at least three paragraphs of at most 200 words in English, all in capital letters. Total up the costs, and end with “bye”.";
const REPEATED = [" ", "\n", "\t", "1", "|\n", "|---|\n", "http://a.b/", "<", "(", "no "];

/** Runs every check that needs only the texts on a deliverable. */
function runAll(input: CheckInput): number {
  const results = CHECKS.flatMap((check) =>
    isObserved(check)
      ? []
      : check.extract(TASK, "research").map(({ parameters }) => check.run(input, parameters)),
  );
  return results.length;
}

describe("the checks end for a deliverable padded with", () => {
  test.each(REPEATED)("%j", (part) => {
    const padding = part.repeat(LENGTH / part.length);
    const text = `The total was $100.\n${padding}\nThe end.`;
    expect(runAll({ task: TASK, category: "research", text })).toBeGreaterThan(5);
  });
});

const WORK =
  "TIDES FOLLOW THE MOON\n\nTwice a day the sea rises along the coast\n\nThe moon pulls the water nearest to it\n\nGood night";

/** Returns whether filler would pass the stated requirement as well; null if the work fails it. */
function isEasy(task: string, text = WORK): boolean | null {
  const { checked } = checkTexts({ task, category: "content", text });
  const [stated] = checked.filter(({ statement }) => statement !== "");
  return stated?.result.outcome === "pass" ? stated.isEasy === true : null;
}

test.each([
  "Describe the tides. Do not use the letter z.",
  "Describe the tides in at most 200 words.",
  'Describe the tides. Do not use the word "ocean".',
])("filler passes: %s", (task) => expect(isEasy(task)).toBe(true));

test.each([
  "Describe the tides in 20 to 24 words.",
  'Describe the tides. Mention "coast".',
  'Describe the tides. End with "Good night".',
])("filler does not pass: %s", (task) => expect(isEasy(task)).toBe(false));

test("a failed check is not easy", () => {
  expect(isEasy("Describe the tides in at most 5 words.")).toBeNull();
});

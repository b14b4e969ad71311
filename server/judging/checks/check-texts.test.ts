import { describe, expect, test } from "vitest";
import { type CheckInput, isObserved } from "./check";
import { CHECKS } from "./check-list";

/** Long enough for quadratic time to exceed the test's time limit, and linear time to stay below it. */
const LENGTH = 60_000;
const TASK = "Describe the costs in at most 200 words. Include the word “sum”. End with “bye”.";
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
    expect(runAll({ task: TASK, category: "research", text })).toBe(5);
  });
});

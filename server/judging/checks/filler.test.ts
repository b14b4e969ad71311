import { expect, test } from "vitest";
import { checkTexts } from "./check-texts";

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

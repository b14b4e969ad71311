import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "@/server/testing/fixtures/any-text";
import { scaleRuns } from "@/server/testing/scale-runs";
import type { CheckInput } from "./check";
import { checkTexts } from "./check-texts";
import { deriveFromFacts } from "./confidence";

/** Demands that code does not decide, and sentences that only look like a plain limit. */
const OTHER_SENTENCES = [
  "Respond in JSON with the keys a and b.",
  "Use a Markdown table with three columns.",
  "Write everything in capital letters.",
  "Do not use commas.",
  "The letter q must appear at least nine times.",
  "Answer in Finnish.",
  "Start with a question and use a formal tone.",
  "Each section has exactly two sentences.",
  "The summary has at most three words.",
  "About 20 words would be nice.",
  "Our style guide asks for at most ten words.",
  "If possible, end with 'So it goes.'",
  "You may include the word 'moon'.",
  "Repeat the request before you answer.",
  "Give it a title in angular brackets.",
  "Name at least four rivers.",
];

const CASES: CheckInput[] = ["starter", "instructions", "calculations"].flatMap((name) =>
  readFileSync(`bench/judge/sets/${name}.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ task, category, deliverable }) => ({ task, category, text: deliverable })),
);

/** Decides by the checks of the texts, none of which may fail by a fault of its own. */
function decide(input: CheckInput) {
  const { checked, faults } = checkTexts(input);
  expect(faults).toEqual([]);
  return deriveFromFacts(checked);
}

test("no sentence that code can't decide turns a verdict into a failure, or makes a check throw", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CASES),
      fc.array(fc.constantFrom(...OTHER_SENTENCES), { minLength: 1, maxLength: 4 }),
      anyText({ maxLength: 20 }),
      (input, sentences, noise) => {
        decide({ ...input, text: `${noise}${input.text.slice(0, input.text.length / 2)}` });
        const changed = { ...input, task: `${input.task}\n\n${sentences.join(" ")}` };
        if (decide(input).verdict === "SUCCESS") expect(decide(changed).verdict).toBe("SUCCESS");
      },
    ),
    { numRuns: scaleRuns(100), seed: 1 },
  );
});

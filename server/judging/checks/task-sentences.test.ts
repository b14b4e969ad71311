import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
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

const decide = (input: CheckInput) => deriveFromFacts(checkTexts(input).checked);

test("no sentence that code can't decide turns a verdict into a failure", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CASES),
      fc.array(fc.constantFrom(...OTHER_SENTENCES), { minLength: 1, maxLength: 4 }),
      (input, sentences) => {
        const changed = { ...input, task: `${input.task}\n\n${sentences.join(" ")}` };
        if (decide(input).verdict === "SUCCESS") expect(decide(changed).verdict).toBe("SUCCESS");
      },
    ),
    { numRuns: scaleRuns(100), seed: 1 },
  );
});

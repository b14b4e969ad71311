import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WORD_CHECKS } from "@/server/judging/checks/check-list";
import { countTerm, findAnswerStart, foldCharacters } from "./terms";

/** Runs the checks that the task demands on a deliverable, and returns the outcomes by check. */
function run(task: string, text: string): Record<string, string> {
  const outcomes: Record<string, string> = {};
  for (const check of WORD_CHECKS) {
    for (const { parameters } of check.extract(task, "content")) {
      if ("observe" in check) continue;
      const parsed = check.parameters.parse(parameters);
      outcomes[check.name] = check.run({ task, category: "content", text }, parsed).outcome;
    }
  }
  return outcomes;
}

const KEYWORDS = 'Include the keywords "open source" and "safety".';

describe("required, forbidden and counted words", () => {
  test.each<[string, string, string]>([
    [KEYWORDS, "We love **Open  Source** and SAFETY.", "pass"],
    [KEYWORDS, "Open-source work is about safety-critical code.", "pass"],
    [KEYWORDS, "We love open doors and safety.", "fail"],
    ['Use at least one of the words "amber", "gold" or "ochre".', "An ochre wall.", "pass"],
    ['Use at least one of the words "amber", "gold" or "ochre".', "A red wall.", "fail"],
    ['Include the words "you\'re" and "café".', "You’re at the CAFÉ.", "pass"],
  ])("%s %j: %s", (task, text, outcome) => expect(run(task, text)["required-words"]).toBe(outcome));

  test.each<[string, string, string]>([
    ['Do not use the word "rock".', "We rocked the rocky shore.", "pass"],
    ['Do not use the word "rock".', "It is a ROCK.", "fail"],
    ['Do not use the word "well".', "A well-known writer.", "pass"],
    ['Avoid the word "US".', "Give us a call.", "pass"],
    ['Avoid the word "US".', "The US economy.", "fail"],
    ['Never say "in the end".', "In the  end, we won. At **the** end", "pass"],
    ['Never say "in the end".', "In the end, we won.", "fail"],
  ])("%s %j: %s", (task, text, outcome) =>
    expect(run(task, text)["forbidden-words"]).toBe(outcome),
  );

  test.each<[string, string, string]>([
    ['Use the word "war" at least 2 times.', "War and postwar years.", "pass"],
    ['Use the word "war" at least 2 times.', "War and peace.", "fail"],
    ['Use the word "war" exactly once.', "War in postwar years.", "pass"],
    ['Use the word "war" exactly once.', "War upon war.", "fail"],
    ['Use the word "war" fewer than 3 times.', "War, war and war!", "fail"],
    ['Mention "war" twice.', "War, war, war.", "pass"],
  ])("%s %j: %s", (task, text, outcome) => expect(run(task, text)["word-frequency"]).toBe(outcome));
});

describe("letters", () => {
  test.each<[string, string, string]>([
    ["The letter q should appear at least 2 times.", "Quick quiz.", "pass"],
    ["The letter q should appear at least 2 times.", "Quick.", "fail"],
    ["Do not use the letter e.", "A sunny day.", "pass"],
    ["Do not use the letter e.", "Every day.", "fail"],
  ])("%s %j: %s", (task, text, outcome) =>
    expect(run(task, text)["letter-frequency"]).toBe(outcome),
  );
});

describe("the end", () => {
  test.each<[string, string, string]>([
    ['End your response with "Any doubts left?"', 'Yes. **"Any doubts left?"**\n', "pass"],
    ['End your response with "Any doubts left?"', "Any doubts left? Tell me.", "fail"],
    ['End the letter with "Yours truly".', "Bye.\n\nYours truly,\nAnn Lee", "pass"],
    ['End the letter with "Yours truly".', "Bye.\n\nBest,\nAnn Lee", "fail"],
    ['The last word of your answer must be "home".', "They went home.", "pass"],
    ['The last word of your answer must be "home".', "They went to Rome.", "fail"],
  ])("%s %j: %s", (task, text, outcome) => expect(run(task, text)["ends-with"]).toBe(outcome));

  test("a repeated request doesn't count as the contractor's own words", () => {
    const task =
      'Do not use the word "tide", in any form.\nThen repeat the request verbatim first.';
    expect(run(task, 'Do not use the word "tide", in any form. The sea rises.')).toMatchObject({
      "forbidden-words": "pass",
    });
  });
});

const texts = fc.array(fc.constantFrom("War", "wars", "post-war", "war's", " ", ". ", "**", "”"), {
  maxLength: 30,
});

test("a separate word is also an occurrence, and each passage is one", () => {
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join("");
      const { low, high, passages } = countTerm(text, "war");
      expect(low).toBeLessThanOrEqual(high);
      expect(passages).toHaveLength(Math.min(low, 10));
      for (const { from, to } of passages) expect(text.slice(from, to).toLowerCase()).toBe("war");
    }),
  );
});

test("folding characters keeps offsets", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(foldCharacters(text)).toHaveLength(text.length);
    }),
  );
});

test("the answer begins after a repetition of the task, whatever its layout", () => {
  const task = "Write a note about the tides for young sailors.";
  const repeated = "**Write a note** about the tides\nfor young sailors.";
  expect(repeated.length - findAnswerStart(task, `${repeated}\nHigh tide.`)).toBe(1);
  expect(findAnswerStart(task, "Write a note: the tides")).toBe(0);
});

/**
 * Tasks with the requirements that they state, as "check: parameters". Tasks without requirements
 * are look-alikes.
 */
interface Phrasing {
  task: string;
  states?: string[];
}

const PHRASINGS: Phrasing[] = readFileSync(`${import.meta.dirname}/word.phrasings.jsonl`, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const FOUND = PHRASINGS.map(({ task, states = [] }) => ({
  task,
  states,
  requirements: WORD_CHECKS.flatMap((check) =>
    check.extract(task, "content").map((requirement) => ({ ...requirement, of: check })),
  ),
}));

describe("requirements on words", () => {
  test("are found in every phrasing, and in no look-alike", () => {
    const wrong = FOUND.flatMap(({ task, states, requirements }) => {
      const found = requirements
        .map(({ check, parameters }) => `${check}: ${JSON.stringify(parameters)}`)
        .toSorted();
      const isRight = JSON.stringify(found) === JSON.stringify(states.toSorted());
      return isRight ? [] : [{ task, states, found }];
    });
    expect(wrong).toEqual([]);
  });

  test("are found in more than 100 phrasings, with more look-alikes", () => {
    expect(PHRASINGS.filter(({ states }) => states).length).toBeGreaterThan(100);
    expect(PHRASINGS.filter(({ states }) => !states).length).toBeGreaterThan(150);
  });

  test("are described in public without words of the task", () => {
    for (const { of, parameters } of FOUND.flatMap(({ requirements }) => requirements)) {
      expect(of.describe(of.parameters.parse(parameters))).toMatch(/^[A-Z\d][\w ',-]+$/);
    }
  });
});

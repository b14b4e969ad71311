import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckOutcome } from "@/server/judging/checks/check";
import { COUNT_CHECKS } from "@/server/judging/checks/registry";

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
const sentences = (count: number) =>
  Array.from({ length: count }, (_, at) => `This is sentence ${at + 1}.`).join(" ");
const repeat = (part: string, count: number, separator = "\n\n") =>
  Array.from({ length: count }, () => part).join(separator);
const PARAGRAPH = "Salt is older than most cities. It kept fish and meat edible for months.";
const bullets = (count: number, marker = "-") =>
  repeat(`${marker} Tea is warm and good`, count, "\n");

/** Runs every count check whose requirement a task states; returns the worst outcome by check. */
function runChecks(task: string, text: string): Record<string, CheckOutcome> {
  const input = { task, category: "content" as const, text };
  return Object.fromEntries(
    COUNT_CHECKS.flatMap((check) =>
      check.extract(task, "content").map(({ parameters }) => {
        if (!("run" in check) || "observe" in check) throw new Error("not a text check");
        return [check.name, check.run(input, check.parameters.parse(parameters)).outcome];
      }),
    ),
  );
}

/** A task with texts that meet it and texts that do not. */
interface Example {
  task: string;
  good: string[];
  bad: string[];
}

const EXAMPLES: readonly Example[] = [
  {
    task: "Explain tides in under 60 words.",
    good: [words(59), `# Tides\n\n${words(58)}`, `${words(58)} well-known-fact`],
    bad: [words(60), words(90)],
  },
  {
    task: "Explain tides in at least 60 words.",
    good: [words(60), words(400)],
    bad: [words(40)],
  },
  {
    task: "Write a 100-word note on tides.",
    good: [words(75), words(128)],
    bad: [words(50), words(180)],
  },
  {
    task: "Explain tides in exactly 3 sentences.",
    good: [
      sentences(3),
      "Dr. Smith lives at 3.5 Main St. in Ohio. He moved there in 1999. It is e.g. quiet.",
      `## Tides\n\n${sentences(3)}`,
      'He asked "Why?" and left. She said "Go!" and stayed. Then it rained.',
    ],
    bad: [sentences(2), sentences(5)],
  },
  {
    task: "Explain tides in at most 2 sentences.",
    good: [sentences(2), "The U.S. coast has two tides a day. The Baltic has almost none."],
    bad: [sentences(4)],
  },
  {
    task: "Write a text of at most 100 characters.",
    good: ["a".repeat(100), ` ${"a".repeat(100)}\n`],
    bad: ["a".repeat(140)],
  },
  {
    task: "Praise tea in exactly 3 bullet points.",
    good: [
      bullets(3),
      bullets(3, "*"),
      `Tea:\n\n${bullets(3)}`,
      `${bullets(3)}\n  - nested`,
      bullets(3, "1."),
    ],
    bad: [bullets(2), bullets(5), "Tea is good."],
  },
  {
    task: "Praise tea without any bullet points.",
    good: ["Tea is good. It is warm."],
    bad: [bullets(3)],
  },
  {
    task: "List 5 reasons to drink tea.",
    good: [
      bullets(5),
      bullets(7),
      "## A\nx\n## B\nx\n## C\nx\n## D\nx\n## E\nx",
      '["a","b","c","d","e"]',
      "Warmth, taste, price, company and habit.",
      "- Body: warmth, calm\n- Purse: price, thrift\n- Mind: habit, company",
      repeat(PARAGRAPH, 5),
    ],
    bad: [bullets(3), "It is warm."],
  },
];

describe("texts that meet a requirement pass, others fail", () => {
  test.each(EXAMPLES.flatMap(({ task, good }) => good.map((text) => [task, text] as const)))(
    "%s %j passes",
    (task, text) => {
      const outcomes = Object.values(runChecks(task, text));
      expect(outcomes).toContain("pass");
      expect(outcomes).not.toContain("fail");
    },
  );
  test.each(EXAMPLES.flatMap(({ task, bad }) => bad.map((text) => [task, text] as const)))(
    "%s %j fails",
    (task, text) => {
      expect(Object.values(runChecks(task, text))).toContain("fail");
    },
  );
});

test("texts that cannot be counted are not judged", () => {
  expect(
    runChecks(
      "Answer in under 20 words.",
      "这是一个没有空格的中文句子，所以不能数单词。".repeat(3),
    ),
  ).toEqual({
    "word-count": "not-applicable",
  });
});

test("results contain nothing from the texts but counts", () => {
  const task = "Describe a zyzzyva in at most 2 words and exactly 1 sentence.";
  const input = { task, category: "content" as const, text: "Quokka quokka.\n\nQuokka." };
  for (const check of COUNT_CHECKS) {
    for (const { parameters } of check.extract(task, "content")) {
      if ("observe" in check) continue;
      const result = check.run(input, check.parameters.parse(parameters));
      expect(`${check.describe(parameters)} ${result.observed}`).not.toMatch(/zyzzyva|quokka/i);
    }
  }
});

test("every check has its own name and explains its parameters to the author of a rubric", () => {
  expect(new Set(COUNT_CHECKS.map(({ name }) => name)).size).toBe(COUNT_CHECKS.length);
  for (const { forRubric } of COUNT_CHECKS) expect(forRubric).toBeTruthy();
});

test("bounds without any limit, or with a minimum above the maximum, are rejected", () => {
  const parameters = COUNT_CHECKS.find(({ name }) => name === "word-count")?.parameters;
  expect(parameters?.safeParse({ min: null, max: null }).success).toBe(false);
  expect(parameters?.safeParse({ min: 5, max: 4 }).success).toBe(false);
  expect(parameters?.safeParse({ min: 4, max: 4 }).success).toBe(true);
});

test("no check throws, whatever the texts", () => {
  const fragment = fc.constantFrom(
    "\n",
    " ",
    "*",
    "#",
    "***",
    "1. ",
    "- ",
    "|",
    '"',
    "each",
    "at least",
    "between",
    "3",
    "words",
    "paragraphs",
    "separated by",
    ":",
    ".",
    "…",
    "<a>",
    "following text:",
  );
  const text = fc
    .array(fc.oneof(fragment, fc.string({ maxLength: 6 })), { maxLength: 40 })
    .map((parts) => parts.join(" "));
  fc.assert(
    fc.property(text, text, (task, deliverable) => {
      runChecks(task, deliverable);
    }),
    { numRuns: 100 },
  );
});

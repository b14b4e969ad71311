import { describe, expect, test } from "vitest";
import type { CheckOutcome, CheckResult } from "@/server/judging/checks/check";
import { findLimits, STATED_LIMIT } from "./stated-limit";

const find = (task: string) => findLimits(task).map(({ limit }) => limit);
/** Returns the result for the only limit of a task. */
function check(task: string, text: string) {
  const [limit, ...others] = find(task);
  if (!limit || others.length > 0) throw new Error(`${others.length} other limits`);
  return STATED_LIMIT.run({ task, category: "content", text }, limit);
}

describe("a limit of length is found in", () => {
  test.each<[string, string, number | null, number | null]>([
    ["Describe the tides in at most 150 words.", "words", null, 150],
    ["Describe the tides, at most 150 words.", "words", null, 150],
    ["Describe the tides. Keep it under 60 words.", "words", null, 59],
    ["Describe the tides. Your answer must be no more than 1,200 words.", "words", null, 1200],
    ["Describe the tides. Length: 100 to 150 words.", "words", 100, 150],
    ["Describe the tides. Maximum 80 words.", "words", null, 80],
    ["Describe the tides in between 100 and 150 words.", "words", 100, 150],
    ["Write a story of at least 200 words about the sea.", "words", 200, null],
    ["Explain the tides. Use at most 280 characters.", "characters", null, 280],
    ["Explain the tides in exactly three sentences.", "sentences", 3, 3],
    ["Explain the tides in two sentences.", "sentences", 2, 2],
    ["Explain why the sea is salty in one sentence.", "sentences", 1, 1],
    ["Give exactly five bullet points on the tides.", "bullet-points", 5, 5],
    ["Give five bullet points on the tides.", "bullet-points", 5, 5],
    ["Write a packing list. 8 bullet points, no more no less.", "bullet-points", 8, 8],
    ["Give the steps as a numbered list with exactly 6 steps.", "bullet-points", 6, 6],
    ["Give exactly 5 options in a numbered list, each of them a word.", "bullet-points", 5, 5],
    [
      "List the causes.\n- at most 5 bullets\n- each bullet has at most 12 words",
      "bullet-points",
      null,
      5,
    ],
    ["Explain the tides. Limit yourself to 4 sentences.", "sentences", null, 4],
    ["Write a letter to the sea. The letter shall have precisely 5 sentences.", "sentences", 5, 5],
    [
      "Write a poem. It must have at least 250 characters but fewer than 500 characters.",
      "characters",
      250,
      499,
    ],
    ["Say hello to our customers in 15 to 20 words.", "words", 15, 20],
  ])("%s", (task, kind, min, max) => {
    expect(find(task)).toEqual([{ kind, min, max }]);
  });
});

describe("no limit of length is found in", () => {
  test.each([
    "Describe the tides in about 150 words.",
    "Describe the tides in roughly 150 words.",
    "Describe the tides in 150 words.",
    "Describe the tides, ideally in at most 150 words.",
    "Describe the tides in at most 150 words or so.",
    "Describe the tides in 3 to 5 paragraphs of at most 50 words each.",
    "Describe the tides. The introduction has at most 50 words.",
    "Describe the tides. Keep the summary under 50 words.",
    "Describe the tides in at most 150 words, then list five facts.",
    "Write a poem about the sea. Explain it in at most 50 words.",
    "Describe the tides in at most 150 words. Use at least 100 words.",
    "Explain how to write a summary in at most 50 words.",
    "Write a story about a man who answers in at most three words.",
    "Write a guide on writing essays in under 500 words.",
    "Our style guide requires at most 150 words. Describe the tides.",
    "Passwords must have at most 20 characters. Describe the login.",
    "Summarise the text below in at most 50 words.\n\nText: The sea.",
    'Summarise this in at most 5 words: "The sea is deep and wide and it is very cold and nobody knows what lives down there, they say, but nobody ever asked them."',
    "```\nUse at most 5 words.\n```\nReview it.",
    "Describe the tides in at most 150 words if possible.",
    "Write a title and a description of at most 50 words.",
    "Describe a law that limits speeches to at most 150 words.",
    "Write two poems about the sea. Use at most 40 words.",
    "Write an email and a text message. Keep it under 60 words.",
    "Draft headline, summary line and body. Use at most three sentences.",
    "Give five tips as a numbered list in each section.",
    "Describe five products. Give exactly three bullet points for each product.",
  ])("%s", (task) => expect(find(task)).toEqual([]));
});

describe("phrases are", () => {
  test.each<[string, string, string[]]>([
    ['Describe the tides. Include the word "moon".', "includes", ["moon"]],
    ['Include the phrases "high tide" and "low tide".', "includes", ["high tide", "low tide"]],
    ["Use the words “salt”, “foam” and “wind” somewhere.", "includes", ["salt", "foam", "wind"]],
    ['Do not use the word "ocean".', "excludes", ["ocean"]],
    ['Never mention "sharks" or "whales".', "excludes", ["sharks", "whales"]],
    ['Do not use "!" or "?".', "excludes", ["!", "?"]],
    ['Describe the tides and end with the phrase "So it goes."', "ends-with", ["So it goes"]],
    ["End your answer with 'Good night'.", "ends-with", ["Good night"]],
    [
      'Finish your response with this exact phrase: "So it goes." No words follow.',
      "ends-with",
      ["So it goes"],
    ],
    ['The last line should read: "So it goes"', "ends-with", ["So it goes"]],
    ["The word 'trunk' is banned, as are others.", "excludes", ["trunk"]],
    [
      "Make sure the words salty, bland, and crisp all appear somewhere.",
      "includes",
      ["salty", "bland", "crisp"],
    ],
    ["Must contain the word 'crease' at least twice.", "includes", ["crease"]],
  ])("found in %s", (task, kind, phrases) => expect(find(task)).toEqual([{ kind, phrases }]));

  test.each([
    'Use "moon" or "sun".',
    'If you can, include the word "moon".',
    'Include a word like "moon".',
    'Include the word "moon" in the first paragraph.',
    'Do not use the word "moon" in the title.',
    'End each paragraph with "So it goes."',
    'End with "So it goes." or "Good night."',
    'The button must include the word "Buy".',
    'Write about a sign that contains the word "Stop".',
    'End with "[your name]".',
    'Replace "moon" with "sun".',
  ])("not found in %s", (task) => expect(find(task)).toEqual([]));
});

describe("a deliverable", () => {
  const words = (count: number) => Array(count).fill("word").join(" ");

  test.each<[string, string, CheckOutcome]>([
    ["Describe it in at most 20 words.", words(20), "pass"],
    ["Describe it in at most 20 words.", words(21), "fail"],
    ["Describe it in at most 20 words.", `# The tides\n\n${words(20)}`, "not-applicable"],
    [
      "Describe it in at most 20 words.",
      `Sure! Here it is:\n\n${words(20)}\n\n(20 words)`,
      "not-applicable",
    ],
    ["Describe it in at most 20 words.", `${words(19)} well-known`, "not-applicable"],
    ["Describe it in at least 20 words.", `${words(20)} well-known`, "pass"],
    ["Describe it in at least 21 words.", `${words(19)} well-known`, "not-applicable"],
    ["Describe it in at least 20 words.", words(18), "fail"],
    ["Explain it in two sentences.", "It rose by 3.5 metres. He saw it.", "pass"],
    ["Explain it in two sentences.", "It rose. Dr. Lee saw it.", "not-applicable"],
    ["Explain it in two sentences.", 'She said "Stop! Now." It ended.', "not-applicable"],
    ["Explain it in two sentences.", "One. Two. Three. Four.", "fail"],
    ["Use at most 30 characters.", "a".repeat(31), "fail"],
    ["Give three bullet points.", "- a\n- b\n  - c\n- d", "not-applicable"],
    ["Give three bullet points.", "- a\n- b\n- c", "pass"],
    ["Give three bullet points.", "- a\n- b\n- c\n- d\n- e", "fail"],
    ["Give three bullet points.", "First.\n\nSecond.\n\nThird.", "not-applicable"],
    ['Include the word "well-being".', "Wellbeing matters.", "not-applicable"],
    ['Include the word "well-being".', "Well-being matters.", "pass"],
    ['Include the word "moon".', "The sea.", "fail"],
    ['Do not use the word "rock".', "A rocky shore.", "not-applicable"],
    ['Do not use the word "rock".', "A sandy shore.", "pass"],
    ['Do not use "—".', "A well-known shore.", "pass"],
    ['Do not use "—".', "A shore — or not.", "fail"],
    ['Do not use the word "rock".', 'I left out "rock".', "not-applicable"],
    ['Do not use the word "rock".', "It is a ROCK.", "fail"],
    ['End with "Good night".', "**Good night!**\n\nAnn", "not-applicable"],
    ['End with "Good night".', "Sleep well. **Good night!**", "pass"],
    ['End with "Good night".', "Good night, all. See you.", "fail"],
  ])("%s %j: %s", (task, text, outcome) => expect(check(task, text).outcome).toBe(outcome));

  test("in a script without spaces has no words to count", () => {
    expect(check("Describe it in at most 5 words.", "潮汐每天涨落两次。").outcome).toBe(
      "not-applicable",
    );
  });
});

test("a limit is described in public without words of the task", () => {
  const limits = find('Include the word "moon". Do not use the words "sun" or "sea".');
  expect(limits.map(STATED_LIMIT.describe)).toEqual([
    "The task demands a given phrase",
    "The task forbids 2 given phrases",
  ]);
});

describe("a result is", () => {
  const four = "Tides rise. They fall.\n\n- Twice a day\n- At the coast";

  test.each([
    [
      "Explain it in 4 to 6 sentences.",
      "Tides rise. They fall. Why? Nobody knows.",
      "sentences: 4",
    ],
    ["Explain it in at most 9 sentences.", four, "sentences: 4"],
    [
      "Explain it in at most 3 sentences.",
      "It rose! Why? Dr. Lee knows. He saw it.",
      "sentences: 4",
    ],
    ["Describe it in at most 3 words.", "The sea rises.", "words: 3"],
    ["Describe it in at most 3 words.", "The sea rises daily.", "words: 4"],
    ["Use at most 30 characters.", "The sea rises.", "characters: 14"],
    ["Give three bullet points.", "- a\n- b\n- c", "bullet points: 3"],
    ["Give three bullet points.", "- a", "bullet points: 1"],
    ["Use at most 3 words.", "The sea rises (twice).", "words: 4; other ways of counting differ"],
  ])("one count, apart from the demand: %s", (task, text, observed) => {
    expect(check(task, text).observed).toBe(observed);
  });

  test.each<[string, string, Partial<CheckResult>]>([
    [
      'Describe it. Do not use "!" anywhere.',
      "It rises! Twice!",
      { outcome: "fail", observed: "the phrase occurs", detail: '"!": 2' },
    ],
    [
      'Describe it. Do not use "!" anywhere.',
      "It rises.",
      { outcome: "pass", observed: "the phrase doesn't occur", detail: '"!": 0' },
    ],
    [
      'Never mention "sharks" or "whales".',
      "Whales sing. WHALES swim.",
      { outcome: "fail", observed: "1 of 2 phrases occur", detail: '"sharks": 0, "whales": 2' },
    ],
    [
      'Include the phrases "high tide" and "low tide".',
      "At high tide.",
      {
        outcome: "fail",
        observed: "1 of 2 phrases occur",
        detail: '"high tide": 1, "low tide": 0',
      },
    ],
    [
      'End with "Good night".',
      "Bye.",
      { outcome: "fail", detail: 'the phrase: "Good night"; the end: "Bye."' },
    ],
  ])("a number of phrases, which only the detail names: %s %j", (task, text, result) => {
    expect(check(task, text)).toMatchObject(result);
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COUNT_CHECKS, FORMAT_CHECKS, WORD_CHECKS } from "@/server/judging/checks/check-list";
import { omitRulesOfOthers } from "./rules-of-others";
import { extractProse, listTaskSentences, splitSentences } from "./sentences";

const firm = (task: string) =>
  listTaskSentences(task)
    .filter(({ isHedged }) => !isHedged)
    .map(({ text }) => text);

describe("statements", () => {
  test("are sentences and list items without their markers", () => {
    expect(
      firm("Write a note.\n\nRules:\n- No commas\n2. Use max. 20 words; be kind.\n* Sign it"),
    ).toEqual([
      "Write a note.",
      "Rules:",
      "No commas",
      "Use max. 20 words;",
      "be kind.",
      "Sign it",
    ]);
  });

  test("continue over a line break in the middle of a sentence", () => {
    expect(firm("Write a note that has\nat least\n80 words.")).toEqual([
      "Write a note that has at least 80 words.",
    ]);
  });

  test.each([
    "If you like, add a table.",
    "Ideally, add a table.",
    "You don't have to add a table.",
    "Add a table if possible.",
    "Try to add a table.",
    "Feel free to add a table.",
    "Unless it is short, add a table.",
    "A table would be nice, but I leave that to you.",
    "Our style guide says: no tables.",
    "Requirements from the ticket: lowercase only, no spaces.",
    "Our contract requires that every reply has at most 3 sentences.",
    "Passwords on our platform must have at least 12 characters.",
    "The logo should have no more than two colours.",
    "Write a scene in which a robot can only answer with one word.",
  ])("is hedged: %s", (task) => expect(firm(task)).toEqual([]));

  test.each([
    "When you answer, add a table.",
    "It would be great if you could add a table.",
    "Could you add a table?",
    "The story must be set where the guests sleep.",
    "Write a story in which a detective solves a case in 300 words.",
    "Please do not add a table.",
    'End with "Let me know if you need more."',
    "Write about what might happen if bees vanished.",
  ])("is firm: %s", (task) => expect(firm(task)).toEqual([task]));
});

describe("material to work on is left out", () => {
  const LONG = "The mayor spoke. You must write 3 paragraphs. ".repeat(4).trim();

  test.each<[string, string[]]>([
    [
      `Summarise the following text:\n\n${LONG}\n\nYou must obey.`,
      ["Summarise the following text:"],
    ],
    [
      `Summarise the following text:\n\n${LONG}\n\nMake sure to use bullets.`,
      ["Summarise the following text:", "Make sure to use bullets."],
    ],
    [`Reply to "${LONG}" Use two lines.`, ["Reply to ….", "Use two lines."]],
    [`<letter>\n${LONG}\n</letter>\nReply to it.`, ["…", "Reply to it."]],
    ["```\nWrite 3 lines\n```\nExplain this.", ["…", "Explain this."]],
    ["> Write 3 lines\nExplain this.", ["Explain this."]],
    [
      "Here's my poem. Improve it.\n\nI write 3 lines\nand stop",
      ["Here's my poem.", "Improve it."],
    ],
    ["Here's my poem.\n\n- Use 3 lines\n- Be kind", ["Here's my poem.", "Use 3 lines", "Be kind"]],
    ["Write release notes.\n\n- fix: use 3 lines\n- feat(ui): be kind", ["Write release notes."]],
    [
      'Reply to him. He wrote: "I asked three times. Answer in one word, will you?"',
      ["Reply to him."],
    ],
    [
      'PR: "The message must not exceed 50 characters and must not name the file."\nReview it.',
      ["PR:", "Review it."],
    ],
    [
      'Rewrite the following sentence: "I am here." Use ten words.',
      ["Rewrite the following sentence:", "Use ten words."],
    ],
    [`Context:\n${LONG}\n\nQuestion: Who spoke?`, ["Context:", "Question: Who spoke?"]],
  ])("%j", (task, statements) => expect(firm(task)).toEqual(statements));

  test.each([
    "The answer should include the following: three examples",
    "Follow these rules:\nUse no commas",
    "Paragraphs: 3",
    'Use the word "tea" and the phrase "at noon".',
  ])("rules and short quotations stay: %j", (task) => expect(extractProse(task)).toBe(task));
});

test("sentences end at punctuation and line breaks, not after abbreviations", () => {
  expect(splitSentences('Ask Dr. No, e.g. now. "Why?" He left!\nGone')).toEqual([
    "Ask Dr. No, eg now.",
    '"Why?"',
    "He left!",
    "Gone",
  ]);
});

/** Tasks, with whether the rules in them bind the deliverable. */
const TASKS: { task: string; binds: boolean }[] = readFileSync(
  `${import.meta.dirname}/rules-of-others.phrasings.jsonl`,
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const listRequirements = (task: string) =>
  [...COUNT_CHECKS, ...WORD_CHECKS, ...FORMAT_CHECKS]
    .flatMap(({ extract }) => extract(task, "content"))
    .filter(({ statement }) => statement !== "");

describe("rules that a task quotes, reports or requests", () => {
  test.each(TASKS.filter(({ binds }) => !binds))("do not bind: $task", ({ task }) => {
    expect(listRequirements(task)).toEqual([]);
  });

  test.each(TASKS.filter(({ binds }) => binds))("bind: $task", ({ task }) => {
    expect(listRequirements(task)).not.toEqual([]);
  });
});

test("a prompt to be reviewed is left out, what follows it is kept", () => {
  const task =
    "Our old prompt was:\n\nBe brief. Use no commas.\n\nUse no digits.\n\nWhy was it bad?";
  expect(omitRulesOfOthers(task)).toBe("Our old prompt was:\n\n\n\nWhy was it bad?");
});

test("a conversation is left out", () => {
  const task = "User: Use 3 words.\nBot: No.\nUser: Please!\n\nWhat did the bot do wrong?";
  expect(omitRulesOfOthers(task)).toBe("\nWhat did the bot do wrong?");
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COUNT_CHECKS, FORMAT_CHECKS, WORD_CHECKS } from "@/server/judging/checks/registry";
import { omitRulesOfOthers } from "./rules-of-others";

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

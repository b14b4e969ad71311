import { z } from "zod";
import {
  type CheckResult,
  createGeneralRequirement,
  type TextCheck,
} from "@/server/judging/checks/check";
import { CONTAINS_CODE } from "@/server/judging/checks/text/code-tasks";
import { tokeniseText } from "./prose";

const MIN_ECHO_WORDS = 12;
/** From this many words on, a deliverable that is the task itself is no coincidence. */
const MIN_COPIED_WORDS = 5;
const RUN_LENGTH = 4;
const MAX_GROWTH = 1.25;
/** Tasks whose correct answer repeats their own words. */
const ASKS_TO_REPEAT =
  /\b(?:repeat|copy|echo|verbatim|word[- ]for[- ]word|reproduce|transcribe|proof-?read|correct(?:ed)?|rewrite|rephrase|fix|punctuate|punctuation|capitalise|capitalize|capitals|lower ?case|upper ?case|unchanged|translate|format|convert|sort)\b/i;

/** Finds deliverables that mostly repeat the task, instructions included. */
export const TASK_ECHO: TextCheck<Record<string, never>> = {
  name: "task-echo",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("task-echo")],
  describe: () => "Does more than repeat the task",
  run: ({ task, text }): CheckResult => {
    if (
      CONTAINS_CODE.test(task) ||
      (ASKS_TO_REPEAT.test(task) && !startsWithWholeTask(task, text))
    ) {
      return { outcome: "not-applicable", observed: "the task may call for its own words" };
    }
    return isEcho(task, text)
      ? { outcome: "fail", observed: "mostly the words of the task" }
      : { outcome: "pass", observed: "not a copy of the task" };
  },
};

/** Returns whether even the request itself is repeated, and repeating it was not requested. */
function startsWithWholeTask(task: string, text: string): boolean {
  if (
    /\b(?:repeat|copy|echo|verbatim|word[- ]for[- ]word|reproduce|transcribe|unchanged)\b/i.test(
      task,
    )
  )
    return false;
  return tokeniseText(text).join(" ").includes(tokeniseText(task).join(" "));
}

function isEcho(task: string, text: string): boolean {
  const taskTokens = tokeniseText(task);
  const workTokens = tokeniseText(text);
  const isCopy =
    taskTokens.length === workTokens.length &&
    taskTokens.every((token, index) => token === workTokens[index]);
  if (isCopy && taskTokens.length >= MIN_COPIED_WORDS) return true;
  if (taskTokens.length < MIN_ECHO_WORDS || workTokens.length > taskTokens.length * MAX_GROWTH) {
    return false;
  }
  const taskRuns = listRuns(taskTokens);
  const workRuns = listRuns(workTokens);
  if (workRuns.size === 0 || !workRuns.has(taskTokens.slice(0, RUN_LENGTH).join(" "))) return false;
  const shared = [...workRuns].filter((run) => taskRuns.has(run)).length;
  return shared >= workRuns.size * 0.9 && shared >= taskRuns.size * 0.8;
}

const listRuns = (tokens: readonly string[]) =>
  new Set(
    tokens.slice(0, 1 - RUN_LENGTH).map((_, at) => tokens.slice(at, at + RUN_LENGTH).join(" ")),
  );

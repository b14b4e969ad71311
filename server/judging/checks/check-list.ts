import type { AnyCheck } from "./check";
import { codeExamplesCheck } from "./code/code-examples-check";
import { STATED_LIMIT } from "./limits/stated-limit";
import { REFUSAL } from "./non-answers/refusal";
import { CUT_OFF } from "./non-answers/unfinished";
import { citedPagesExist, quotationsOnPages } from "./sources/cited-pages";

/** Every deliverable is held to these, so that passing them says little. */
export const NON_ANSWER_CHECKS: readonly AnyCheck[] = [REFUSAL, CUT_OFF];

/** Every check that code can make of a deliverable, in the order in which facts are listed. */
export const CHECKS: readonly AnyCheck[] = [
  ...NON_ANSWER_CHECKS,
  STATED_LIMIT,
  codeExamplesCheck,
  citedPagesExist,
  quotationsOnPages,
];

const BY_NAME = new Map(CHECKS.map((check) => [check.name, check]));

export function findCheck(name: string): AnyCheck | undefined {
  return BY_NAME.get(name);
}

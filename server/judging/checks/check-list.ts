import type { AnyCheck } from "./check";
import { codeExamplesCheck } from "./code/code-examples-check";
import { BULLETS, CHARACTERS, LIST_ITEMS, SENTENCES, WORDS } from "./counts/count-checks";
import { CSV_FORMAT, JSON_FORMAT, TABLE } from "./formats/format-checks";
import { EMPTY_TALK, REPETITION, TASK_ECHO } from "./non-answers/empty-talk";
import { REFUSAL, STOCK_REPLY_CHECK } from "./non-answers/refusal";
import { CUT_OFF, PLACEHOLDER } from "./non-answers/unfinished";
import { shownArithmetic } from "./numbers/shown-arithmetic";
import { citedPagesExist, quotationsOnPages } from "./sources/cited-pages";
import { ENDS_WITH } from "./words/ending";
import { LETTER_FREQUENCY } from "./words/letter-frequency";
import { FORBIDDEN_WORDS, REQUIRED_WORDS, WORD_FREQUENCY } from "./words/required-words";

/** Every deliverable is held to these, so that passing them says little. */
export const NON_ANSWER_CHECKS: readonly AnyCheck[] = [
  REFUSAL,
  PLACEHOLDER,
  EMPTY_TALK,
  STOCK_REPLY_CHECK,
  TASK_ECHO,
  REPETITION,
  CUT_OFF,
];
export const COUNT_CHECKS: readonly AnyCheck[] = [
  WORDS,
  SENTENCES,
  CHARACTERS,
  BULLETS,
  LIST_ITEMS,
];
export const WORD_CHECKS: readonly AnyCheck[] = [
  REQUIRED_WORDS,
  FORBIDDEN_WORDS,
  WORD_FREQUENCY,
  LETTER_FREQUENCY,
  ENDS_WITH,
];
export const FORMAT_CHECKS: readonly AnyCheck[] = [JSON_FORMAT, CSV_FORMAT, TABLE];

/** Every check that code can make of a deliverable, in the order in which facts are listed. */
export const CHECKS: readonly AnyCheck[] = [
  ...NON_ANSWER_CHECKS,
  ...COUNT_CHECKS,
  ...WORD_CHECKS,
  ...FORMAT_CHECKS,
  shownArithmetic,
  codeExamplesCheck,
  citedPagesExist,
  quotationsOnPages,
];

const BY_NAME = new Map(CHECKS.map((check) => [check.name, check]));

export function findCheck(name: string): AnyCheck | undefined {
  return BY_NAME.get(name);
}

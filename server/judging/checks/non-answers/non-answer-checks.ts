import type { AnyCheck } from "@/server/judging/checks/check";
import { CUT_OFF } from "./cut-off";
import { EMPTY_TALK } from "./empty-talk";
import { GIVEN_FACTS } from "./given-facts";
import { PLACEHOLDER } from "./placeholder";
import { REFUSAL } from "./refusal";
import { REPETITION } from "./repetition";
import { STOCK_REPLY_CHECK } from "./stock-reply";
import { TASK_ECHO } from "./task-echo";

export const NON_ANSWER_CHECKS: AnyCheck[] = [
  REFUSAL,
  PLACEHOLDER,
  EMPTY_TALK,
  STOCK_REPLY_CHECK,
  TASK_ECHO,
  GIVEN_FACTS,
  REPETITION,
  CUT_OFF,
];

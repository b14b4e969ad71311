import type { AnyCheck } from "@/server/judging/checks/check";
import { allocationLimits } from "./allocation-limits";
import { answerConsistency } from "./answer-consistency";
import { computedFigure } from "./computed-figure";
import { dataAnswer } from "./data-answer";
import { periodOfFigures } from "./period-of-figures";
import { shownArithmetic } from "./shown-arithmetic";
import { wordProblem } from "./word-problem";

export const NUMBER_CHECKS: AnyCheck[] = [
  shownArithmetic,
  answerConsistency,
  dataAnswer,
  periodOfFigures,
  wordProblem,
  computedFigure,
  allocationLimits,
];

import { z } from "zod";
import type { CheckResult, TextCheck } from "@/server/judging/checks/check";
import { parseExpression } from "./expression";
import type { Exact } from "./figures";
import { formatExact } from "./figures";
import { findAnswerFigures, isStatement } from "./final-answer";
import { tokenise } from "./tokens";

const parameters = z.strictObject({
  /** Arithmetic with figures of the task, such as "(1250 - 1000) / 1000". */
  expression: z.string().min(1).max(300),
});
type Parameters = z.infer<typeof parameters>;

/** Compares the answer with a calculation that a rubric states; code does the calculation. */
export const computedFigure: TextCheck<Parameters> = {
  name: "computed-figure",
  parameters,
  extract: () => [],
  describe: () => "Answers with the figure that a calculation from the task gives",
  forRubric:
    'expression: arithmetic with figures of the task and + - * / ^ ( ), e.g. "(1250 - 1000) / 1000". Passes if the deliverable answers with its value, also as a percentage or rounded.',
  run: ({ text }, { expression }) => checkFigure(text, evaluate(expression)),
};

/** Returns the value of an arithmetic expression, or null if it is not one. */
export function evaluate(expression: string): Exact | null {
  const tokens = tokenise(expression);
  const parsed = parseExpression(tokens, 0, () => 0);
  return parsed && parsed.end === tokens.length ? parsed.range.low : null;
}

function checkFigure(text: string, value: Exact | null): CheckResult {
  const { figures } = findAnswerFigures(text);
  if (!value) return { outcome: "not-applicable", observed: "the calculation cannot be read" };
  if (figures.length === 0) return { outcome: "not-applicable", observed: "no figure stated" };
  const match = figures.find((figure) => isStatement(figure, { value, isExact: value.isInt() }));
  if (match) {
    const passages = [{ from: match.from, to: match.to }];
    return { outcome: "pass", observed: "the figure is stated", passages };
  }
  return {
    outcome: "fail",
    observed: "the figure is not stated",
    detail: `The calculation gives ${formatExact(value)}.`,
  };
}

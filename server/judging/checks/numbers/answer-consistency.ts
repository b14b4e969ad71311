import { z } from "zod";
import {
  type CheckResult,
  createGeneralRequirement,
  type TextCheck,
} from "@/server/judging/checks/check";
import { findEquations } from "./equations";
import type { Expected } from "./expected-answers";
import { Exact, type Figure, formatExact, readFigures } from "./figures";
import { findMarkedAnswer, isStatement } from "./final-answer";

const MAX_FIGURES = 60;
const MAX_LENGTH = 100_000;

/** Fails a final answer that none of the calculations before it leads to. */
export const answerConsistency: TextCheck<Record<string, never>> = {
  name: "answer-consistency",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("answer-consistency")],
  describe: () => "The final answer follows from the calculation that is shown",
  run: ({ task, text }) => {
    const answer = text.length > MAX_LENGTH ? null : findMarkedAnswer(text);
    const [figure, ...others] = answer?.figures ?? [];
    if (!answer || !figure || others.length > 0 || /[=≈+×]|\\frac/.test(answer.text))
      return NOT_SHOWN;
    const equations = findEquations(text.slice(0, answer.from), task);
    if (equations.length === 0 || equations.some(({ isRight }) => !isRight)) return NOT_SHOWN;
    const before = readFigures(text.slice(0, answer.from));
    if (before.length > MAX_FIGURES) return NOT_SHOWN;
    const passages = [{ from: figure.from, to: figure.to }];
    return isReached(figure, before, readFigures(task))
      ? { outcome: "pass", observed: "the answer is among the results", passages }
      : toFailure(figure, equations.at(-1)?.computed ?? new Exact(0));
  },
};

const NOT_SHOWN: CheckResult = {
  outcome: "not-applicable",
  observed: "no calculation with a marked answer",
};

/** Returns whether the figure is stated before, or is one operation away from what is. */
function isReached(figure: Figure, before: readonly Figure[], given: readonly Figure[]): boolean {
  const plain = before.map(({ value, isPercent }) => (isPercent ? value.div(100) : value));
  const known = [...plain, ...given.slice(0, MAX_FIGURES).map(({ value }) => value)];
  const reached = (value: Exact, isExact: boolean) =>
    isStatement(figure, { value, isExact } satisfies Expected);
  if (plain.some((value) => reached(value, false))) return true;
  return plain.some((a) =>
    known.some(
      (b) =>
        reached(a.plus(b), false) ||
        reached(a.minus(b), false) ||
        reached(a.mul(b), false) ||
        (!b.isZero() && reached(a.div(b), false)) ||
        (!a.isZero() && reached(b.div(a), false)),
    ),
  );
}

function toFailure(figure: Figure, last: Exact): CheckResult {
  return {
    outcome: "fail",
    observed: "the answer differs from the calculation that is shown",
    detail: `The answer is ${formatExact(figure.value)}; the last calculation gives ${formatExact(last)}.`,
    passages: [{ from: figure.from, to: figure.to }],
  };
}

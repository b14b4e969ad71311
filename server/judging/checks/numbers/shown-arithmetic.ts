import { z } from "zod";
import {
  type CheckResult,
  createGeneralRequirement,
  type Passage,
  type TextCheck,
} from "@/server/judging/checks/check";
import { type Equation, findEquations } from "./equations";
import { formatExact } from "./figures";
import { findPercentForms } from "./percent-forms";
import { findStatedChanges } from "./statements-of-change";
import { findTableTotals } from "./table-totals";

export const shownArithmetic: TextCheck<Record<string, never>> = {
  name: "shown-arithmetic",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("shown-arithmetic")],
  describe: () => "Calculations that are shown come out as stated",
  run: ({ task, text }) =>
    toResult(listEquations(text.slice(0, MAX_LENGTH), task.slice(0, MAX_LENGTH)), text),
};

/** Longer texts are checked up to here, to keep the time within limits. */
const MAX_LENGTH = 100_000;

const listEquations = (text: string, task: string): Equation[] => [
  ...findEquations(text, task),
  ...findPercentForms(text),
  ...findStatedChanges(text),
  ...findTableTotals(text, task),
];

function toResult(equations: Equation[], text: string): CheckResult {
  const wrong = equations.filter(({ isRight }) => !isRight);
  const count = `${equations.length} calculation${equations.length === 1 ? "" : "s"}`;
  if (equations.length === 0)
    return { outcome: "not-applicable", observed: "no calculation found" };
  if (wrong.length === 0) return { outcome: "pass", observed: `${count} recomputed, all correct` };
  return {
    outcome: "fail",
    observed: `${count} recomputed, ${wrong.length} wrong`,
    detail: wrong
      .slice(0, 5)
      .map(
        ({ from, to, computed }) =>
          `${text.slice(from, to).slice(0, 200)}: computed ${formatExact(computed)}`,
      )
      .join("; "),
    passages: wrong.slice(0, 10).map(({ from, to }): Passage => ({ from, to })),
  };
}

import { z } from "zod";
import type { CheckInput, CheckResult, TextCheck } from "@/server/judging/checks/check";
import { findEquations } from "./equations";
import { type Figure, readFigures } from "./figures";
import { listAmounts } from "./labelled-amounts";
import { listYears } from "./terms";

// Parts of patterns. cspell:ignore increas decreas declin improv reduc nswer

const MAX_LENGTH = 100_000;
const MAX_FIGURES = 100;
const NOT_FOUND: CheckResult = {
  outcome: "not-applicable",
  observed: "no figures of a single period",
};

/** Fails an answer that is computed from figures of a year that the question is not about. */
export const periodOfFigures: TextCheck<Record<string, never>> = {
  name: "period-of-figures",
  parameters: z.strictObject({}),
  extract(task) {
    const asked = findAsked(task);
    return asked ? [{ check: "period-of-figures", parameters: {}, statement: asked.question }] : [];
  },
  describe: () => "Uses figures of the period that the question is about",
  run: (input) => checkPeriods(input),
};

interface Asked {
  question: string;
  isAllowed(year: number): boolean;
  /** Years by the value that the task states for them. */
  yearsOf: Map<string, Set<number>>;
}

/** Words that bring in figures of other periods. */
const OTHER_PERIODS =
  /\b(?:prior|previous|preceding|last|next|following|subsequent|beginning|opening|start(?:ing)?|january|since|until|before|after|trend|historical\w*|compared?|versus|vs|turnover|return on|expected|forecast\w*|project\w*|if|years?['’]? (?:earlier|later)|thereafter|remaining|future|why|explain|describe|discuss|summari[sz]e)\b/i;
const CHANGE =
  /\b(?:chang|increas|decreas|grow|grew|declin|rise|rose|drop|fell|fall|improv|differ|reduc|gain|return|average|days|cagr|year[- ]over|yoy|higher|lower)/i;

/** Returns the one question of a task that names its years, with the amounts of each year. */
function findAsked(task: string): Asked | null {
  if (task.length > MAX_LENGTH || /^\W{0,4}A(?:nswer)?:\s*\S*\d/im.test(task)) return null;
  const questions = task
    .split(/\n|(?<=[.!?])\s+/)
    .filter((sentence) => /\?\s*$/.test(sentence) && sentence.length < 500);
  const [question, ...others] = questions;
  const years = question ? listYears(question) : [];
  if (!question || others.length > 0 || years.length === 0 || OTHER_PERIODS.test(question))
    return null;
  const margin = years.length === 1 && CHANGE.test(question) ? 1 : 0;
  const low = Math.min(...years) - margin;
  const high = Math.max(...years) + margin;
  const yearsOf = new Map<string, Set<number>>();
  for (const { value, year } of listAmounts(task)) {
    const key = value.abs().toFixed();
    const set = yearsOf.get(key) ?? new Set();
    // An amount without a year may be of any.
    set.add(year ?? low);
    yearsOf.set(key, set);
  }
  const stated = new Set([...yearsOf.values()].flatMap((set) => [...set]));
  if (stated.size < 2 || !years.every((year) => stated.has(year))) return null;
  return { question, isAllowed: (year) => year >= low && year <= high, yearsOf };
}

function checkPeriods({ task, text }: CheckInput): CheckResult {
  const asked = findAsked(task);
  if (!asked || text.length > MAX_LENGTH) return NOT_FOUND;
  const figures = readFigures(text).filter(({ isYear }) => !isYear);
  if (figures.length > MAX_FIGURES) return NOT_FOUND;
  // "(2018: 1,611)" is a comparison, which says so.
  const labelled = [...text.matchAll(/\((?:in |FY ?)?(?:19|20)\d\d:[^()\n]{0,80}\)/g)];
  const others = figures.filter(
    (figure) =>
      getPeriod(figure, asked) === "other" &&
      !labelled.some(({ index, 0: part }) =>
        isInside(figure, { from: index, to: index + part.length }),
      ),
  );
  const own = figures.filter((figure) => getPeriod(figure, asked) === "asked");
  if (others.length === 0)
    return own.length > 0
      ? { outcome: "pass", observed: "figures of the period in question" }
      : NOT_FOUND;
  // A comparison with another year is no mistake.
  if (own.length > others.length) return NOT_FOUND;
  const equations = findEquations(text, task).filter((equation) =>
    [...own, ...others].some((figure) => isInside(figure, equation)),
  );
  const isMixed = (equation: { from: number; to: number }) =>
    others.some((figure) => isInside(figure, equation));
  const isForeign =
    own.length === 0 || (equations.length > 0 && equations.every((equation) => isMixed(equation)));
  if (!isForeign) return NOT_FOUND;
  return {
    outcome: "fail",
    observed: "figures of another period",
    detail: `Of another year: ${others
      .slice(0, 3)
      .map(({ from, to }) => text.slice(from, to))
      .join(", ")}.`,
    passages: others.slice(0, 10).map(({ from, to }) => ({ from, to })),
  };
}

const isInside = ({ from, to }: Figure, range: { from: number; to: number }) =>
  from >= range.from && to <= range.to;

/** Returns which period a figure belongs to; null if the task does not state it as an amount. */
function getPeriod(figure: Figure, { isAllowed, yearsOf }: Asked): "asked" | "other" | null {
  const digits = figure.value.div(figure.unit).toFixed().replace(/0+$/, "");
  if (digits.length < 3) return null;
  const keys = [figure.value, figure.value.div(figure.scale)].map((value) => value.toFixed());
  const years = keys.flatMap((key) => [...(yearsOf.get(key) ?? [])]);
  if (years.length === 0) return null;
  return years.some(isAllowed) ? "asked" : "other";
}

import type { CheckInput, CheckResult } from "@/server/judging/checks/check";
import { Exact, type Figure, formatExact, readFigures } from "./figures";
import { findAnswerFigures, isStatement } from "./final-answer";

const MAX_LENGTH = 100_000;
/** With more figures than this, some would agree by chance. */
const MAX_FIGURES = 80;
/** As a power of ten: 4%. */
const MAX_DEVIATION = 0.017;

/** Passes an answer that states one of the values, and fails one that states only other figures. */
export function compareAnswer(
  { task, text }: Pick<CheckInput, "task" | "text">,
  values: readonly Exact[],
  source: string,
): CheckResult {
  const figures = text.length > MAX_LENGTH ? [] : findAnswerFigures(text).figures;
  if (values.length === 0 || figures.length === 0 || readFigures(text).length > MAX_FIGURES)
    return { outcome: "not-applicable", observed: "no figure to compare" };
  const given = new Set(
    readFigures(task.slice(0, MAX_LENGTH)).map((figure) => figure.value.toFixed()),
  );
  const match = figures.find((figure) =>
    values.some((value) =>
      // A figure of the task, such as "2 years", is the answer only if it is equal.
      given.has(figure.value.toFixed())
        ? isEqual(figure, value)
        : isStatement(figure, { value, isExact: false }) && hasSameDigits(figure, value),
    ),
  );
  if (readDurations(text).some((hours) => values.some((value) => isSame(hours, value))))
    return { outcome: "pass", observed: `the duration follows from the ${source}` };
  if (match && !lacksSign(match, values, task, text))
    return {
      outcome: "pass",
      observed: `the figure follows from the ${source}`,
      passages: [{ from: match.from, to: match.to }],
    };
  return {
    outcome: "fail",
    observed: `another figure follows from the ${source}`,
    detail: `The ${source} gives ${values.map(formatExact).join(" or ")}.`,
    passages: figures.slice(-3).map(({ from, to }) => ({ from, to })),
  };
}

/** Returns the hours of durations such as "2 hours and 24 minutes". */
const readDurations = (text: string): Exact[] =>
  [...text.matchAll(DURATION)].map(([, hours = "0", minutes = "0"]) =>
    new Exact(minutes).div(60).plus(hours),
  );
const DURATION =
  /\b(\d{1,4})[*\s-]{0,3}(?:h|hrs?|hours?)\b[*,\s]{0,3}(?:and )?(\d{1,2})[*\s-]{0,3}(?:m|mins?|minutes?)\b/gi;
const isSame = (hours: Exact, value: Exact) => hours.minus(value).abs().lt(0.02);

/** Words that make a figure without a minus sign negative. */
const NEGATIVE =
  /\b(?:loss|loses?|lost|losses|decreases?|decreased|declines?|declined|fell|falls?|fallen|drops?|dropped|down|negative|minus|lower|reduces?|reduced|reduction)\b/i;

/** Returns whether a loss is stated as a gain. */
const lacksSign = (match: Figure, values: readonly Exact[], task: string, text: string): boolean =>
  values.every((value) => value.isNegative()) &&
  !match.isNegative &&
  !NEGATIVE.test(task) &&
  !NEGATIVE.test(text);

/** "2" is no answer for 2.4, although it could be a rounded one. */
function hasSameDigits({ value: stated }: Figure, value: Exact): boolean {
  if (stated.isZero() || value.isZero()) return stated.eq(value);
  const exponent = Math.log10(stated.div(value.abs()).toNumber());
  return Math.abs(exponent - Math.round(exponent)) <= MAX_DEVIATION;
}

const isEqual = (figure: Figure, value: Exact) =>
  [value, value.mul(100), value.mul(figure.scale)].some((expected) =>
    expected.abs().minus(figure.value).abs().lte(figure.unit.div(2)),
  );

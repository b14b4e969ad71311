import type { Exact } from "@/server/judging/checks/numbers/figures";

/** A kind of word problem with one known solution. */
export interface ProblemKind {
  /** Public name of what is asked for. */
  name: string;
  /** Patterns that must all occur in the task; their numbers are given to `compute` in order. */
  patterns: RegExp[];
  /** Returns every value that a careful reader would accept. */
  compute(...values: Exact[]): Exact[];
  /** Words that usually change what is asked for, and do not here. */
  allows?: RegExp;
}

/** A number; its currency is left out. */
const NUMBER =
  "[$€£]?\\s?(\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d{1,12}(?:\\.\\d{1,6})?)(?![\\d%]|[.,]\\d|\\s?%|\\s?percent)";
const MONEY = NUMBER.replace("]?", "]");
const PERCENT = "(\\d{1,3}(?:\\.\\d{1,4})?)\\s?(?:%|percent)";

/** Compiles a pattern in which "#%" is a percentage, "#$" an amount of money, "#" a number. */
export const compile = (source: string): RegExp =>
  new RegExp(
    source
      .replaceAll("#%", PERCENT)
      .replaceAll("#$", MONEY)
      .replaceAll("#", NUMBER)
      .replaceAll(" ", "\\s+"),
    "i",
  );

export const kind = (
  name: string,
  patterns: string[],
  compute: (...values: Exact[]) => Exact[],
  allows?: RegExp,
): ProblemKind => ({ name, patterns: patterns.map(compile), compute, ...(allows && { allows }) });

/** A percentage as a fraction, as the factor of an increase, and as that of a decrease. */
export const part = (percent: Exact): Exact => percent.div(100);
export const up = (percent: Exact): Exact => part(percent).plus(1);
export const down = (percent: Exact): Exact => part(percent).neg().plus(1);

import { Exact, type Figure } from "./figures";

/** A value that is known to lie between two bounds, because the figures behind it are rounded. */
export interface Range {
  low: Exact;
  high: Exact;
}

export type Token =
  | { kind: "figure"; figure: Figure; from: number; to: number }
  | {
      kind:
        | "operator"
        | "open"
        | "close"
        | "fraction"
        | "root"
        | "equals"
        | "roughly"
        | "word"
        | "break"
        | "other";
      text: string;
      from: number;
      to: number;
    };

export interface Expression {
  range: Range;
  /** Whether it computes something, rather than only stating a figure. */
  isComputed: boolean;
  /** Whether rounding can only come from the figures: no quotient, power or root is taken. */
  isExact: boolean;
  /** Whether it adds a percentage to an amount, which may mean a percentage of that amount. */
  isMixed: boolean;
  /** Index after its last token. */
  end: number;
}

const MAX_DEPTH = 20;
const MAX_EXPONENT = 1_000;

/** Returns the share by which the value behind a figure may differ from it. */
export type GetMaxError = (figure: Figure) => number;

/** Returns a figure as a range: half a unit around it, within `getMaxError`; a whole number is exact. */
export function toRange(figure: Figure, getMaxError: GetMaxError): Range {
  const value = figure.isPercent ? figure.value.div(100) : figure.value;
  if (figure.unit.eq(1) && !figure.isPercent) return { low: value, high: value };
  const maxError = getMaxError(figure);
  const half = figure.unit.div(figure.isPercent ? 200 : 2);
  const error = maxError === Number.POSITIVE_INFINITY ? half : Exact.min(half, value.mul(maxError));
  return { low: value.minus(error), high: value.plus(error) };
}

/**
 * Parses the longest arithmetic expression that starts at `start`. Returns null if there is none,
 * or if it cannot be computed.
 */
export function parseExpression(
  tokens: readonly Token[],
  start: number,
  getMaxError: GetMaxError,
): Expression | null {
  let at = start;
  let depth = 0;
  let computed = false;
  let exact = true;
  let mixed = false;
  const peek = () => tokens[at];
  const isOperator = (...texts: string[]) => {
    const token = peek();
    return token?.kind === "operator" && texts.includes(token.text);
  };

  function parseSum(): Range | null {
    const start = at;
    let left = parseProduct();
    while (left && isOperator("+", "-")) {
      const before = at;
      const operator = tokens[at++];
      const right = parseProduct();
      const sides = [tokens.slice(start, before), tokens.slice(before + 1, at)];
      if (mixesPercent(sides[0] ?? [], sides[1] ?? [])) mixed = true;
      if (!right) {
        at = before;
        return left;
      }
      computed = true;
      left =
        operator?.kind === "operator" && operator.text === "+"
          ? { low: left.low.plus(right.low), high: left.high.plus(right.high) }
          : { low: left.low.minus(right.high), high: left.high.minus(right.low) };
    }
    return left;
  }

  function parseProduct(): Range | null {
    let left = parsePower();
    while (left && (isOperator("*", "/") || isProductOfParentheses())) {
      const before = at;
      const divides = isOperator("/");
      if (peek()?.kind === "operator") at++;
      const right = parsePower();
      if (!right) {
        at = before;
        return left;
      }
      computed = true;
      if (divides) {
        if (right.low.lte(0) && right.high.gte(0)) return null;
        exact = false;
        left = combine(left, right, (a, b) => a.div(b));
      } else left = combine(left, right, (a, b) => a.mul(b));
    }
    return left;
  }

  /** Whether a bracket follows without an operator, as in "(1 + 2)(3)", "5(12 − 4)" and "0.4(85)". */
  function isProductOfParentheses(): boolean {
    const [previous, next] = [tokens[at - 1], peek()];
    if (next?.kind !== "open" || !previous) return false;
    if (previous.kind === "close") return true;
    if (previous.kind !== "figure" || previous.to !== next.from) return false;
    const [inner, after] = [tokens[at + 1], tokens[at + 2]];
    // "1,200(2)" refers to a note.
    const isNote = inner?.kind === "figure" && after?.kind === "close" && isWhole(inner.figure);
    return !(isNote && isWhole(previous.figure));
  }

  function parsePower(): Range | null {
    const sign = isOperator("-", "+") ? tokens[at++] : undefined;
    const base = parseAtom();
    if (!base) return null;
    let value: Range = base;
    if (isOperator("^")) {
      at++;
      const isNegative = isOperator("-");
      if (isNegative) at++;
      const exponent = isNegative ? negate(parseAtom()) : parseAtom();
      if (
        !exponent ||
        exponent.low.abs().gt(MAX_EXPONENT) ||
        (base.low.lte(0) && !exponent.low.isInt())
      )
        return null;
      if (base.low.eq(0)) return null;
      computed = true;
      exact = false;
      value = combine(base, exponent, (a, b) => a.pow(b));
      if (!value.low.isFinite() || !value.high.isFinite()) return null;
    }
    return sign?.kind === "operator" && sign.text === "-" ? negate(value) : value;
  }

  function parseAtom(): Range | null {
    const token = peek();
    if (!token || depth > MAX_DEPTH) return null;
    if (token.kind === "figure") {
      at++;
      return toRange(token.figure, getMaxError);
    }
    if (token.kind === "open") return parseGroup();
    if (token.kind === "fraction") {
      at++;
      const top = parseGroup();
      const bottom = top && parseGroup();
      if (!top || !bottom || (bottom.low.lte(0) && bottom.high.gte(0))) return null;
      computed = true;
      exact = false;
      return combine(top, bottom, (a, b) => a.div(b));
    }
    if (token.kind === "root") {
      at++;
      const radicand = parseAtom();
      if (!radicand || radicand.low.lt(0)) return null;
      computed = true;
      exact = false;
      return { low: radicand.low.sqrt(), high: radicand.high.sqrt() };
    }
    return null;
  }

  function parseGroup(): Range | null {
    if (peek()?.kind !== "open") return null;
    at++;
    depth++;
    const value = parseSum();
    depth--;
    if (!value || peek()?.kind !== "close") return null;
    at++;
    return value;
  }

  const range = parseSum();
  return range && { range, isComputed: computed, isExact: exact, isMixed: mixed, end: at };
}

/** Returns whether a percentage is added to something that is neither one nor 1 itself. */
function mixesPercent(left: readonly Token[], right: readonly Token[]): boolean {
  const isBare = ([only, ...more]: readonly Token[]) =>
    only?.kind === "figure" && only.figure.isPercent && more.length === 0;
  const isFraction = (side: readonly Token[]) =>
    side.some((token) => token.kind === "figure" && token.figure.isPercent) ||
    (side.length === 1 && side[0]?.kind === "figure" && side[0].figure.value.eq(1));
  return (isBare(left) && !isFraction(right)) || (isBare(right) && !isFraction(left));
}

const isWhole = ({ unit, isPercent }: Figure) => unit.gte(1) && !isPercent;

const negate = (range: Range | null): Range | null =>
  range && { low: range.high.neg(), high: range.low.neg() };

function combine(a: Range, b: Range, compute: (a: Exact, b: Exact) => Exact): Range {
  const corners = [
    compute(a.low, b.low),
    compute(a.low, b.high),
    compute(a.high, b.low),
    compute(a.high, b.high),
  ];
  return { low: Exact.min(...corners), high: Exact.max(...corners) };
}

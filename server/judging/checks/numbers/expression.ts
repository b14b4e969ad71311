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

/** Words before which, or functions in which, figures are not plain operands. */
const NOT_PLAIN =
  /^(?:log|ln|exp|sin|cos|tan|mod|modulo|max|min|sum|avg|average|mean|median|round|rounded|floor|ceil|abs|less|over|root|negative|minus|squared|cubed|factorial|choose|percent|or|than|when|where|if|into|is|are|was|were|vs|versus|[\p{L}])$/iu;
/** Words that are plain only if no figure follows: "5 for 3" may be anything. */
const BEFORE_NOTE = /^(?:to|for|at|with|from|by|per|in|on|of|a|an|the|and|each)$/i;
/** Letters that are a unit right after a figure, and otherwise a variable. */
const VARIABLE_UNIT = /^(?:[smhd]|[gt]|[bl]|[LWV]|[AJB])$/;

/** Where a side of an equation is among all its sides. */
export type Place = "first" | "middle" | "last";

export const isLetters = (token: Token): boolean =>
  token.kind === "word" && /^\p{L}/u.test(token.text);

export const isOdd = (token: Token): boolean => token.kind === "word" && NOT_PLAIN.test(token.text);

/**
 * Removes units, labels and remarks in parentheses from one side of an equation. Returns null if it
 * contains a variable or function. On the last side, words end the calculation.
 */
export function selectOperands(side: readonly Token[], place: Place): Token[] | null {
  const isLast = place === "last";
  const tokens: Token[] = [];
  for (let at = 0; at < side.length; at++) {
    const token = side[at] as Token;
    const last = tokens.at(-1);
    const isAfterValue = last?.kind === "figure" || last?.kind === "close";
    if (token.kind === "other") {
      if (isLast && tokens.some(({ kind }) => kind === "figure")) break;
      return null;
    }
    if (token.kind === "open") {
      const close = findRemark(side, at, last);
      if (close > 0) {
        at = close;
        continue;
      }
      if (isLast && last?.kind === "figure" && last.to < token.from) break;
    }
    const next = side[at + 1];
    if (isOperator(token, "/") && next && isLetters(next)) {
      at++;
      continue;
    }
    if (token.kind !== "word") {
      tokens.push(token);
      continue;
    }
    if (!isLetters(token)) continue;
    if (isLast && isAfterValue && !continues(side, at)) break;
    if (isUnitAt(side, at)) continue;
    if (BEFORE_NOTE.test(token.text)) {
      const end = findNoteEnd(side, at);
      // In "a = 15 + 128 for b = 8", the note names what the next sign is about.
      if (end === 0 || (end === side.length && place === "middle")) return null;
      at = end - 1;
    } else if (isOdd(token)) return null;
  }
  return tokens;
}

const isOperator = (token: Token | undefined, text: string) =>
  token?.kind === "operator" && token.text === text;

/** Returns whether the word at `at` is a unit, as in "24 h × 30", rather than a variable. */
function isUnitAt(side: readonly Token[], at: number): boolean {
  const [before, token, after] = [side[at - 1], side[at], side[at + 1]];
  const isUnit = token?.kind === "word" && (VARIABLE_UNIT.test(token.text) || token.text === "min");
  return (
    isUnit &&
    before?.kind === "figure" &&
    token.from <= before.to + 1 &&
    (after === undefined || after.kind === "operator" || after.kind === "close")
  );
}

/** Returns whether an operator follows the words at `at`, so that they are a unit. */
function continues(side: readonly Token[], at: number): boolean {
  let next = at;
  while (side[next]?.kind === "word") next++;
  return side[next]?.kind === "operator";
}

/** Returns where the words of a note such as "for adults" end, or 0 if a figure follows them. */
function findNoteEnd(side: readonly Token[], at: number): number {
  let end = at + 1;
  while (side[end]?.kind === "word" && !isOdd(side[end] as Token)) end++;
  const after = side[end];
  const isPlain = after === undefined || after.kind === "operator" || after.kind === "close";
  return isPlain && (end > at + 1 || after === undefined) ? end : 0;
}

/** Returns the index of the parenthesis that closes a remark, or 0 if a calculation is in it. */
function findRemark(side: readonly Token[], open: number, previous: Token | undefined): number {
  let at = open + 1;
  let words = 0;
  let figures = 0;
  for (; at < side.length && side[at]?.kind !== "close"; at++) {
    const token = side[at] as Token;
    if (isLetters(token)) words++;
    else if (token.kind === "figure" && (token.figure.isYear || words > 0)) figures++;
    else if (token.kind !== "word") return 0;
  }
  const follows = previous?.kind === "figure" || previous?.kind === "close";
  return at < side.length && (words > 0 || (figures > 0 && follows)) ? at : 0;
}

/** One side of an equals sign. */
export interface Side {
  tokens: Token[];
  expression: Expression;
  /** Its only figure if it states one without computing. */
  figure: Figure | null;
  first: Figure | null;
  from: number;
  to: number;
}

export interface Comparison {
  isRight: boolean;
  /** Value of the side that is computed; a percentage is a fraction of one. */
  computed: Exact;
}

const MAX_HIDDEN = 6;
/** Up to here, a figure may be a number of times rather than what a percentage is of. */
const MAX_TIMES = 12;
const EXACTLY: GetMaxError = () => 0;
const ANY_ERROR: GetMaxError = () => Number.POSITIVE_INFINITY;

/**
 * Compares the two sides of an equation. `factors` are those by which they may differ because of
 * their units. Returns null if they cannot be compared.
 */
export function compareSides(
  left: Side,
  right: Side,
  isRough: boolean,
  factors: readonly number[],
): Comparison | null {
  // "12 × 3 = 36 + 4 = 40" goes on from 36.
  const stated = [right.figure, right.expression.isComputed ? right.first : null]
    .filter((figure) => figure !== null)
    .map((figure) => toRange(figure, ANY_ERROR));
  const candidates = [...stated, right.expression.range];
  const slack = getSlack(left, right, isRough);
  const allowed = [...factors, ...listPercentFactors(left, right)];
  const agreesWith = (range: Range) =>
    candidates.some((candidate) => agree(range, candidate, slack, allowed));
  const own = left.expression.range;
  const isRight = agreesWith(own);
  if (!isRight) {
    const isUnclear =
      (own.low.isZero() && own.high.isZero()) ||
      right.expression.isMixed ||
      left.expression.isMixed ||
      lacksBase(left, right);
    const tight = {
      left: Exact.min(slack.left, own.low.abs().mul(0.0005)),
      right: slack.right.div(2),
    };
    const agreesTightly = (range: Range) =>
      candidates.some((candidate) => agree(range, candidate, tight, factors));
    if (isUnclear || listHiddenPowers(left).some(agreesTightly)) return null;
    const reading = listOtherReadings(left).find(agreesWith);
    if (reading) return { isRight: true, computed: middle(reading) };
  }
  const computed = left.expression.isComputed ? own : right.expression.range;
  return { isRight, computed: middle(computed) };
}

const middle = ({ low, high }: Range) => low.plus(high).div(2);

const listFigures = (tokens: readonly Token[]): Figure[] =>
  tokens.flatMap((token) => (token.kind === "figure" ? [token.figure] : []));

interface Slack {
  left: Exact;
  right: Exact;
}

/** Allowed distance: the last digit shown, or half of it where nothing was rounded. */
function getSlack(left: Side, right: Side, isRough: boolean): Slack {
  const isExact = left.expression.isExact && right.expression.isExact && !isRough;
  const toSlack = ({ figure }: Side): Exact => {
    if (!figure) return new Exact(isExact ? 0 : 1e-9);
    const unit = isRough ? getRoughUnit(figure) : figure.unit;
    return (figure.isPercent ? unit.div(100) : unit).mul(isExact ? 0.5 : 1);
  };
  // Intermediate results are often rounded without notice.
  const relative = isExact ? 0 : left.expression.range.high.abs().mul(isRough ? 0.01 : 0.002);
  return { left: Exact.max(relative, toSlack(left)), right: toSlack(right) };
}

/** Zeros at the end of a rough figure are not exact digits. */
function getRoughUnit({ value, unit }: Figure): Exact {
  let rough = unit;
  while (!value.isZero() && value.mod(rough.mul(10)).isZero()) rough = rough.mul(10);
  return rough;
}

/** Percentages may be written without their sign. */
function listPercentFactors(left: Side, right: Side): number[] {
  const figures = listFigures([...left.tokens, ...right.tokens]);
  const hasHundred = figures.some(({ value }) => value.eq(100));
  const hasPercent = figures.some(({ isPercent }) => isPercent);
  const isSmall = right.figure !== null && (right.figure.isPercent || right.figure.value.lte(100));
  return hasHundred || (hasPercent && (isSmall || !right.figure)) ? [100, 0.01] : [];
}

/** Returns whether `b`, times one of the factors, agrees with `a`. */
function agree(a: Range, b: Range, slack: Slack, factors: readonly number[]): boolean {
  return factors.some((factor) => {
    const low = b.low.mul(factor);
    const high = b.high.mul(factor);
    const scaled = Exact.max(slack.left, slack.right.mul(factor));
    return (
      (a.low.minus(scaled).lte(high) && a.high.plus(scaled).gte(low)) ||
      // A loss may be stated without its sign.
      (a.low.minus(scaled).lte(low.neg()) && a.high.plus(scaled).gte(high.neg()))
    );
  });
}

/** Returns whether a percentage of an amount that is not shown was computed: "2 × 0.05% = 100". */
function lacksBase({ tokens, expression }: Side, { figure: result }: Side): boolean {
  const figures = listFigures(tokens);
  if (!result || result.isPercent || !expression.isExact) return false;
  if (!figures.some(({ isPercent }) => isPercent)) return false;
  return (
    figures.every(({ isPercent, value }) => isPercent || value.lte(MAX_TIMES)) && result.value.gt(1)
  );
}

const readExactly = (tokens: readonly Token[]): Range[] => {
  const range = parseExpression(tokens, 0, EXACTLY)?.range;
  // Almost nothing would agree with anything in millions.
  return range?.high.abs().gt(0.001) ? [range] : [];
};

/** Returns what a calculation gives with accounting parentheses, or with fractions as one value. */
const listOtherReadings = ({ tokens }: Side): Range[] =>
  [negateAccounting(tokens), groupFractions(tokens)].flatMap(readExactly);

/** Returns what a calculation gives if figures of it end with an exponent. */
function listHiddenPowers({ tokens }: Side): Range[] {
  const all = tokens.flatMap(({ kind }, index) => (kind === "figure" ? [index] : []));
  const places = all.slice(0, MAX_HIDDEN);
  const shown = new Set(listFigures(tokens).map(({ value }) => value.toFixed()));
  // "50 / 1.04 + 50 / 1.042 + 50 / 1.043" has 1.04² and 1.04³.
  const repeated = all.filter((place) => shown.has(readBase(tokens[place], 1)));
  const choices = [...places.map((place) => [place]), places, repeated];
  const positive = [1, 2].flatMap((length) =>
    choices.flatMap((chosen) =>
      readExactly(tokens.map((token, at) => (chosen.includes(at) ? raise(token, length) : token))),
    ),
  );
  return [...positive, ...readExactly(readTightMinus(tokens))];
}

/** Reads "1.09−4" in a calculation with spaces as 1.09⁻⁴. */
const readTightMinus = (tokens: readonly Token[]): Token[] =>
  tokens.flatMap((token, at): Token[] => {
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    const isTight =
      token.kind === "operator" &&
      token.text === "-" &&
      before?.kind === "figure" &&
      after?.kind === "figure" &&
      before.to === token.from &&
      token.to === after.from;
    return isTight ? [{ ...token, text: "^" }, token] : [token];
  });

/**
 * Takes the last `length` digits of a figure as its exponent, if it has more: canonical text shows
 * "1.05⁵" as "1.055".
 */
function raise(token: Token, length: number): Token {
  const base = readBase(token, length);
  if (token.kind !== "figure" || base === "" || base === "1") return token;
  const exponent = token.figure.value.toFixed().slice(-length);
  // "10,002" is not 100²: an exponent is never written as 02.
  if (!/^[1-9]\d*$/.test(exponent) || exponent === "1") return token;
  return { ...token, figure: { ...token.figure, value: new Exact(base).pow(Number(exponent)) } };
}

/** Returns a figure without its last digits; empty if it has no more. */
const readBase = (token: Token | undefined, length: number): string =>
  token?.kind === "figure" ? token.figure.value.toFixed().slice(0, -length).replace(/\.$/, "") : "";

/** Reads "1 ÷ 1/2" as 1 ÷ (1/2). */
function groupFractions(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, at): Token[] => {
    const isTight = (slash: Token | undefined, after: Token | undefined) =>
      slash?.kind === "operator" &&
      slash.text === "/" &&
      after?.kind === "figure" &&
      slash.to === after.from;
    const bracket = (kind: "open" | "close"): Token => ({
      kind,
      text: "",
      from: token.to,
      to: token.to,
    });
    if (token.kind !== "figure") return [token];
    if (isTight(tokens[at + 1], tokens[at + 2])) return [bracket("open"), token];
    return isTight(tokens[at - 1], token) ? [token, bracket("close")] : [token];
  });
}

/** Reads "(300)" as −300. */
const negateAccounting = (tokens: readonly Token[]): Token[] =>
  tokens.map((token, at) => {
    const isAlone = tokens[at - 1]?.kind === "open" && tokens[at + 1]?.kind === "close";
    return token.kind === "figure" && isAlone
      ? { ...token, figure: { ...token.figure, value: token.figure.value.neg() } }
      : token;
  });

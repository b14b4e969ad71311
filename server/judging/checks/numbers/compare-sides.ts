import {
  type Expression,
  type GetMaxError,
  parseExpression,
  type Range,
  type Token,
  toRange,
} from "./expression";
import { Exact, type Figure } from "./figures";

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
    const raised = addPercentagesOf(left);
    const isUnclear =
      (own.low.isZero() && own.high.isZero()) ||
      right.expression.isMixed ||
      (left.expression.isMixed && !raised) ||
      lacksBase(left, right);
    const tight = {
      left: Exact.min(slack.left, own.low.abs().mul(0.0005)),
      right: slack.right.div(2),
    };
    const agreesTightly = (range: Range) =>
      candidates.some((candidate) => agree(range, candidate, tight, factors));
    if (isUnclear || listHiddenPowers(left).some(agreesTightly)) return null;
    const reading = [raised, ...listOtherReadings(left)].find(
      (range) => range && agreesWith(range),
    );
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

/** Reads "80 + 5%" as 80 × (1 + 5%). Returns null if no percentage is added to an amount. */
function addPercentagesOf({ tokens, expression }: Side): Range | null {
  if (!expression.isMixed) return null;
  const percentages = tokens.filter((token) => token.kind === "figure" && token.figure.isPercent);
  const at = tokens.findIndex((token) => token.kind === "figure" && token.figure.isPercent);
  const [sign, percentage] = tokens.slice(at - 1, at + 1);
  const after = tokens[at + 1];
  if (percentages.length !== 1 || at < 2 || sign?.kind !== "operator" || !percentage) return null;
  if (!/^[+-]$/.test(sign.text) || (after?.kind === "operator" && !/^[+-]$/.test(after.text)))
    return null;
  const place = { from: sign.from, to: sign.to };
  const bracket = (kind: "open" | "close"): Token => ({ kind, text: "", ...place });
  const one = { ...(percentage.kind === "figure" ? percentage.figure : ({} as Figure)) };
  const whole: Token = { kind: "figure", figure: { ...one, value: new Exact(100) }, ...place };
  const rewritten: Token[] = [
    bracket("open"),
    ...tokens.slice(0, at - 1),
    bracket("close"),
    { kind: "operator", text: "*", ...place },
    bracket("open"),
    whole,
    sign,
    percentage,
    bracket("close"),
    ...tokens.slice(at + 1),
  ];
  const parsed = parseExpression(rewritten, 0, EXACTLY);
  return parsed && parsed.end === rewritten.length ? parsed.range : null;
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

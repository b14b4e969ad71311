import { computeSide, type NumberToken, type Side } from "./expression";
import { Exact, type Figure, readFigures } from "./figures";
import { type Token, tokenise, toPlain } from "./tokens";

/** A calculation that a text shows together with its result. */
export interface Equation {
  isRight: boolean;
  /** Value of the side that is computed; a percentage is a fraction of one. */
  computed: Exact;
  /** Offsets in the text. */
  from: number;
  to: number;
}

// cspell:ignore nicht statt falsch etwa rund
/** Sentences that show a calculation as a mistake, or in another kind of arithmetic. */
const NOT_CLAIMED =
  /\b(?:not|isn't|wrong(?:ly)?|incorrect(?:ly)?|mistakes?|mistaken(?:ly)?|errors?|instead|falsely|myth|would be|claims?|claimed|typo|slip|binary|hex|hexadecimal|octal|modulo|mod|base \d+|integer division|scale|map|rounded (?:down|up)|floor(?:ed)?|ceil(?:ing)?|remainder|bps|dozens?|clock|o'clock|weekdays?|should be|(?:you|they|he|she|client|invoice|sheet|draft|message|text|memo)s? (?:says?|states?|gives?|gave|shows?|reads?|writes?|wrote|lists?)|nicht|statt|falsch)\b|[≠✗✘❌]|~~|!=|\b1 ?\+ ?1 ?= ?3\b|\b2 ?\+ ?2 ?= ?5\b|\d\s*%\s*\d+\s*=/i;
const ROUGHLY =
  /\b(?:about|around|roughly|approximately|approx\.?|circa|ca\.|nearly|almost|some|etwa|rund)\s*$/i;
/** Words that change the calculation after them. */
const CHANGES_VALUE =
  /^(?:per|twice|double|triple|thrice|half|third|quarter|less|than|by|root|sqrt|log)$/i;
/** Amounts of tables may be in thousands or millions, those of sentences in full. */
const IN_THOUSANDS =
  /\b(?:thousands?|millions?|billions?|mn|bn|mm|mio)\b|['’]000|[$€£]\s?[mk]\b|\d\s?[mMkKbB]\b/;
const STATED_AS_RESULT =
  /(?:[=≈→]|\b(?:about|around|roughly|approximately|nearly|almost|is|was|of|to|by|at))[\s*$€£\\(]{0,4}[-−]?$/i;
const MAX_EQUATIONS = 500;
const MAX_TOKENS = 60;
/** How far off an estimate may be, and a power read from lost superscripts. */
const ROUGH_SHARE = 0.1;
const POWER_SHARE = 0.02;
// cspell:ignore heure hora stunden gerundet arrondi redonde arredond schritt woche
/** Texts in which whole figures may be rounded too. */
const ROUNDS = /\b(?:round(?:ed|ing)|gerundet|arrondi|redonde|arredond)|四捨五入|四舍五入/i;
/** Words before a number that is a name, or only part of a quantity: "Phase 1 + 2", "9 h 50 min". */
const NUMBERED =
  /^(?:phase|step|item|row|line|note|part|week|day|month|year|quarter|level|option|plan|room|unit|no|chapter|clause|stage|tier|group|class|team|store|shop|lot|nr|schritt|tag|woche|h|hr|hour|min|std|stunden|heure|hora|ft|feet|lb)s?$/i;
/** A larger factor between both sides is no mistake in arithmetic, but another unit or notation. */
const MAX_FACTOR = 1_000;
const MAX_POWERS = 5;

/** Recomputes the calculations in a text. Figures that the task states count as exact. */
export function findEquations(text: string, task: string): Equation[] {
  const plain = toPlain(text);
  if (!/[=≈]/.test(plain)) return [];
  const tokens = tokenise(plain);
  const isScaled = IN_THOUSANDS.test(plain) || IN_THOUSANDS.test(task);
  const getError = createGetError(plain, task);
  const given = removeSpaces(toPlain(task));
  const equals = tokens.flatMap((token, index) => (token.kind === "equals" ? [index] : []));
  return equals.slice(0, MAX_EQUATIONS).flatMap((at): Equation[] => {
    const [before, after] = [takeBefore(tokens, at), takeAfter(tokens, at)];
    if (NOT_CLAIMED.test(readSentence(plain, before, after))) return [];
    const left = findLeft(before, plain, getError);
    const right = computeSide(after, 0, false, { getError });
    if (!left || !right || !(left.isComputed || right.isComputed)) return [];
    if (isNoCalculation(right, after, plain)) return [];
    if (isQuoted(plain, left.from, right.to, given)) return [];
    const token = tokens[at];
    const isRough =
      (token?.kind === "equals" && token.isRough) ||
      ROUGHLY.test(plain.slice(0, right.from).slice(-20));
    const tolerance = isRough ? ROUGH_SHARE : 0;
    const hasMoney = [...left.numbers, ...right.numbers].some(({ figure }) => figure.isMoney);
    const hasPrefix = METRIC_UNIT.test(plain.slice(right.to, right.to + 8));
    const factors = hasScale([left, right]) || (isScaled && hasMoney) || hasPrefix ? SCALES : [1];
    const isRight = matches(left, right, tolerance, factors) || continues(left, right, tolerance);
    if (!isRight && hasOtherReading(plain, before, left, right, factors)) return [];
    const computed = new Exact(left.isComputed ? left.value : right.value);
    return [{ isRight, computed, from: left.from, to: right.to }];
  });
}

const removeSpaces = (text: string) => text.replace(/[\s*_]/g, "").toLowerCase();

/** Returns whether an equation is in quotation marks, or stands in the task. */
const isQuoted = (text: string, from: number, to: number, task: string): boolean =>
  (/["“„«]$/.test(text.slice(0, from)) && /^[.!?]?["”“»]/.test(text.slice(to))) ||
  task.includes(removeSpaces(text.slice(from, to)));

/** A unit with a prefix: the figures before it may be in the unit without it. */
const METRIC_UNIT = /^[\s*]{0,3}(?:[kKMGT]i?[Bb]|[kMGT]Wh?|[km]g|[km]m|ml|t)\b/;
const SCALES = [1, 1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9];
const hasScale = (sides: readonly Side[]) =>
  sides.some(({ numbers }) => numbers.some(({ figure }) => !figure.scale.eq(1)));

/** A figure with decimals may be rounded unless the task gives it; so may one that the text states as a result. */
function createGetError(text: string, task: string): (token: NumberToken) => number {
  const toKey = ({ value, isPercent }: Figure) => `${value.toFixed()}${isPercent ? "%" : ""}`;
  const given = new Set(
    readFigures(task).flatMap((figure) => {
      const share = figure.isPercent ? figure.value.div(100) : null;
      const forms = share ? [share, share.plus(1), share.minus(1).abs()] : [];
      return [toKey(figure), ...forms.map((value) => value.toFixed())];
    }),
  );
  const doesRound = ROUNDS.test(text) || ROUNDS.test(task);
  const results = new Map<string, number>();
  for (const figure of readFigures(text)) {
    const isResult = STATED_AS_RESULT.test(text.slice(Math.max(0, figure.from - 20), figure.from));
    const key = toKey(figure);
    if (isResult && !results.has(key)) results.set(key, figure.from);
  }
  return ({ figure }) => {
    const key = toKey(figure);
    const isRounded =
      doesRound ||
      figure.isPercent ||
      !figure.unit.eq(1) ||
      (results.get(key) ?? figure.from) < figure.from;
    return given.has(key) || !isRounded ? 0 : getUnit(figure) / 2;
  };
}

/** Place value of the last digit shown; a percentage is a fraction of one. */
const getUnit = ({ unit, isPercent }: Figure): number => unit.toNumber() / (isPercent ? 100 : 1);

function takeBefore(tokens: readonly Token[], at: number): Token[] {
  let start = at;
  while (start > 0 && at - start < MAX_TOKENS && !isBound(tokens[start - 1])) start -= 1;
  return tokens.slice(start, at);
}

function takeAfter(tokens: readonly Token[], at: number): Token[] {
  let end = at + 1;
  while (end < tokens.length && end - at < MAX_TOKENS && !isBound(tokens[end])) end += 1;
  return tokens.slice(at + 1, end);
}

const isBound = (token: Token | undefined) => token?.kind === "equals" || token?.kind === "break";

/** Returns the text from the start of the sentence to 40 characters after the equation. */
function readSentence(text: string, before: readonly Token[], after: readonly Token[]): string {
  const start = before[0]?.from ?? after[0]?.from ?? 0;
  const line = text.slice(Math.max(text.lastIndexOf("\n", start) + 1, start - 200), start);
  return (line.split(/[.!?]\s/).at(-1) ?? "") + text.slice(start, (after.at(-1)?.to ?? start) + 40);
}

/** Finds the longest calculation that ends at the equals sign, after its label. */
function findLeft(
  tokens: readonly Token[],
  text: string,
  getError: (token: NumberToken) => number,
): Side | null {
  for (let start = 0; start < tokens.length; start += 1) {
    const token = tokens[start];
    const previous = tokens[start - 1];
    if (token?.kind !== "number" && token?.kind !== "open") continue;
    if (previous?.kind === "word" && NUMBERED.test(previous.text)) return null;
    const isLabelled = previous?.kind === "word" && !CHANGES_VALUE.test(previous.text);
    const isStart =
      previous === undefined || isLabelled || previous.kind === "open" || previous.kind === "close";
    if (!isStart) continue;
    const side = computeSide(tokens, start, true, { getError });
    if (!side) continue;
    // A figure after words is a label.
    if (!side.isComputed && previous) return null;
    return isNoCalculation(side, tokens.slice(start), text) ? null : side;
  }
  return null;
}

/** Returns whether a side is a range, a date, years, or a power whose superscript is lost. */
function isNoCalculation(side: Side, tokens: readonly Token[], text: string): boolean {
  const { numbers, isComputed } = side;
  if (!isComputed) return false;
  const source = text.slice(side.from, side.to);
  const isTight = (token: Token) =>
    token.kind === "operator" && !token.isSpaced && !/\s/.test(text[token.to] ?? "");
  const signs = tokens.filter(({ kind }) => kind === "operator");
  const tight = signs.filter(isTight);
  const hasTightMinus = tight.some((token) => token.kind === "operator" && token.sign === "-");
  const [first, second, ...more] = numbers;
  const isRange = first && second && more.length === 0 && first.value < second.value;
  return (
    numbers.every(({ figure }) => figure.isYear) ||
    source === "24/7" ||
    /\d\/\d{1,2}\/\d/.test(source) ||
    (/÷/.test(source) && /\//.test(source)) ||
    (hasTightMinus && (tight.length < signs.length || isRange === true))
  );
}

/** Returns whether both sides are equal within what their figures show, in any usual notation. */
function matches(left: Side, right: Side, tolerance: number, factors: readonly number[]): boolean {
  const isPercent = [...left.numbers, ...right.numbers].some(({ figure }) => figure.isPercent);
  const states = (side: Side) => !side.isComputed && side.numbers[0]?.figure.isPercent === true;
  // "7% − 10% = −3" is stated in percentage points.
  const isOfPercents = [left, right].some(
    ({ isComputed, numbers }) => isComputed && numbers.every(({ figure }) => figure.isPercent),
  );
  const isEither = states(left) || states(right) || isOfPercents || !isPercent;
  const hundreds = isEither ? [1, 100, 0.01] : [1];
  return factors.some((factor) =>
    hundreds.some((hundred) => isNear(left, right, factor * hundred, tolerance)),
  );
}

function isNear(left: Side, right: Side, factor: number, tolerance: number): boolean {
  const [stated, computed] = left.isComputed ? [right, left] : [left, right];
  const slack = Math.max(...stated.numbers.map(({ figure }) => getUnit(figure)));
  const [low, high] = [computed.low * factor, computed.high * factor];
  return [1, -1].some((sign) => {
    const value = stated.isComputed ? stated.value : stated.value * sign;
    const gap = Math.max(low - value, value - high, 0);
    // A result may be rounded or cut off, so the last digit may differ by less than one.
    const isRounded = gap < slack * (1 - 1e-6) || gap <= Math.abs(value) * 1e-9;
    return isRounded || gap < Math.abs(value) * tolerance;
  });
}

/** Returns whether the next step goes on from the result, as in "12 × 3 = 36 + 4 = 40". */
function continues(left: Side, right: Side, tolerance: number): boolean {
  const [first] = right.numbers;
  if (!right.isComputed || !first) return false;
  const { value } = first;
  return isNear(
    left,
    { ...right, isComputed: false, low: value, high: value, value, numbers: [first] },
    1,
    tolerance,
  );
}

// cspell:ignore inche kmgt

const UNIT =
  /^(?:[kcm]?m|mile|mi|foot|feet|ft|inche?|yard|k?g|lb|ton|tonne|oz|ounce|pound|m?l|lit(?:er|re)|gal(?:lon)?|cup|h|hr|hour|min|minute|m?s|sec|second|day|week|month|mo|quarter|year|yr|k?wh?|[kmgt]b|byte|bit|eur|usdc?|gbp|chf|cent|dollar|euro|pair)$/;

const isMistake = (ratio: number) => ratio < MAX_FACTOR && ratio > 1 / MAX_FACTOR;

const CURRENCY = /[$€£¥₹]|\b(?:USDC?|EUR|GBP|CHF|JPY)\b/g;

/** Returns whether a difference may come from the notation, or is too large for a mistake. */
function hasOtherReading(
  text: string,
  before: readonly Token[],
  left: Side,
  right: Side,
  factors: readonly number[],
): boolean {
  const ratio = Math.abs(left.value / right.value);
  const units = new Set([...left.words, ...right.words].filter((word) => UNIT.test(word)));
  const currencies = new Set(text.slice(Math.max(0, left.from - 2), right.to).match(CURRENCY));
  return (
    units.size > 1 ||
    currencies.size > 1 ||
    !factors.some((factor) => isMistake(ratio * factor)) ||
    hasFootnote(left, right) ||
    hidesPower(before, left, right)
  );
}

/** Returns whether the result is right without its last digit, which may be the number of a footnote. */
function hasFootnote(left: Side, right: Side): boolean {
  const [stated] = right.numbers;
  if (right.isComputed || !stated) return false;
  const digits = stated.figure.value.toFixed(stated.figure.unit.decimalPlaces());
  return /[1-9]$/.test(digits) && Number(digits.slice(0, -1)) === Math.abs(left.value);
}

const MAX_EXPONENT = 60;

/** Returns whether the result is right if the last digits of some figures are an exponent: "1.05⁵" as "1.055". */
function hidesPower(before: readonly Token[], left: Side, right: Side): boolean {
  const isProduct = before.some((token) => token.kind === "operator" && /[*/^]/.test(token.sign));
  const candidates = left.numbers.flatMap((token) =>
    [1, 2].flatMap((length) => {
      const digits = token.figure.value.toFixed(token.figure.unit.decimalPlaces());
      const exponent = Number(digits.slice(-length));
      const base = Number(digits.slice(0, -length));
      const isPossible =
        exponent >= (length === 1 ? 2 : 10) && exponent <= MAX_EXPONENT && base > 0;
      return isPossible ? [{ token, value: base ** exponent }] : [];
    }),
  );
  if (!isProduct || candidates.length > MAX_POWERS) return false;
  const start = before.findIndex(({ from }) => from === left.from);
  return Array.from({ length: 2 ** candidates.length - 1 }, (_, n) => n + 1).some((mask) => {
    const used = candidates.filter((_, index) => (mask >> index) & 1);
    const replaced = new Map(used.map(({ token, value }) => [token, value]));
    const side = computeSide(before, start, true, { getError: () => 0, replaced });
    return side !== null && isNear(side, right, 1, POWER_SHARE);
  });
}

import type { Token } from "./tokens";

/** One side of an equation that could be computed. */
export interface Side {
  /** The lowest and the highest value, since figures may be rounded. */
  low: number;
  high: number;
  /** Value without rounding of figures. */
  value: number;
  /** Whether it has an operator. */
  isComputed: boolean;
  /** Its figures, in order. */
  numbers: NumberToken[];
  /** Units and other words, in lower case and without plural. */
  words: string[];
  from: number;
  to: number;
}
export type NumberToken = Extract<Token, { kind: "number" }>;

/** How a figure may be read. */
export interface Reading {
  /** Half of what the figure may be off, in its own unit. */
  getError(token: NumberToken): number;
  /** Other values for figures, such as a power that lost its superscript. */
  replaced?: ReadonlyMap<NumberToken, number>;
}

/** Thrown if the tokens are no calculation. */
class NotComputable extends Error {}

type Interval = { low: number; high: number; value: number; isPercent: boolean };

const MAX_DEPTH = 20;
const MAX_UNIT_WORDS = 3;
const UNIT = /^(?:\p{Ll}+|EUR|USD|USDC|GBP|CHF)$/u;

/**
 * Computes tokens from `start` on: all of them if `mustEnd`, else as many as belong together. Returns
 * null if they are no calculation.
 */
export function computeSide(
  tokens: readonly Token[],
  start: number,
  mustEnd: boolean,
  reading: Reading,
): Side | null {
  const parser = new Parser(tokens, start, reading);
  try {
    const { low, high, value } = parser.readSum(0);
    if (mustEnd && parser.at < tokens.length) return null;
    const used = tokens.slice(start, parser.at);
    const [first] = used;
    const last = used.at(-1);
    if (!first || !last || !Number.isFinite(low) || !Number.isFinite(high)) return null;
    return {
      low,
      high,
      value,
      isComputed: parser.isComputed,
      numbers: parser.numbers,
      words: parser.words,
      from: first.from,
      to: last.to,
    };
  } catch (error) {
    if (error instanceof NotComputable) return null;
    throw error;
  }
}

/** Reads sums of products of powers, by precedence. */
class Parser {
  isComputed = false;
  readonly numbers: NumberToken[] = [];
  readonly words: string[] = [];
  constructor(
    private readonly tokens: readonly Token[],
    public at: number,
    private readonly reading: Reading,
  ) {}

  readSum(depth: number): Interval {
    if (depth > MAX_DEPTH) throw new NotComputable();
    let left = this.readProduct(depth);
    for (let sign = this.takeSign("+", "-"); sign; sign = this.takeSign("+", "-")) {
      const right = this.readProduct(depth);
      // "120 + 10%" has two readings.
      if (left.isPercent !== right.isPercent) throw new NotComputable();
      left =
        sign === "+"
          ? combine(left, right, (a, b) => a + b)
          : combine(left, right, (a, b) => a - b);
    }
    return left;
  }

  private readProduct(depth: number): Interval {
    let left = this.readPower(depth);
    for (let sign = this.takeFactor(); sign; sign = this.takeFactor()) {
      const right = sign === "implicit" ? positive(this.readPower(depth)) : this.readPower(depth);
      const divides = sign === "/";
      if (divides && right.low <= 0 && right.high >= 0) throw new NotComputable();
      const product = combine(left, right, divides ? (a, b) => a / b : (a, b) => a * b);
      left = { ...product, isPercent: !divides && left.isPercent && right.isPercent };
    }
    return left;
  }

  private readPower(depth: number): Interval {
    const base = this.readOperand(depth);
    if (!this.takeSign("^")) return base;
    const exponent = this.readOperand(depth);
    return combine(base, exponent, (a, b) => a ** b);
  }

  private readOperand(depth: number): Interval {
    const token = this.tokens[this.at];
    this.at += 1;
    if (token?.kind === "open") {
      const inner = this.readSum(depth + 1);
      if (this.tokens[this.at]?.kind !== "close") throw new NotComputable();
      this.at += 1;
      this.skipUnits();
      return inner;
    }
    if (token?.kind === "operator" && token.sign === "-") {
      return combine(this.readOperand(depth + 1), ZERO, (a) => -a);
    }
    if (token?.kind !== "number") throw new NotComputable();
    this.numbers.push(token);
    this.skipUnits();
    const { isPercent } = token.figure;
    const value = this.reading.replaced?.get(token) ?? token.value;
    const error = this.reading.getError(token);
    return { low: value - error, high: value + error, value, isPercent };
  }

  /** Skips words after a figure, "/hour", and a year in brackets, if the calculation goes on or ends after them. */
  private skipUnits(): void {
    let at = this.at;
    const words: string[] = [];
    for (let token = this.tokens[at]; token; token = this.tokens[at]) {
      const next = this.tokens[at + 1];
      if (token.kind === "word" && UNIT.test(token.text) && words.length < MAX_UNIT_WORDS) {
        words.push(token.text);
      } else if (
        !(token.kind === "operator" && token.sign === "/" && next?.kind === "word") &&
        !this.isYearInBrackets(at)
      ) {
        break;
      } else if (token.kind === "open") at += 2;
      at += 1;
    }
    const next = this.tokens[at];
    if (next?.kind === "number" || next?.kind === "open" || next?.kind === "other") {
      // The right side ends before words that another figure follows.
      if (words.length === 0) return;
      at = this.at;
    } else this.words.push(...words.map((word) => word.toLowerCase().replace(/(?<=..)s$/, "")));
    this.at = at;
  }

  private isYearInBrackets(at: number): boolean {
    const [open, year, close] = this.tokens.slice(at, at + 3);
    return (
      open?.kind === "open" &&
      open.isSpaced &&
      year?.kind === "number" &&
      year.figure.isYear &&
      close?.kind === "close"
    );
  }

  private takeSign<Sign extends string>(...signs: Sign[]): Sign | null {
    const token = this.tokens[this.at];
    if (token?.kind !== "operator" || !signs.some((sign) => sign === token.sign)) return null;
    this.at += 1;
    this.isComputed = true;
    return token.sign as string as Sign;
  }

  private takeFactor(): "*" | "/" | "implicit" | null {
    const token = this.tokens[this.at];
    const previous = this.tokens[this.at - 1];
    if (token?.kind === "open" && !token.isSpaced && previous?.kind === "number") {
      this.isComputed = true;
      return "implicit";
    }
    // Only a share is of something.
    const isShare = previous?.kind === "number" && previous.figure.isPercent;
    const sign = this.takeSign("*", "/", ...(isShare ? (["of"] as const) : []));
    return sign === "of" ? "*" : sign;
  }
}

const ZERO: Interval = { low: 0, high: 0, value: 0, isPercent: false };

/** A bracket around one figure, which elsewhere makes it negative. */
const positive = (one: Interval): Interval =>
  one.high < 0 ? { ...one, low: -one.high, high: -one.low, value: -one.value } : one;

function combine(
  left: Interval,
  right: Interval,
  apply: (a: number, b: number) => number,
): Interval {
  const ends = [left.low, left.high].flatMap((a) =>
    [right.low, right.high].map((b) => apply(a, b)),
  );
  return {
    low: Math.min(...ends),
    high: Math.max(...ends),
    value: apply(left.value, right.value),
    isPercent: left.isPercent && right.isPercent,
  };
}

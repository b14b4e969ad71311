import { Decimal } from "decimal.js";

/** Precise enough for compound growth over decades. */
export const Exact = Decimal.clone({ precision: 40, maxE: 400, minE: -400 });
export type Exact = Decimal;

/** A number as a text states it. */
export interface Figure {
  /** Without sign and without percent; "5.2 million" is 5200000. */
  value: Exact;
  /** Place value of the last digit shown: 0.1 for "14.1", 100000 for "5.2 million". */
  unit: Exact;
  /** Factor of a scale word: 1000000 for "5.2 million", otherwise 1. */
  scale: Exact;
  isPercent: boolean;
  isMoney: boolean;
  /** Whether a minus sign or accounting parentheses make it negative. */
  isNegative: boolean;
  /** Whether it may be a calendar year. */
  isYear: boolean;
  /** Offsets in the text, without the sign and with currency, percent sign and scale word. */
  from: number;
  to: number;
}

const MAX_FIGURES = 5_000;

const CURRENCY =
  "(?:US\\$|A\\$|C\\$|R\\$|HK\\$|\\\\?\\$|€|£|¥|₹|(?:USDC?|EUR|GBP|CHF|JPY|INR|RMB)\\s)";
const SCALE_WORDS: Record<string, string> = {
  thousand: "1e3",
  thousands: "1e3",
  k: "1e3",
  million: "1e6",
  millions: "1e6",
  mn: "1e6",
  mm: "1e6",
  m: "1e6",
  billion: "1e9",
  billions: "1e9",
  bn: "1e9",
  b: "1e9",
  trillion: "1e12",
  tn: "1e12",
};
/**
 * "m", "mm" and "b" scale only an amount of money; elsewhere they may be metres or bytes. "20.5x" is
 * a multiple.
 */
const FIGURE = new RegExp(
  `(?<![\\p{L}\\p{N}_.,:#])(${CURRENCY}\\s?)?(\\d{1,3}(?:(?:,|\\{,\\})\\d{3})+(?!\\d)|\\d{1,18})(\\.\\d{1,18})?(?:\\s?(\\\\?%|percent\\b|per cent\\b|pct\\b)|(k(?![\\p{L}\\p{N}])|[\\s-]?(?:thousands?|millions?|billions?|trillion|bn|mn|tn|mm|[mb])(?![\\p{L}\\p{N}])))?(?!(?!(?<=\\.\\d{1,9})x(?![\\p{L}\\p{N}]))[\\p{L}\\p{N}_]|[.,:]\\d)`,
  "giu",
);
const NEEDS_MONEY = /^(?:m|mm|b)$/;

/** Returns the numbers that a text states in digits, in order. */
export function readFigures(text: string): Figure[] {
  const figures: Figure[] = [];
  for (const match of toDecimalPoints(text).matchAll(FIGURE)) {
    const [whole, currency, integer = "", fraction = "", percent, suffix = ""] = match;
    const isMoney = currency !== undefined;
    const scaleWord = suffix.replace(/^[\s-]/, "").toLowerCase();
    const isScale = isMoney || !NEEDS_MONEY.test(scaleWord);
    const scale = new Exact((isScale && SCALE_WORDS[scaleWord]) || 1);
    const digits = integer.replace(/[^\d]/g, "");
    const from = match.index;
    const to = from + whole.length - (isScale ? 0 : suffix.length);
    figures.push({
      value: new Exact(digits + fraction).mul(scale),
      unit: new Exact(10).pow(-Math.max(0, fraction.length - 1)).mul(scale),
      scale,
      isPercent: percent !== undefined,
      isMoney,
      isNegative: isNegativeAt(text, from, to),
      isYear:
        /^(?:19|20)\d\d$/.test(integer) &&
        !fraction &&
        percent === undefined &&
        !isMoney &&
        scale.eq(1),
      from,
      to,
    });
    if (figures.length === MAX_FIGURES) break;
  }
  return figures;
}

/** Returns the value with its sign; a percentage is a fraction of one. */
export function toSigned({ value, isNegative, isPercent }: Figure): Exact {
  const magnitude = isPercent ? value.div(100) : value;
  return isNegative ? magnitude.neg() : magnitude;
}

/** Writes a value with at most six significant digits more than a reader needs. */
export function formatExact(value: Exact): string {
  return value
    .toSignificantDigits(8)
    .toFixed()
    .replace(/\B(?=(\d{3})+(?!\d)(?<!\.\d*))/g, ",");
}

function isNegativeAt(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 4), from);
  // A spaced dash after a word or figure is punctuation or a subtraction.
  if (/(?:^|[\s(|:=,;"'[*$€£])[-−–]$/.test(before) || /[(|:=,;"'[$€£]\s?[-−–]\s?$/.test(before))
    return true;
  return /\(\s?$/.test(before) && /^\s?\)/.test(text.slice(to, to + 2));
}

/**
 * Replaces decimal commas by points, and points between thousands by commas, if the text uses
 * decimal commas. The length stays the same.
 */
export function toDecimalPoints(text: string): string {
  const commas = text.match(/\d,\d{1,2}(?![\d,)])|\d\.\d{3},\d/g)?.length ?? 0;
  if (commas === 0) return text;
  const points = text.match(/\d\.\d{1,2}(?![\d.])|\d,\d{3}(?:\.\d|,\d{3})/g)?.length ?? 0;
  if (points * 2 >= commas) return text;
  return text.replace(
    /(\d)([.,])(?=\d)/g,
    (_, digit: string, mark: string) => `${digit}${mark === "," ? "." : ","}`,
  );
}

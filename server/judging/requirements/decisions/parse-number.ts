import { Decimal } from "decimal.js";

/** More digits than any amount has; arithmetic on them would take long. */
const MAX_LENGTH = 60;
const Exact = Decimal.clone({ precision: 100 });

const NUMBER =
  /^(?<sign>[-+−–]?)\s?(?<currency>[$€£¥₹]|[A-Z]{3}\s)?\s?(?<inner>[-−–]?)(?<digits>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?<exponent>[eE][-+]?\d{1,2})?\s?(?:%|[$€£¥₹]|[A-Z]{3})?$/;

/**
 * Reads a number as people write it: `1,234.50`, `$12`, `-3 %`, `(5)` for a negative one. Returns null
 * for anything else, such as a comma as decimal mark.
 */
export function parseNumber(written: string | number): Decimal | null {
  if (typeof written === "number") return Number.isFinite(written) ? new Exact(written) : null;
  const text = written.trim();
  if (text.length > MAX_LENGTH) return null;
  const bracketed = /^\(([^()]+)\)$/.exec(text)?.[1];
  const groups = NUMBER.exec(bracketed ?? text)?.groups;
  if (!groups) return null;
  const { sign = "", inner = "", digits = "", exponent = "" } = groups;
  const amount = new Exact(digits.replaceAll(",", "") + exponent);
  const minuses = [sign, inner].filter((mark) => mark !== "" && mark !== "+").length;
  if (minuses > 1 || (bracketed !== undefined && minuses > 0)) return null;
  return minuses === 1 || bracketed !== undefined ? amount.neg() : amount;
}

import type { Equation } from "./equations";
import { Exact } from "./figures";

/** A fraction followed by the same in percent: "0.105 = 10.5%", "0.105 (10.5%)", "0.105, or 10.5%". */
const FRACTION_AND_PERCENT =
  /(?<![\d.,])0?\.(\d{2,8})(?!\d)[*\s]{0,4}(?:(?:=|≈|→|,? or|,? i\.e\.,?|,? which is|,? that is)[\s*]{0,4}(?:about |roughly |approximately )?(\d{1,3}(?:\.\d{1,4})?)\s?\\?%(?=[*]{0,3}(?:[.,;)\s]|$))(?!\s*(?:of|and|or|to|[-–])\b)|\((?:about |≈ ?)?(\d{1,3}(?:\.\d{1,4})?)\s?\\?%\))/g;
/** The end of a quotient; after a difference, as in "3.05 − 2.95 = 0.10 (3.4%)", both can be right. */
const QUOTIENT = /(?:[/÷]|frac)[^\n=≈]{0,60}[=≈][\s*]{0,4}$/;
const NOT_SAME = /\b(?:not|instead|wrong|mistake)\b/i;
const CONTEXT = 120;

/** Compares quotients that a text states as a fraction with their statement in percent. */
export function findPercentForms(text: string): Equation[] {
  return [...text.matchAll(FRACTION_AND_PERCENT)].flatMap((match): Equation[] => {
    const [whole, decimals = "", following, inBrackets] = match;
    const from = match.index;
    const before = text.slice(Math.max(0, from - CONTEXT), from);
    if (!QUOTIENT.test(before) || NOT_SAME.test(before)) return [];
    const fraction = new Exact(`0.${decimals}`);
    const percent = following ?? inBrackets ?? "";
    const places = percent.split(".")[1]?.length ?? 0;
    // Either may be rounded or cut off.
    const slack = Exact.max(new Exact(10).pow(2 - decimals.length), new Exact(10).pow(-places)).mul(
      1.001,
    );
    const difference = fraction.mul(100).minus(percent).abs();
    return [{ isRight: difference.lte(slack), computed: fraction, from, to: from + whole.length }];
  });
}

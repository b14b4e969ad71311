import { replaceFencedBlocks } from "./layout";

/** Replaces code, long quotations and other material that is left out. */
const OMISSION = "…";
/** A quotation of at least this many characters is material, not a phrase that a task requires. */
const MIN_MATERIAL_QUOTE = 120;
const QUOTATION = /"[^"]{0,20000}"|“[^“”]{0,20000}”|«[^«»]{0,20000}»|„[^„“”]{0,20000}[“”]/g;

/** Returns a task without its code, block quotations and long quotations. */
export const extractProse = (task: string): string =>
  replaceFencedBlocks(task, OMISSION)
    .replace(/^[ \t]*>.*$/gm, "")
    .replace(/("""|''')[\s\S]{0,50000}?\1/g, OMISSION)
    .replace(QUOTATION, (quote) => (quote.length < MIN_MATERIAL_QUOTE ? quote : OMISSION));

/** A line break, or punctuation that ends a sentence, also inside quotation marks. */
const SENTENCE_END =
  /\n|(?<=[.!?;])(?<!\b(?:[Mm]ax|[Mm]in|approx|Approx|ca|vs|[Mm]rs?|[Mm]s|[Dd]r)\.)\s+|(?<=[.!?]["”’)*]{1,2})\s+(?=[A-Z])/;

/** Splits text into sentences and lines, without list markers. */
export function splitSentences(text: string): string[] {
  return text
    .replace(/\b([ei])\.([ge])\.,?/gi, "$1$2")
    .replace(/^[ \t]*(?:[-*•#]+|\(?\d{1,4}[.)]|\([a-z]{1,3}\))[ \t]+/gm, "")
    .split(SENTENCE_END)
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
}

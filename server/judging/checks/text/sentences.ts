import { replaceFencedBlocks } from "./layout";
import { remember } from "./remember";

/** Replaces code, long quotations and other material that is left out. */
const OMISSION = "…";
/** A quotation of at least this many characters is material, not a phrase that a task requires. */
const MIN_MATERIAL_QUOTE = 120;
const QUOTATION = /"[^"]{0,20000}"|“[^“”]{0,20000}”|«[^«»]{0,20000}»|„[^„“”]{0,20000}[“”]/g;

/** Returns a task without its code, block quotations and long quotations. */
export const extractProse = remember((task: string): string =>
  replaceFencedBlocks(task, OMISSION)
    .replace(/^[ \t]*>.*$/gm, "")
    .replace(/("""|''')[\s\S]{0,50000}?\1/g, OMISSION)
    .replace(QUOTATION, (quote) => (quote.length < MIN_MATERIAL_QUOTE ? quote : OMISSION)),
);

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

const ASKS_FOR_CODE =
  /^(?:please |now |then |can you |could you |i (?:want|need) you to |you are to |your task is to )?(?:write|implement|create|build|code|develop|provide|refactor|port|rewrite|complete|define|design|fix|give me|generate|make|program)\b[^.]{0,80}?\b(?:functions?|scripts?|programs?|modules?|class|component|code|implementation|cli|package|snippet|endpoint|hook|middleware|methods?|decorator|solution in \w+|app|api|parser|query|queries)\b/i;
/** Matches a function to complete at the start of a line. */
const HAS_STUB = /^(?:def \w+\(.*:|(?:export )?(?:async )?function \w+\()\s*$/m;

/** Returns whether the task plainly asks for code, not for text about code. */
export function asksForCode(task: string): boolean {
  return (
    splitSentences(extractProse(task)).some((text) => ASKS_FOR_CODE.test(text)) ||
    HAS_STUB.test(task)
  );
}

/** Matches tasks that hand over a program to complete, review or change. */
export const CONTAINS_CODE =
  /```|^[ \t]{0,40}(?:def \w+\(|class \w+|function \w+\(|import \w+|from \w+ import|#include|public class|(?:const|let|var) \w+ =)/m;

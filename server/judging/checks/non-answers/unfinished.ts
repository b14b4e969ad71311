import {
  type CheckResult,
  createGeneralRequirement,
  type TextCheck,
} from "@/server/judging/checks/check";
import { extractFencedBlocks } from "@/server/judging/checks/text/layout";
import { tokenise } from "./prose";

/** Words that no finished sentence of prose ends with. */
const CONNECTORS = new Set(
  "and or the a an because their its your our my whose including between than although whereas if while every of with from into und oder der die das ein eine weil y o el la los las que porque et ou le les des une parce e il che os um uma".split(
    " ",
  ),
);
/** Tasks whose answer may end in the middle of a sentence, or that prescribe how it ends. */
const MAY_END_OPENLY =
  /\b(?:poems?|poetry|songs?|lyrics|raps?|haikus?|limericks?|titles?|headlines?|slogans?|cliff-?hanger|unfinished|incomplete|without (?:any )?(?:punctuation|periods?|full stops?)|no (?:punctuation|periods?|full stops?)|punctuation|(?:end|finish|conclude)(?:s|ing)? (?:\w+ ){0,6}with|last word|fill in|blank|template|prefix|opening|continue the|to be continued|telegram|tokens?)\b/i;
const MIN_LAST_WORDS = 6;
const MIN_PUNCTUATED_PARAGRAPHS = 2;

/** Finds deliverables that stop in the middle. */
export const CUT_OFF: TextCheck<Record<string, never>> = {
  name: "cut-off",
  extract: () => [createGeneralRequirement("cut-off")],
  describe: () => "Is complete to the end",
  run: ({ task, text }): CheckResult => {
    const open = findOpenStructure(text);
    if (open) return { outcome: "fail", observed: open };
    const last = findBrokenEnd(text);
    if (last === null) return { outcome: "pass", observed: "ends as finished work does" };
    if (MAY_END_OPENLY.test(task) || (!last.endsWith(":") && endsAsTaskSays(task, last))) {
      return { outcome: "not-applicable", observed: "the task may call for such an ending" };
    }
    const from = text.lastIndexOf(last);
    return {
      outcome: "fail",
      observed: "ends in the middle of a sentence",
      detail: last.slice(-200),
      passages: from < 0 ? [] : [{ from, to: from + last.length }],
    };
  },
};

/** Describes the code, JSON or table row that the text does not finish; null if there is none. */
function findOpenStructure(text: string): string | null {
  const trimmed = text.trim();
  const lines = trimmed.split("\n");
  const fences = countFences(trimmed);
  const code = extractFencedBlocks(trimmed).at(-1)?.code ?? "";
  if (fences % 2 === 1 && countOpenBrackets(code) > 0) return "ends in the middle of its code";
  if (/^[{[]\s*["{[]/.test(trimmed) && countOpenBrackets(trimmed) > 0) {
    return "ends in the middle of its JSON";
  }
  const [above = "", last = ""] = lines.slice(-2);
  const isRow = (line: string) => /^\s*\|.*\|\s*$/.test(line);
  return isRow(above) && /^\s*\|/.test(last) && !isRow(last)
    ? "ends in the middle of a table row"
    : null;
}

/** Counts the lines that open or close a fenced block. */
const countFences = (text: string): number => text.match(/^[ \t]*(?:```|~~~)/gm)?.length ?? 0;

/** Counts brackets that are not closed, outside of strings on one line and comments. */
function countOpenBrackets(code: string): number {
  const plain = code.replace(
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|(?:#|\/\/)[^\n]*/g,
    "",
  );
  return (plain.match(/[([{]/g)?.length ?? 0) - (plain.match(/[)\]}]/g)?.length ?? 0);
}

/** Returns the last line if it is prose that stops in the middle of a sentence, else null. */
function findBrokenEnd(text: string): string | null {
  const fences = countFences(text);
  if (fences > 0 && /(?:```|~~~)\s*$/.test(text.trimEnd())) return null;
  if (fences % 2 === 1) return null;
  const paragraphs = text
    .trimEnd()
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const last = paragraphs.at(-1) ?? "";
  const words = tokenise(last);
  if (!isProse(last) || words.length < 3) return null;
  if (/:$/.test(last)) return paragraphs.length > 1 || words.length > MIN_LAST_WORDS ? last : null;
  if (words.length < MIN_LAST_WORDS || !/[\p{L}\p{N},;(–—-]$/u.test(last)) return null;
  if (/[,;(]$/.test(last)) return last;
  if (CONNECTORS.has(words.at(-1) ?? "") && !/\b[A-Z]$|\d$/.test(last)) return last;
  const complete = paragraphs
    .slice(0, -1)
    .filter((line) => isProse(line) && tokenise(line).length > 8);
  const allPunctuated = complete.every((line) => /[.!?…:;"”'’)\]*_]$/.test(line));
  const fragment = last.slice(findLastSentenceStart(last));
  const isFragment =
    fragment !== last && tokenise(fragment).length >= 3 && !/https?:|www\.|@|#/.test(fragment);
  return allPunctuated && complete.length >= MIN_PUNCTUATED_PARAGRAPHS && isFragment ? last : null;
}

function findLastSentenceStart(line: string): number {
  let start = 0;
  for (const match of line.matchAll(/[a-z)]{2}[.!?]["”')]? (?=\p{Lu})/gu))
    start = match.index + match[0].length;
  return start;
}

/** Returns whether a line is prose rather than a heading, list item, table row, code or quotation. */
function isProse(line: string): boolean {
  return (
    !/^(?:#|\||>|[-*+•–—]\s|\d+[.)]\s|[\w ]{1,30}:|<|\{|\[|\}|\]|\/\/|--|\$|@|`|\*\*[^*]+\*\*$)/.test(
      line,
    ) && !/[|<>{}=;]{2}|\t/.test(line)
  );
}

/** Returns whether the task itself contains the last words, such as a prescribed ending. */
function endsAsTaskSays(task: string, last: string): boolean {
  const tail = tokenise(last).slice(-4).join(" ");
  return tokenise(task).join(" ").includes(tail);
}

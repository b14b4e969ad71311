import { z } from "zod";
import {
  type CheckResult,
  createGeneralRequirement,
  type TextCheck,
} from "@/server/judging/checks/check";
import { extractFencedBlocks } from "@/server/judging/checks/text/layout";
import { asksForCode, CONTAINS_CODE } from "@/server/judging/checks/text/sentences";
import { tokenise } from "./prose";
import { asksForPhrase } from "./refusal-tasks";

const FILLER =
  /\b(?:todo|tbd|tba|fixme|to be (?:added|done|written|completed|determined|announced|filled in)|coming soon|work in progress|wip|placeholder(?: text)?|(?:your|the|insert|add|actual|real) (?:text|content|answer|code|deliverable|result|solution|report)s? (?:goes )?here|content goes here|insert (?:text|content|answer|code|deliverable|result|solution|report)(?: here)?|under construction|lorem ipsum[^.]*|will be (?:added|provided|delivered|completed) (?:later|soon|shortly)|to follow|xxx+)\b|\[(?:insert|your|add|todo|tbd|placeholder|fill|content|text|answer)[^\]\n]{0,80}\]|<(?:insert|your|add|todo|tbd|placeholder|fill)[^>\n]{0,80}>|\{\{[^}\n]{0,80}\}\}/giu;
/** Matches tasks that ask for filler text or discuss it. */
const ABOUT_FILLER =
  /\b(placeholders?|lorem|dummy|mock-?ups?|wireframes?|templates?|todos?|to-?do|tbd|fixme|stubs?|skeletons?|boilerplate|scaffold\w*|forms?|backlog|abstract|interfaces?|protocols?)\b/i;
/** Headings and labels, which remain when every section is only filler. */
const LABELS =
  /^[ \t]{0,40}(?:#{1,6}\s.*|\*\*[^*\n]{1,80}\*\*:?|[^\n.!?]{1,60}:)[ \t]{0,40}$|^[ \t]{0,40}(?:[-*•]|\d{1,3}[.)])?[ \t]{0,10}(?:\*\*)?(?:[\p{L}\d-]{1,20} ?){1,3}:(?=\s)/gmu;
const MIN_REMAINING_WORDS = 5;

/** Matches texts that a failed program leaves instead of work, such as an error page. */
const ERROR_OUTPUT =
  /^(?:\{\s*"(?:error|errors)"\s*:|traceback \(most recent call last\):|<html[^>]{0,100}>.{0,200}\b(?:403|404|429|50[0-4])\b|(?:\w{0,30}(?:error|exception)|fatal|timeout)\b[^\n]{0,300}$|(?:undefined|null|nan|\[object object\])$)/is;
const MAX_ERROR_LENGTH = 1_000;
/** Matches tasks whose result may be an error, a value or markup. */
const MAY_BE_ERROR =
  /\b(?:errors?|exceptions?|traces?|tracebacks?|stack|logs?|http|html|json|status|output|outputs|prints?|evaluate|result|console|message|fatal|timeouts?|null|undefined|nan|value|type|headlines?|titles?|names?)\b/i;

const isErrorOutput = (task: string, text: string): boolean =>
  text.length <= MAX_ERROR_LENGTH && ERROR_OUTPUT.test(text.trim()) && !MAY_BE_ERROR.test(task);

/** Finds deliverables that are only filler: placeholders, lorem ipsum, stubbed code or an error. */
export const PLACEHOLDER: TextCheck<Record<string, never>> = {
  name: "placeholder",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("placeholder")],
  describe: () => "Contains work, not placeholders",
  run: ({ task, text }): CheckResult => {
    if (!ABOUT_FILLER.test(task) && LOREM_IPSUM.test(text))
      return { outcome: "fail", observed: "only placeholders or filler text" };
    if (ABOUT_FILLER.test(task) || asksForPhrase(task)) {
      return { outcome: "not-applicable", observed: "the task is about placeholders or a phrase" };
    }
    if (isStubbed(task, text)) return { outcome: "fail", observed: "only stubs of functions" };
    if (isErrorOutput(task, text)) return { outcome: "fail", observed: "only an error message" };
    if (isFiller(text)) return { outcome: "fail", observed: "only placeholders or filler text" };
    return SECTION_TO_FILL.test(text)
      ? { outcome: "fail", observed: "a section has only a placeholder" }
      : { outcome: "pass", observed: "no placeholders in place of the work" };
  },
};

const LOREM_IPSUM = /\blorem ipsum dolor sit\b/i;

/** A heading, and under it only what its author has still to write. "TBD" may be what is known. */
const SECTION_TO_FILL =
  /^[ \t]{0,3}#{1,6} [^\n]{1,120}\n\s*(?:[-*] )?(?:\[(?:insert|add|todo|placeholder|fill|write|your)\b[^\]\n]{0,120}\]|<(?:insert|add|todo|placeholder|fill|write|your)\b[^>\n]{0,120}>|\{\{[^}\n]{0,80}\}\}|TODO\b[^\n]{0,80}|(?:content|text) (?:goes|to go) here|placeholder(?: text)?)[.!]?[ \t]*(?:\n\s*#|\s*$(?![\s\S]))/im;

function isFiller(text: string): boolean {
  const count = (part: string) => tokenise(part).length;
  const rest = text.replace(FILLER, " ");
  if (rest === text) return false;
  return (
    count(rest) < MIN_REMAINING_WORDS || count(rest.replace(LABELS, " ")) < MIN_REMAINING_WORDS
  );
}

const STUB =
  /^(?:pass|\.\.\.|raise NotImplementedError\b.*|throw new (?:Error|UnsupportedOperationException)\((?:["'`](?:not (?:yet )?implemented|todo|implement)[^)]{0,60})?\);?|todo!\(\);?|unimplemented!\(\);?)$/i;
const STUB_COMMENT =
  /(?:\/\/|#|\/\*|--|<!--)\s*(?:(?:todo|fixme)\b:?\s*(?:implement|add|write|fill|finish|complete)|(?:your|add|insert|write) (?:your )?(?:code|implementation|logic|solution) (?:goes )?here|(?:code|implementation|logic) (?:goes )?here|implement (?:this|me|here|the logic)\b)/i;
/** Lines that a stub has too: signatures, imports, braces, and values returned for want of others. */
const SHELL =
  /^(?:@?\w*\s*(?:async |export |default |public |private |static |final )*(?:def|function|class|fn|func|import|from|using|package|interface|type)\b.*|(?:const|let|var) \w+ = (?:async )?\([^)]{0,200}\)(?::[^=]{0,60})? =>.*|(?:public|private|protected|static)\b.*\{|[\])};(,{[]*|return(?: (?:null|None|0|""|''|undefined|\[\]|\{\}|False|false|-1))?;?|.*->.*:|if __name__ == .{0,20}:|main\(\))$/;
const FUNCTION_START =
  /^[ \t]{0,40}(?:async |export |default |public |private |static )*(?:def|function|fn|func)\b|=>/m;

/** Returns whether code was requested and every delivered block is a signature without a body. */
function isStubbed(task: string, text: string): boolean {
  if (!asksForCode(task)) return false;
  const blocks = extractFencedBlocks(text).map(({ code }) => code);
  const codes = blocks.length > 0 ? blocks : [text];
  return codes.every((code) => FUNCTION_START.test(code) && isOnlyShell(code));
}

function isOnlyShell(code: string): boolean {
  const withoutDocs = code.replaceAll(/"""[\s\S]*?"""|'''[\s\S]*?'''|\/\*[\s\S]*?\*\//g, "");
  const hasStubComment = STUB_COMMENT.test(code);
  const lines = withoutDocs
    .split("\n")
    .map((line) => line.replace(/\s*(?:\/\/|#).*$/, "").trim())
    .filter((line) => line !== "");
  const stubs = lines.filter((line) => STUB.test(line));
  const isMarked = hasStubComment || stubs.length > 0;
  return (
    isMarked && lines.every((line) => line.length > 400 || STUB.test(line) || SHELL.test(line))
  );
}

/** Words that no finished sentence of prose ends with. */
const CONNECTORS = new Set(
  "and or the a an because their its your our my whose including between than although whereas if while every of with from into und oder der die das ein eine weil y o el la los las que porque et ou le les des une parce e il che os um uma".split(
    " ",
  ),
);
/** Tasks whose answer may end in the middle of a sentence, or that prescribe how it ends. */
const MAY_END_OPENLY =
  /\b(?:poems?|poetry|songs?|lyrics|raps?|haikus?|limericks?|titles?|headlines?|slogans?|cliff-?hanger|unfinished|incomplete|without (?:any )?(?:punctuation|periods?|full stops?)|no (?:punctuation|periods?|full stops?)|punctuation|(?:end|finish|conclude)(?:s|ing)? (?:\w+ ){0,6}with|last word|fill in|blank|template|prefix|opening|continue the|to be continued|telegram|tokens?)\b/i;
const MARKS_OF_OMISSION =
  /\[(?:continued|truncated|cut off|output truncated|response truncated|text truncated|to be continued|continue[sd]? (?:in|below)[^\]\n]{0,40}|(?:the )?rest (?:of|is|omitted)[^\]\n]{0,60}|(?:\.\.\.|…) ?(?:truncated|continued|omitted|remaining)[^\]\n]{0,40}|remaining [^\]\n]{0,60} omitted[^\]\n]{0,30})\]|\((?:continued|truncated|(?:the )?(?:rest|remaining [^)\n]{0,40}|other [^)\n]{0,40}) (?:is |are |were )?omitted[^)\n]{0,40}|continued in (?:the )?next[^)\n]{0,30})\)\s*$/imu;
const REST_OF_CODE =
  /^[ \t]*(?:\/\/|#|\/\*|--|<!--)[ \t]*(?:\.\.\.|…)?[ \t]*\(?(?:(?:the )?rest of (?:the |your )?(?:code|implementation|function|class|file|script|logic|program|methods?|tests?)|(?:remaining|other) (?:code|implementation|functions?|methods?|logic|tests?|cases)|(?:code|implementation) (?:continues|omitted)|(?:and so on|same) for (?:the )?(?:rest|other|remaining))\b[^\n]{0,80}$/imu;
const MIN_LAST_WORDS = 6;
const MIN_PUNCTUATED_PARAGRAPHS = 2;

/** Finds deliverables that stop in the middle, or leave out a part and say so. */
export const CUT_OFF: TextCheck<Record<string, never>> = {
  name: "cut-off",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("cut-off")],
  describe: () => "Is complete to the end",
  run: ({ task, text }): CheckResult => {
    const mark =
      MARKS_OF_OMISSION.exec(text) ?? (CONTAINS_CODE.test(task) ? null : REST_OF_CODE.exec(text));
    const mayOmit =
      /\b(?:truncat\w*|excerpts?|snippets?|diffs?|patch|outline|skeleton|partial|omit\w*|continued|series|sketch|pseudo-?code|shorten\w*)\b/i.test(
        task,
      );
    if (mark && !mayOmit) {
      const passages = [{ from: mark.index, to: mark.index + mark[0].length }];
      return {
        outcome: "fail",
        observed: "a part is left out, and marked as such",
        detail: mark[0],
        passages,
      };
    }
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

import { z } from "zod";
import {
  type CheckResult,
  createGeneralRequirement,
  type TextCheck,
} from "@/server/judging/checks/check";
import { asksForCode } from "@/server/judging/checks/text/code-tasks";
import { extractFencedBlocks } from "@/server/judging/checks/text/fenced-blocks";
import { tokenise } from "./prose";
import { asksForPhrase } from "./refusal";

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
    return isFiller(text)
      ? { outcome: "fail", observed: "only placeholders or filler text" }
      : { outcome: "pass", observed: "no placeholders in place of the work" };
  },
};

const LOREM_IPSUM = /\blorem ipsum dolor sit\b/i;

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

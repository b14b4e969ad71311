import type { CodeExample } from "@/server/judging/checks/code/code-run";
import { findFunctionName, findTaskLanguage } from "@/server/judging/checks/code/programs";
import { findObjectSteps } from "./object-steps";
import { findProseExamples, findTableExamples } from "./prose-examples";
import { matchAt, scanArguments, scanBrackets, scanLiteral } from "./scan-literals";
import { findStatedCalls } from "./stated-calls";

const MAX_EXAMPLES = 30;
const ANY_ORDER =
  /\bin any order\b|\border (?:of [^.]{0,40})?(?:does not|doesn['’]t|is not|isn['’]t) (?:matter|important)|\bany (?:valid )?order\b|\bregardless of (?:the )?order\b/i;
/** Matches tasks that accept more than one result. */
const IS_AMBIGUOUS =
  /\bany (?:one )?of (?:them|the (?:valid|possible|correct))|\bany (?:valid|correct) (?:answer|solution|one)|\bmultiple (?:valid|correct|possible) (?:answers|solutions|outputs)|\breturn any\b|\bif there are (?:multiple|several)[^.]{0,60}\bany\b/i;
/** Matches tasks whose results change from run to run. */
const IS_RANDOM =
  /\brandom(?:ly|ize[sd]?|ness)?\b|\bshuffled?\b|\b(?:today['’]?s? date|current (?:date|time))\b|\bnow\(\)/i;

/** Matches tasks whose deliverable is tests of the task's own code. */
const ASKS_FOR_TESTS =
  /\b(?:write|add|create|give me|produce)\s+(?:me\s+)?(?:[\w–-]+\s+){0,4}?tests?\s+(?:for|of|that|cases|covering|against)\b/i;

/** Finds the examples that a task gives for the code it asks for. */
export function findExamples(task: string): CodeExample[] {
  if (ASKS_FOR_TESTS.test(task)) return [];
  if (IS_AMBIGUOUS.test(task) || (IS_RANDOM.test(task) && !/\bseed\b/i.test(task))) return [];
  const name = findFunctionName(task);
  const found = [
    ...findPythonAssertions(task, name),
    ...findInlineAssertions(task),
    ...findJavaScriptAssertions(task),
    ...findDoctests(task),
    ...findStatedCalls(task, name, !/^(?:java|type)script$/.test(findTaskLanguage(task) ?? "")),
    ...findInputOutputExamples(task, name),
    ...findObjectSteps(task),
    ...findTableExamples(task, name),
    ...findProseExamples(task, name),
  ];
  const isUnordered = ANY_ORDER.test(task) || undefined;
  return removeDuplicates(found)
    .slice(0, MAX_EXAMPLES)
    .map((example) =>
      isUnordered && (example.kind === "value" || example.kind === "arguments")
        ? { ...example, isUnordered }
        : example,
    );
}

function removeDuplicates(examples: CodeExample[]): CodeExample[] {
  const seen = new Set<string>();
  return examples.filter((example) => {
    const setup = ("setup" in example && example.setup) || "";
    const key =
      "call" in example ? `${setup}\n${example.call}`.replace(/\s/g, "") : JSON.stringify(example);
    return seen.size < seen.add(key).size;
  });
}

const MAX_LINES = 20;
const ASSERT = /^[ \t]*(?:>>> ?)?(?:[-*] )?`?assert[ (]/;
const TEST_FUNCTION = /^([ \t]*)def (test\w*|check)\(([^)\n]{0,80})\)[^\n]{0,40}:/;
const ASSIGNMENT = /^[A-Za-z_]\w*\s*=(?!=)/;

/** An assert statement after other words of its line. */
const INLINE_ASSERT = /(?<=[^\s>][^\S\n]{0,3})(?<![\w.])assert\s+(?=[A-Za-z_]\w{0,80}\()/g;
/** Matches what precedes an assertion that is denied, or is material to work on. */
const IS_NO_TEST =
  /\b(?:not|never|n['’]t|cannot|like)\s+$|\b(?:lines|such as|convert|replace|rewrite|contains?)\b/i;

/** Finds assertions of equality in the middle of a line: "It should pass: assert f(1) == 2". */
function findInlineAssertions(task: string): CodeExample[] {
  return [...task.matchAll(INLINE_ASSERT)].slice(0, 100).flatMap((match): CodeExample[] => {
    const lineStart = task.lastIndexOf("\n", match.index - 1) + 1;
    const before = task.slice(Math.max(lineStart, match.index - 100), match.index);
    if (/^[\s>*-]*`?$/.test(before) || IS_NO_TEST.test(before)) return [];
    const nameEnd = matchAt(CALL_START, task, match.index + match[0].length);
    const callEnd = nameEnd === null ? null : scanArguments(task, nameEnd);
    const from = callEnd === null ? null : matchAt(/\s{0,3}==\s{0,3}/y, task, callEnd);
    const end = from === null ? null : scanLiteral(task, from);
    if (end === null || matchAt(ASSERT_END, task, end) === null) return [];
    return [{ kind: "assertion", statement: task.slice(match.index, end) }];
  });
}

const ASSERT_END = /[`"')]{0,3}(?:\s|[.,;:]|$)(?!\s{0,3}(?:[-+*/%]|if\b|or\b|else\b))/y;

/** Finds Python's assert statements and test functions that a task gives. */
export function findPythonAssertions(task: string, name: string): CodeExample[] {
  const lines = task.split("\n");
  const examples: CodeExample[] = [];
  let setup: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const test = TEST_FUNCTION.exec(line);
    if (test) {
      const block = takeBlock(lines, index);
      index += block.length - 1;
      examples.push(...readTestFunction(block, test[2] ?? "", test[3]?.trim() ?? "", name));
      continue;
    }
    const isIndented = /^[ \t]/.test(line) && !line.includes(">>>");
    if (ASSERT.test(line) && !isIndented) {
      const { statement, count } = joinStatement(lines, index);
      index += count - 1;
      if (/\b[A-Za-z_]\w* ?\(/.test(statement.slice(6))) {
        examples.push({
          kind: "assertion",
          statement,
          setup: setup.length > 0 ? setup.join("\n") : undefined,
        });
      }
    } else if (ASSIGNMENT.test(line)) {
      const { statement, count } = joinStatement(lines, index);
      index += count - 1;
      setup = [...setup, statement].slice(-20);
    } else if (/^```/.test(line)) setup = [];
  }
  return examples;
}

/** Splits HumanEval's `check(candidate)` into its assertions; keeps another test function whole. */
function readTestFunction(
  block: string[],
  test: string,
  parameter: string,
  name: string,
): CodeExample[] {
  if (test === "check" && parameter && name) {
    const candidate = new RegExp(`\\b${parameter}\\b`, "g");
    const body = block.slice(1).map((line) => line.trim().replaceAll(candidate, name));
    return findPythonAssertions(body.join("\n"), "");
  }
  const source = block.join("\n");
  if (parameter || test === "check" || !/\bassert\b/.test(source)) return [];
  const indent = /^[ \t]*/.exec(block[0] ?? "")?.[0] ?? "";
  const setup = block.map((line) => line.slice(indent.length)).join("\n");
  return [{ kind: "assertion", statement: `${test}()`, setup }];
}

function takeBlock(lines: string[], from: number): string[] {
  const indent = /^[ \t]*/.exec(lines[from] ?? "")?.[0].length ?? 0;
  let to = from + 1;
  while (to < lines.length && to - from < 100) {
    const line = lines[to] ?? "";
    if (line.trim() !== "" && (/^[ \t]*/.exec(line)?.[0].length ?? 0) <= indent) break;
    to += 1;
  }
  return lines.slice(from, to);
}

/** Joins the lines of a statement until its brackets are balanced. */
function joinStatement(lines: string[], from: number): { statement: string; count: number } {
  let statement = (lines[from] ?? "").replace(/^[ \t]*(?:>>> ?)?(?:[-*] )?`?|`[.,;]?\s*$/g, "");
  let count = 1;
  while (count < MAX_LINES && !isBalanced(statement) && from + count < lines.length) {
    statement += `\n${lines[from + count]}`;
    count += 1;
  }
  return { statement: statement.trim(), count };
}

function isBalanced(code: string): boolean {
  let depth = 0;
  for (const character of code.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*/g, "")) {
    if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character)) depth -= 1;
  }
  return depth <= 0;
}

const EXPECT = /(?<![\w$.])(?:expect|assert\.\w{1,30}|console\.assert|assert)\(/g;
const MATCHER = /\s{0,10}\.(toBe|toEqual|toStrictEqual|toBeCloseTo|toThrow)\(/y;
const EQUALITY =
  /^(?:assert\.(?:strictEqual|equal|deepEqual|deepStrictEqual)|(?:console\.)?assert)$/;
const CALL_START = /(?:await )?[A-Za-z_$][\w$]{0,80}(?=\()/y;

/** Finds JavaScript's assertions about calls with literal arguments, such as `expect(f(1)).toBe(2)`. */
export function findJavaScriptAssertions(task: string): CodeExample[] {
  const examples: CodeExample[] = [];
  for (const match of [...task.matchAll(EXPECT)].slice(0, 200)) {
    const open = match.index + match[0].length - 1;
    const close = scanBrackets(task, open);
    const example =
      close === null ? null : readExpectation(task, match[0].slice(0, -1), open, close);
    if (example) examples.push(example);
  }
  return examples;
}

function readExpectation(
  task: string,
  assertion: string,
  open: number,
  close: number,
): CodeExample | null {
  const arrowLength = /^\s*\(\)\s*=>\s*/.exec(task.slice(open + 1, close))?.[0].length ?? 0;
  const from = open + 1 + arrowLength;
  const nameEnd = matchAt(CALL_START, task, from);
  const callEnd = nameEnd === null ? null : scanArguments(task, nameEnd);
  if (callEnd === null) return null;
  const call = task.slice(from, callEnd).replace(/^await /, "");
  if (assertion === "expect") {
    const start = callEnd === close - 1 ? matchAt(MATCHER, task, close) : null;
    if (start === null) return null;
    if (/toThrow\($/.test(task.slice(close, start))) return { kind: "error", call, error: "" };
    const end = scanLiteral(task, start);
    return end === null || arrowLength > 0 ? null : value(call, task.slice(start, end));
  }
  if (!EQUALITY.test(assertion) || arrowLength > 0) return null;
  const start = matchAt(
    assertion.includes("qual") ? /\s{0,9},\s{0,9}/y : /\s{0,9}===?\s{0,9}/y,
    task,
    callEnd,
  );
  const end = start === null ? null : scanLiteral(task, start);
  return start === null || end === null ? null : value(call, task.slice(start, end));
}

const value = (call: string, expected: string): CodeExample => ({ kind: "value", call, expected });

const PROMPT = /^([ \t]*)>>>(?: |$)(.*)$/;
const CONTINUATION = /^[ \t]*\.\.\.(?: |$)(.*)$/;
const DOCSTRING_END = /"""|'''|```/;
/** Matches a line that introduces what the code does now, not what it should do. */
const CURRENT_BEHAVIOUR =
  /\b(?:currently|get|gives me|got|wrong|incorrect|bug|fails?|but|instead|actual(?:ly)?|right now)\b[^.\n]{0,120}$/i;

/** Finds interactive Python sessions: `>>> add(2, 3)` and, on the next line, `5`. */
export function findDoctests(task: string): CodeExample[] {
  const lines = task.split("\n");
  const examples: CodeExample[] = [];
  let setup: string[] = [];
  let isSkipped = false;
  for (let index = 0; index < lines.length; index += 1) {
    const prompt = PROMPT.exec(lines[index] ?? "");
    if (!prompt) {
      if (DOCSTRING_END.test(lines[index] ?? "")) setup = [];
      continue;
    }
    if (setup.length === 0) {
      const before =
        lines.slice(Math.max(0, index - 3), index).findLast((line) => line.trim()) ?? "";
      isSkipped = CURRENT_BEHAVIOUR.test(before) && !/\bshould|must|expected\b/i.test(before);
    }
    const code = [prompt[2] ?? ""];
    while (CONTINUATION.test(lines[index + 1] ?? "")) {
      index += 1;
      code.push(CONTINUATION.exec(lines[index] ?? "")?.[1] ?? "");
    }
    const shown: string[] = [];
    while (isResultLine(lines[index + 1])) {
      index += 1;
      shown.push((lines[index] ?? "").trim());
    }
    const statement = code.join("\n").trim();
    const example = isSkipped ? null : readStep(statement, shown, setup);
    if (example) examples.push(example);
    const isStateful = setup.length > 0 && example?.kind === "value";
    if ((shown.length === 0 || isStateful) && !statement.startsWith("#")) setup.push(statement);
  }
  return examples;
}

function isResultLine(line: string | undefined): boolean {
  return (
    line !== undefined && line.trim() !== "" && !PROMPT.test(line) && !DOCSTRING_END.test(line)
  );
}

function readStep(statement: string, shown: string[], setupLines: string[]): CodeExample | null {
  const call = statement.replace(/\s+#.*$/, "");
  const isPrinted = /^print\(/.test(call);
  const expected = isPrinted ? shown.join("\n") : takeValue(shown);
  const setup = setupLines.length > 0 ? setupLines.join("\n") : undefined;
  if (expected === "" || call.startsWith("#")) return null;
  if (shown[0]?.startsWith("Traceback")) {
    const error = /^(?:\w+\.)*(\w+)/.exec(shown.at(-1) ?? "")?.[1] ?? "";
    return { kind: "error", call, error: /Error|Exception/.test(error) ? error : "", setup };
  }
  // A result with an ellipsis is incomplete, and prose is not a result.
  if (/\.\.\.|…|<\w+ object/.test(expected)) return null;
  if (!isPrinted && /^[A-Z][a-z]+ [a-z]+ /.test(expected)) return null;
  return { kind: "value", call, expected, setup, isPrinted: isPrinted || undefined };
}

/** Returns the lines up to the end of the first literal, without prose below it; else all. */
function takeValue(lines: string[]): string {
  const prefixes = lines.map((_, index) => lines.slice(0, index + 1).join("\n"));
  return prefixes.find((text) => scanLiteral(text, 0) === text.length) ?? prefixes.at(-1) ?? "";
}

const INPUT =
  /^[\s>*#\-•_`]*(?:\d{1,2}[.)]\s*)?(?:(?:sample|example|test)(?: case)?\s*\d{0,2}\s*[:.)-]?\s*)?\**inputs?\**(?:\s*#?\d{1,2})?\s*[*_`]{0,3}\s*[:=]?\s*[*_]{0,3}\s*(.*)$/i;
const OUTPUT =
  /^[\s>*#\-•_`]*(?:(?:sample|example|expected)(?: case)?\s*\d{0,2}\s*[:.)-]?\s*)?\**(?:outputs?|expected result|result|returns?)\**(?:\s*#?\d{1,2})?\s*[*_`]{0,3}\s*[:=]?\s*[*_]{0,3}\s*(.*)$/i;
const ON_ONE_LINE =
  /\binputs?\s*[*_`]{0,3}\s*[:=]\s*[*_`]{0,3}\s*(.{1,300}?)[`*]{0,3}\s*(?:[,;|.]|=+>|-+>|→|➞)?\s*[`*]{0,3}\s*(?:expected )?outputs?\s*[*_`]{0,3}\s*[:=]\s*[*_`]{0,3}\s*(.{1,300})$/i;
const AFTER_OUTPUT =
  /^[\s>*#\-•_]*(?:explanation|note|constraints?|example|sample|input|output|follow[- ]up|your task|hint|test)\b/i;
/** Examples write linked lists and trees as arrays, but functions get nodes. */
const HAS_NODES =
  /\b(?:ListNode|TreeNode|linked[- ]?lists?|(?:binary|search|n-ary) (?:search )?trees?|head of|root (?:of|node))\b/i;
const MAX_PAIR_LINES = 40;
const PARAMETER_ASSIGNMENT = /^([A-Za-z_]\w{0,60})\s{0,4}(?:=(?!=)|:)\s{0,4}/;

interface Pair {
  input: string;
  output: string;
}

/** Finds examples of the shape "Input: nums = [2, 7], target = 9" and "Output: [0, 1]". */
export function findInputOutputExamples(task: string, name: string): CodeExample[] {
  const isProgram =
    /\b(?:stdin|standard input|reads? (?:from|an?|the|two|three|input|integers?|numbers?|lines?)|input format|first line|prints? to|stdout|standard output)\b/i.test(
      task,
    );
  return listPairs(task).flatMap(({ input, output }) => {
    const values = readArguments(input);
    const end = scanLiteral(output, 0);
    const expected =
      end !== null &&
      /^[`*\s.]*(?:$|\n|\(|#|\/\/|because\b|,? (?:because|since|as)\b)/.test(output.slice(end))
        ? output.slice(0, end)
        : null;
    if (!isProgram && !HAS_NODES.test(task) && values && expected !== null) {
      return [readCall(input, expected) ?? { kind: "arguments" as const, name, values, expected }];
    }
    const call = expected === null ? null : readCall(input, expected);
    if (call) return [call];
    return isProgram && input && output
      ? [{ kind: "program" as const, stdin: `${input}\n`, stdout: output }]
      : [];
  });
}

function listPairs(task: string): Pair[] {
  const lines = task.split("\n");
  const pairs: Pair[] = [];
  for (let index = 0; index < lines.length && pairs.length < 20; index += 1) {
    const line = (lines[index] ?? "").slice(0, 1_000);
    const single = ON_ONE_LINE.exec(line);
    if (single) {
      pairs.push({ input: clean(single[1] ?? ""), output: clean(single[2] ?? "") });
      continue;
    }
    const input = INPUT.exec(line);
    if (!input || !isLabel(line, input[1] ?? "")) continue;
    const output = findOutput(lines, index + 1);
    if (!output) continue;
    const inputText = clean([input[1] ?? "", ...lines.slice(index + 1, output.at)].join("\n"));
    const rest = takeOutput(lines, output.at, output.text);
    pairs.push({ input: inputText, output: clean(rest.text) });
    index = rest.next - 1;
  }
  return pairs;
}

/** A label is followed by a colon, a value or the end of the line, not by a sentence. */
function isLabel(line: string, rest: string): boolean {
  return rest.trim() === "" || /[:=]/.test(line.slice(0, line.length - rest.length));
}

function findOutput(lines: string[], from: number): { at: number; text: string } | null {
  for (let at = from; at < Math.min(lines.length, from + MAX_PAIR_LINES); at += 1) {
    const line = (lines[at] ?? "").slice(0, 1_000);
    const match = OUTPUT.exec(line);
    if (match && isLabel(line, match[1] ?? "")) return { at, text: match[1] ?? "" };
    if (INPUT.test(line) && /^\W*(?:sample |example )?input\b/i.test(line)) return null;
  }
  return null;
}

function takeOutput(lines: string[], at: number, first: string): { text: string; next: number } {
  if (clean(first) !== "") return { text: first, next: at + 1 };
  const taken: string[] = [];
  let next = at + 1;
  let isFenced = false;
  for (; next < lines.length && taken.length < MAX_PAIR_LINES; next += 1) {
    const line = lines[next] ?? "";
    if (/^\s*(?:```|~~~)/.test(line)) {
      if (isFenced) return { text: taken.join("\n"), next: next + 1 };
      if (taken.some((one) => one.trim() !== "")) break;
      isFenced = true;
    } else if (!isFenced && (AFTER_OUTPUT.test(line) || (line.trim() === "" && taken.length > 0)))
      break;
    else taken.push(line);
  }
  return { text: taken.join("\n"), next };
}

function clean(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*(?:```|~~~)/.test(line))
    .join("\n")
    .replace(/^[\s`*]+|[\s`*]+$/g, "");
}

function readCall(input: string, expected: string): CodeExample | null {
  const open = /^[A-Za-z_$][\w$]{0,80}(?=\()/.exec(input)?.[0].length;
  const end = open === undefined ? null : scanArguments(input, open);
  return end === input.length ? { kind: "value", call: input, expected } : null;
}

/** Reads "nums = [2, 7], target = 9", or values without names. */
function readArguments(input: string): { parameter: string; value: string }[] | null {
  const values: { parameter: string; value: string }[] = [];
  let at = 0;
  while (at < input.length && values.length < 12) {
    const name = PARAMETER_ASSIGNMENT.exec(input.slice(at, at + 80));
    if (name) at += name[0].length;
    const end = scanLiteral(input, at);
    if (end === null) return null;
    values.push({ parameter: name?.[1] ?? "", value: input.slice(at, end) });
    const separator = /^[\s`*]*(?:,|;|\n|and\b|$)[\s`*]*(?:and\b\s*)?/.exec(
      input.slice(end, end + 40),
    );
    if (!separator) return null;
    at = end + separator[0].length;
  }
  const named = values.filter(({ parameter }) => parameter !== "").length;
  return values.length > 0 && (named === 0 || named === values.length) ? values : null;
}

import type { CodeExample } from "@/server/judging/checks/code/code-run";
import { matchAt, scanArguments, scanBrackets, scanLiteral } from "./scan-literals";

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
export function findInlineAssertions(task: string): CodeExample[] {
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

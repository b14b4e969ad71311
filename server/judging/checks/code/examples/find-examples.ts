import type { CodeExample } from "@/server/judging/checks/code/code-run";
import { findFunctionName, findTaskLanguage } from "@/server/judging/checks/code/programs";
import { findProseExamples } from "./prose-examples";
import { scanLiteral } from "./scan-literals";
import { findStatedCalls } from "./stated-calls";

const MAX_EXAMPLES = 30;
/** Matches tasks that accept more than one result, or one in any order. */
const IS_AMBIGUOUS =
  /\bany (?:one )?of (?:them|the (?:valid|possible|correct))|\bany (?:valid|correct) (?:answer|solution|one)|\bmultiple (?:valid|correct|possible) (?:answers|solutions|outputs)|\breturn any\b|\bif there are (?:multiple|several)[^.]{0,60}\bany\b|\bin any order\b|\border (?:of [^.]{0,40})?(?:does not|doesn['’]t|is not|isn['’]t) (?:matter|important)|\bany (?:valid )?order\b|\bregardless of (?:the )?order\b/i;
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
    ...findPythonAssertions(task),
    ...findDoctests(task),
    ...findStatedCalls(task, name, !/^(?:java|type)script$/.test(findTaskLanguage(task) ?? "")),
    ...findProseExamples(task, name),
  ];
  return selectConsistent(found).slice(0, MAX_EXAMPLES);
}

/** Keeps one example of each call, and none of a call for which the task states two results. */
function selectConsistent(examples: CodeExample[]): CodeExample[] {
  const normalise = (text: string) => text.replace(/\s+/g, "").replaceAll("'", '"');
  const describe = (example: CodeExample): [given: string, result: string] => {
    switch (example.kind) {
      case "value":
        return [normalise(`${example.setup ?? ""}\n${example.call}`), normalise(example.expected)];
      case "error":
        return [normalise(`${example.setup ?? ""}\n${example.call}`), "an error"];
      case "assertion":
        return [JSON.stringify(example), ""];
    }
  };
  const results = new Map<string, string>();
  const contradicted = new Set<string>();
  const distinct = examples.filter((example) => {
    const [given, result] = describe(example);
    const known = results.get(given);
    if (known === undefined) results.set(given, result);
    else if (known !== result) contradicted.add(given);
    return known === undefined;
  });
  return distinct.filter((example) => !contradicted.has(describe(example)[0]));
}

const MAX_LINES = 20;
const ASSERT = /^[ \t]*(?:>>> ?)?(?:[-*] )?`?assert[ (]/;
const ASSIGNMENT = /^[A-Za-z_]\w*\s*=(?!=)/;

/** Finds Python's assert statements on lines of their own. */
function findPythonAssertions(task: string): CodeExample[] {
  const lines = task.split("\n");
  const examples: CodeExample[] = [];
  let setup: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
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

const PROMPT = /^([ \t]*)>>>(?: |$)(.*)$/;
const CONTINUATION = /^[ \t]*\.\.\.(?: |$)(.*)$/;
const DOCSTRING_END = /"""|'''|```/;
/** Matches a line that introduces what the code does now, not what it should do. */
const CURRENT_BEHAVIOUR =
  /\b(?:currently|get|gives me|got|wrong|incorrect|bug|fails?|but|instead|actual(?:ly)?|right now)\b[^.\n]{0,120}$/i;

/** Finds interactive Python sessions: `>>> add(2, 3)` and, on the next line, `5`. */
function findDoctests(task: string): CodeExample[] {
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
  const expected = takeValue(shown);
  const setup = setupLines.length > 0 ? setupLines.join("\n") : undefined;
  // What a program prints is not compared.
  if (expected === "" || /^(?:#|print\()/.test(call)) return null;
  if (shown[0]?.startsWith("Traceback")) {
    const error = /^(?:\w+\.)*(\w+)/.exec(shown.at(-1) ?? "")?.[1] ?? "";
    return { kind: "error", call, error: /Error|Exception/.test(error) ? error : "", setup };
  }
  // A result with an ellipsis is incomplete, and prose is not a result.
  if (/\.\.\.|…|<\w+ object/.test(expected)) return null;
  if (/^[A-Z][a-z]+ [a-z]+ /.test(expected)) return null;
  return { kind: "value", call, expected, setup };
}

/** Returns the lines up to the end of the first literal, without prose below it; else all. */
function takeValue(lines: string[]): string {
  const prefixes = lines.map((_, index) => lines.slice(0, index + 1).join("\n"));
  return prefixes.find((text) => scanLiteral(text, 0) === text.length) ?? prefixes.at(-1) ?? "";
}

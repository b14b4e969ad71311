import type { CodeExample } from "@/server/judging/checks/code/code-run";
import { matchAt, scanArguments, scanLiteral } from "./scan-literals";

const LEAD =
  /\b(?:for|if|when|given|with|let)\s+(?=[A-Za-z_]\w{0,40}\s{0,3}=\s{0,3}[-\d"'[({TF])/gi;
const ASSIGNMENT = /([A-Za-z_]\w{0,40})\s{0,3}=\s{0,3}/y;
const SEPARATOR =
  /\s{0,3}(?:,\s{0,3}and\s|,|and\b|&)\s{0,3}(?=[A-Za-z_]\w{0,40}\s{0,3}=\s{0,3}[-\d"'[({TF])/y;
const RESULT =
  /\s{0,3},?\s{0,3}(?:then\s+)?(?:(?:the|your)\s+)?(?:(?:output|result|answer|function|return value|sum|program)\s+)?(?:(?:should|must|will|would)\s+(?:be|return|output|give)|is|returns?|=+>|-+>|→|output(?:s| is)?)\s{0,3}:?\s{0,3}`?/iy;
const END = /[`*"]{0,2}\s{0,4}(?:$|[.,;:](?:\s|$)|\n|[(#]|(?:because|since|as|and)\b)/my;

/** Finds examples such as "For lst = [1, 2, 3] the output should be 14". */
export function findStatedValues(task: string, name: string): CodeExample[] {
  const examples: CodeExample[] = [];
  for (const match of [...task.matchAll(LEAD)].slice(0, 100)) {
    const values: { parameter: string; value: string }[] = [];
    let at: number | null = match.index + match[0].length;
    let end = at;
    while (at !== null) {
      const start = matchAt(ASSIGNMENT, task, at);
      const valueEnd = start === null ? null : scanLiteral(task, start);
      if (start === null || valueEnd === null) break;
      const parameter = /^\w+/.exec(task.slice(at, start))?.[0] ?? "";
      values.push({ parameter, value: task.slice(start, valueEnd) });
      end = valueEnd;
      at = matchAt(SEPARATOR, task, valueEnd);
    }
    const start = values.length > 0 ? matchAt(RESULT, task, end) : null;
    const valueEnd = start === null ? null : scanLiteral(task, start);
    if (start === null || valueEnd === null || matchAt(END, task, valueEnd) === null) continue;
    examples.push({ kind: "arguments", name, values, expected: task.slice(start, valueEnd) });
  }
  return examples;
}

const PAIR_START = /(?:^[\s>*-]{0,8}|[:;,(]|\be\.g\.|\bexamples?|\band)\s{0,3}`?(?=["'[{\d-])/gim;
const PAIR_ARROW = /`?\s{0,3}(?:=>|-+>|→|➞|⇒|⟶|↦)\s{0,3}`?/y;
const PAIR_END = /[`*"]{0,2}\s{0,4}(?:$|[.,;)](?:\s|$)|\n)/my;

/**
 * Finds pairs of a value and its result, such as "'2h' → 7200", if the task names a function of one
 * parameter.
 */
export function findStatedPairs(task: string, name: string): CodeExample[] {
  if (!/^\w+$/.test(name)) return [];
  const takesOne = new RegExp(`\\b${name}\\(\\s?\\w{1,40}\\s?(?::[^,()\\n]{1,60})?\\)`);
  if (!takesOne.test(task)) return [];
  return [...task.matchAll(PAIR_START)].slice(0, 500).flatMap((match): CodeExample[] => {
    const from = match.index + match[0].length;
    const argumentEnd = scanLiteral(task, from);
    const start = argumentEnd === null ? null : matchAt(PAIR_ARROW, task, argumentEnd);
    const end = start === null ? null : scanLiteral(task, start);
    if (argumentEnd === null || start === null || end === null) return [];
    if (matchAt(PAIR_END, task, end) === null) return [];
    const value = task.slice(from, argumentEnd);
    const before = task.slice(Math.max(0, from - 30), from);
    // Elsewhere an arrow between numbers is a change or a version.
    if (/^[-\d]/.test(value) && !/\b(?:examples?|inputs?|e\.g\.)[\s\d:.]*`?$/i.test(before))
      return [];
    const values = [{ parameter: "", value }];
    return [{ kind: "arguments", name, values, expected: task.slice(start, end) }];
  });
}

const INPUT_HEADER =
  /^\W*(?:(?:sample|example)s?\s+)?(?:inputs?|calls?|expressions?|arguments?|examples?|function call|parameters?)\b[^|]{0,30}$/i;
const OUTPUT_HEADER =
  /^\W*(?:expected\b[^|]{0,30}|(?:return(?:ed|s)?|output|result)s?(?: value)?)\W*$/i;

/** Finds the rows of a Markdown table with a column of inputs and one of results. */
export function findTableExamples(task: string, name: string): CodeExample[] {
  const lines = task.split("\n");
  return lines.flatMap((line, index) => {
    if (!line.includes("|") || !/^[\s|:-]{3,200}$/.test(lines[index + 1] ?? "")) return [];
    const header = splitCells(line);
    const input = header.findIndex((cell) => INPUT_HEADER.test(cell));
    const output = header.findIndex((cell, column) => column !== input && OUTPUT_HEADER.test(cell));
    if (input < 0 || output < 0 || header.length > 4) return [];
    const examples: CodeExample[] = [];
    for (const row of lines.slice(index + 2, index + 32)) {
      if (!row.includes("|")) break;
      const cells = splitCells(row);
      const example = readRow(cells[input] ?? "", cells[output] ?? "", name);
      if (example) examples.push(example);
    }
    return examples;
  });
}

function readRow(input: string, expected: string, name: string): CodeExample | null {
  if (scanLiteral(expected, 0) !== expected.length) return null;
  const open = /^[A-Za-z_$][\w$]{0,80}(?=\()/.exec(input)?.[0].length;
  if (open !== undefined) {
    return scanArguments(input, open) === input.length
      ? { kind: "value", call: input, expected }
      : null;
  }
  return name && scanArguments(`(${input})`, 0) === input.length + 2 && input
    ? { kind: "value", call: `${name}(${input})`, expected }
    : null;
}

function splitCells(row: string): string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.replace(/^[\s`]+|[\s`]+$/g, ""));
}

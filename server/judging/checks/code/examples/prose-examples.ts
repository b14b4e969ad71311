import type { CodeExample } from "@/server/judging/checks/code/code-run";
import { matchAt, scanLiteral } from "./scan-literals";

const MAX_MATCHES = 200;
/** "should return", "returns", "must be" before a value. */
const RETURNS =
  /\b(?:should|must|shall|needs? to|has to)\s+(?:also\s+)?(?:return|give|yield|produce|be)\s+|\breturns?\s+|\bgives\s+|\byields\s+/gi;
/** Between a value and the arguments that it belongs to. */
const FOR =
  /[`*]{0,2}\s+(?:for|given|when given|when called with|when passed|if given|on)\s+(?:the\s+(?:input|argument|arguments|string|list|number|array|year)\s+)?[`*]{0,2}/y;
/** Between arguments and their value: "For 2000 it returns True", "for [1, 2] the result is 3". */
const GIVEN =
  /\b(?:for|given|with|when (?:given|called with))\s+(?:the\s+)?(?:inputs?\s+|arguments?\s+)?[`*]{0,2}(?=[-\d"'[{(TFN])/gi;
const THEN =
  /[`*]{0,2}(?:\s+as (?:the )?(?:input|argument))?,?\s+(?:(?:it|the \w+|`?\w+(?:\(\))?`?)\s+)?(?:(?:should|must)\s+(?:return|give|be)|returns?|gives|yields|is)\s+[`*]{0,2}/y;
/** Where an argument without other words may start: "'2h' -> 7200, '45s' -> 45". */
const BARE = /(?:^|[:,.;(]\s{0,3}|\b(?:and|so)\s)[`*]{0,2}(?=["'[{\d-])/gm;
const BECOMES =
  /[`*]{0,2}\s{0,3}(?:=>|->|→|becomes\s|(?:should|must)\s+(?:return|give|become)\s)\s{0,3}[`*]{0,2}/y;
const MORE = /[`*]{0,2}(?:,\s*(?:and\s+)?|\s+and\s+)(?:(?:should\s+)?(?:return\s+)?)[`*]{0,2}/y;
/** What may follow an example; anything else could belong to it. */
const END = /[`*]{0,2}\s*(?:$|[.;!)]|,(?!\d)|\n|\b(?:and|but|because|since|as|while)\b)/my;
const NOT_DEMANDED =
  /\b(?:currently|wrong(?:ly)?|bug(?:gy)?|instead|not|never|n['’]t|fails?|actual(?:ly)?|raise|error|why|might|may|could|previously|about|approximately|roughly)\b/i;
const COMES_AT_ITS_END = /(?:^|[.;!?]\s|\n)[^.;!?\n]*$/;

/**
 * Finds examples in sentences: "should return True for 2000 and 2400, and False for 1900", "For [1, 2]
 * it returns 3". `name` is the function that the task asks for.
 */
export function findProseExamples(task: string, name: string): CodeExample[] {
  if (name === "") return [];
  return [
    ...findValueFirst(task, name),
    ...findArgumentFirst(task, name, [GIVEN, THEN]),
    ...findArgumentFirst(task, name, [BARE, BECOMES]),
  ];
}

function findValueFirst(task: string, name: string): CodeExample[] {
  return [...task.matchAll(RETURNS)].slice(0, MAX_MATCHES).flatMap((match) => {
    const examples: CodeExample[] = [];
    let at = match.index + match[0].length;
    if (isNotDemanded(task, match.index)) return [];
    for (let count = 0; count < 5; count += 1) {
      const start = matchAt(/[`*]{0,2}/y, task, at) ?? at;
      const end = scanLiteral(task, start);
      const from = end === null ? null : matchAt(FOR, task, end);
      if (end === null || from === null) break;
      const expected = task.slice(start, end);
      const list = readAlternatives(task, from);
      examples.push(...list.values.map((value) => toExample(name, value, expected)));
      const next = matchAt(MORE, task, list.end);
      if (list.values.length === 0 || next === null) break;
      at = next;
    }
    return examples;
  });
}

/** Reads "2000 and 2400": several arguments, each of which is one call. */
function readAlternatives(task: string, from: number): { values: string[]; end: number } {
  const values: string[] = [];
  let end = from;
  for (let at = from; values.length < 6; ) {
    const stop = scanLiteral(task, at);
    if (stop === null) break;
    // "and False for 1900" states the next value.
    if (values.length > 0 && matchAt(FOR, task, stop) !== null) break;
    values.push(task.slice(at, stop));
    end = stop;
    const next = matchAt(MORE, task, stop);
    if (next === null) break;
    at = next;
  }
  const isWhole = matchAt(END, task, end) !== null || matchAt(MORE, task, end) !== null;
  return isWhole ? { values, end } : { values: [], end };
}

/** Finds arguments that `before` leads to, and their value after `between`. */
function findArgumentFirst(
  task: string,
  name: string,
  [before, between]: readonly [RegExp, RegExp],
): CodeExample[] {
  return [...task.matchAll(before)].slice(0, MAX_MATCHES).flatMap((match) => {
    const from = match.index + match[0].length;
    const end = scanLiteral(task, from);
    const start = end === null ? null : matchAt(between, task, end);
    const stop = start === null ? null : scanLiteral(task, start);
    if (end === null || start === null || stop === null) return [];
    const isWhole = matchAt(END, task, stop) !== null && !isNotDemanded(task, match.index);
    return isWhole ? [toExample(name, task.slice(from, end), task.slice(start, stop))] : [];
  });
}

const toExample = (name: string, value: string, expected: string): CodeExample => ({
  kind: "value",
  call: `${name}(${value})`,
  expected,
});

const isNotDemanded = (task: string, at: number): boolean =>
  NOT_DEMANDED.test(COMES_AT_ITS_END.exec(task.slice(Math.max(0, at - 200), at))?.[0] ?? "");

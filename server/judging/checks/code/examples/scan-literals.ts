import type { ExecutableLanguage } from "@/server/judging/checks/code/code-run";

const MAX_DEPTH = 40;
const MAX_LITERAL = 2_000;
const CONSTANTS = /(?:True|False|None|true|false|null|undefined|nil|NaN|Infinity)\b/y;
const NUMBER =
  /[-+]?(?:0[xX][\da-fA-F]+|0[bB][01]+|(?:\d[\d_]{0,60}(?:\.\d{1,60})?|\.\d{1,60})(?:[eE][-+]?\d{1,3})?n?j?)/y;
/** Calls that are values: `set()`, `float("inf")`, `new Map([…])`. */
const VALUE_CALL =
  /(?:new )?(?:set|frozenset|list|tuple|dict|float|range|Fraction|Decimal|Set|Map|Date|date|datetime|complex|bytes|bytearray|deque|Counter|OrderedDict)\(/y;
const KEY = /(?:[A-Za-z_$][\w$]{0,60})\s{0,4}(?::|=(?!=))/y;
const OPENING: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/**
 * Returns the end of the JavaScript or Python literal that starts at `from`: a number, a string, a
 * constant, or a list, tuple, set or object of them. Returns null if there is none.
 */
export function scanLiteral(text: string, from: number): number | null {
  const end = scanValue(text, from, 0);
  return end !== null && end - from <= MAX_LITERAL ? end : null;
}

/** Returns the end of the parenthesised arguments at `from` if all of them are literals. */
export function scanArguments(text: string, from: number): number | null {
  return text[from] === "(" ? scanList(text, from, 0) : null;
}

const CALL_START = /[A-Za-z_$][\w$]{0,80}(?=\()/y;

/** Returns the end of the call at `from` if all of its arguments are literals. */
export function scanCall(text: string, from: number): number | null {
  const open = matchAt(CALL_START, text, from);
  return open === null ? null : scanArguments(text, open);
}

function scanValue(text: string, from: number, depth: number): number | null {
  if (depth > MAX_DEPTH) return null;
  const character = text[from] ?? "";
  if (character === '"' || character === "'") return scanString(text, from);
  if (/[bru]/.test(character) && /["']/.test(text[from + 1] ?? "")) {
    return scanString(text, from + 1);
  }
  if (character in OPENING) return scanList(text, from, depth);
  const call = matchAt(VALUE_CALL, text, from);
  if (call !== null) return scanList(text, call - 1, depth);
  return matchAt(CONSTANTS, text, from) ?? matchAt(NUMBER, text, from);
}

/** Scans a bracketed list of values, with keys if there are any, and a comma between them. */
function scanList(text: string, from: number, depth: number): number | null {
  const closing = OPENING[text[from] ?? ""];
  let at = skipSpace(text, from + 1);
  while (at < text.length && at - from <= MAX_LITERAL) {
    if (text[at] === closing) return at + 1;
    const key = matchAt(KEY, text, at);
    if (key !== null) at = skipSpace(text, key);
    let end = scanValue(text, at, depth + 1);
    if (end === null) return null;
    at = skipSpace(text, end);
    if (text[at] === ":" && closing === "}") {
      end = scanValue(text, skipSpace(text, at + 1), depth + 1);
      if (end === null) return null;
      at = skipSpace(text, end);
    }
    if (text[at] === ",") at = skipSpace(text, at + 1);
    else if (text[at] !== closing) return null;
  }
  return null;
}

/** Returns the end of the string literal at `from`, which must be on one line. */
function scanString(text: string, from: number): number | null {
  const quote = text[from];
  for (let at = from + 1; at < text.length && at - from <= MAX_LITERAL; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at + 1;
    else if (text[at] === "\n") return null;
  }
  return null;
}

const TO_PYTHON: Record<string, string> = {
  true: "True",
  false: "False",
  null: "None",
  undefined: "None",
  nil: "None",
  NaN: "float('nan')",
  Infinity: "float('inf')",
};
const TO_JAVASCRIPT: Record<string, string> = {
  True: "true",
  False: "false",
  None: "null",
  nil: "null",
};
const WORD = /[A-Za-z_$][\w$]*/y;

/** Rewrites constants in the syntax of `language`, and for JavaScript tuples too. */
export function translateLiterals(text: string, language: ExecutableLanguage): string {
  const words = language === "python" ? TO_PYTHON : TO_JAVASCRIPT;
  const isTuple: boolean[] = [];
  let result = "";
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? "";
    const end =
      character === '"' || character === "'"
        ? (scanString(text, at) ?? text.length)
        : (matchAt(WORD, text, at) ?? at + 1);
    const token = text.slice(at, end);
    if (language !== "python" && character === "(") {
      isTuple.push(!/[\w$\])]\s*$/.test(result.slice(-20)));
      result += isTuple.at(-1) ? "[" : "(";
    } else if (language !== "python" && character === ")") result += isTuple.pop() ? "]" : ")";
    else result += Object.hasOwn(words, token) ? words[token] : token;
    at = end;
  }
  return result;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? "")) at += 1;
  return at;
}

/** Returns the end of the match of a sticky pattern at `from`; null if it does not match. */
export function matchAt(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : null;
}

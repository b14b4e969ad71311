import type { CodeExample } from "@/server/judging/checks/code/code-run";
import { matchAt, scanArguments, scanCall, scanLiteral } from "./scan-literals";

/** Maximum number of calls to read, so that a hostile task stays cheap. */
const MAX_CALLS = 1_000;
const CALL = /(?<![\w$.@])(console\.log|[A-Za-z_$][\w$]{0,80})\(/g;
/** Names before a parenthesis that are never a function of the deliverable. */
const NOT_A_FUNCTION =
  /^(?:if|for|while|return|switch|catch|function|def|class|and|or|not|in|assert|expect|lambda|super|new|throw|raise|require|import|log|console|Date|Map|Set|Array|Object|String|Number|Boolean|BigInt|parseInt|parseFloat|Fraction|Decimal|candidate|O|e|eg|ie)$/;
const PYTHON_BUILTIN =
  /^(?:print|len|str|int|float|bool|set|list|dict|tuple|sorted|sum|min|max|abs|round|range|repr|type|isinstance|zip|map|filter|any|all|enumerate|reversed|pow|divmod|ord|chr|hash|id|input|open|eval|exec)$/;

/** Words between a call and its value, from the most to the least explicit. */
const DEMANDS =
  /[`*"')\]]{0,4}\s{0,3}(?:,\s{0,2})?(?:(?:which|that|it)\s+)?(?:(?:should|must|shall|needs? to|has to|ought to|is expected to|are expected to|would|will)\s+(?:then\s+|both\s+|also\s+)?(?:return|give|yield|produce|evaluate to|equal|be|output|result in|resolve to)|resolves? (?:to|with)|returns?|gives?(?: back)?|yields?|produces?|evaluates? to|results? in|equals|is equal to|returned)(?:\s+(?:the|a|an)\s+(?:value|result|list|array|string|number|dictionary|object|tuple|boolean|integer|float|dict|set|map|output)(?:\s+of)?)?\s{0,3}:?\s{0,3}/y;
const SYMBOLS =
  /[`*]{0,3}\s{0,6}(?:;?\s{0,4}(?:#|\/\/)\s{0,3}(?:=>|->|=+>|→|➞|==?|(?:returns?|output|result|expected|gives)\s{0,2}:?)?|=+>|-+>|→|➞|⇒|⟶|↦|={1,3}|is(?=\s))\s{0,6}/y;
const ARROW = /[`*]{0,3}\s{0,6}(?:=+>|-+>|→|➞|⇒|⟶|↦)\s{0,6}/y;
const NEXT_LINE =
  /[`*;]{0,3}\s{0,4}\n\s{0,8}(?:#|\/\/|>)?\s{0,3}[*_`]{0,2}(?:expected |sample )?(?:output|result|returns?|return value)[*_`]{0,2}\s{0,2}[:=]?[*_`]{0,2}\s{0,4}/iy;
const THROWS =
  /[`*"')\]]{0,4}\s{0,3}(?:,\s{0,2})?(?:#\s{0,2}|\/\/\s{0,2}|=>\s{0,2}|->\s{0,2}|→\s{0,2})?(?:(?:should|must|will|would|is expected to)\s+)?(?:raises?|throws?)\s+(?:an?\s+|the\s+)?`?([A-Za-z_]{0,40}(?:Error|Exception)|error|exception)\b/iy;
/** Between a printed call and its value. */
const SHOWN =
  /;?[ \t]{0,20}(?:#|\/\/)[ \t]{0,4}(?:=>|->|→|➞)?[ \t]{0,4}(?:(?:prints?|outputs?|returns?|expected(?: output)?|should (?:print|output|return|be))[ \t]{0,4}:?[ \t]{0,4})?/iy;
/** What may follow a value that ends an example. */
const BOUNDARY =
  /[`*"')\]]{0,4}\s{0,8}(?:$|[.,;:!?](?:\s|$|[`*"')])|\n|\s+[-–—]\s|[#(/|\\]|(?:and|or|because|since|as|when|while|whereas|but|for|so|if|not|rather|instead|with|after|where|in)\b)/my;
/** Words that make an example a description of what the code does now, or only an illustration. */
const NOT_DEMANDED =
  /\b(?:currently|at the moment|right now|today|actual|actually|instead of|wrong(?:ly)?|incorrect(?:ly)?|bug(?:gy|s)?|fails?|failing|broken|erroneous(?:ly)?|mistakenly|might|may|could|something like|similar to|such as|approximately|roughly|about|random(?:ly)?|never|no longer|used to|previously|existing|old|suppose|why|explain|does not|doesn't|not|complains?|reports?|got|getting|get)\b/i;
const FIRM = /\b(?:should|must|shall|expected)\b/i;
const LINE_START =
  /^[\s>*•·\-–#/|"'`]*(?:\(?(?:\d{1,2}|[a-z])[.)]\s*)?(?:(?:e\.?g\.?|examples?|ex|usage|sample|test(?: case)?s?|case|input|call|calling|assert|i\.e\.)(?:\s*#?\d{0,2})?\s*[:,.)-]?\s*)?[`*"'\s]*$/i;
const AFTER_EXAMPLE_WORD =
  /\b(?:with|satisf(?:y|ies)|ensure|verify|check|means?|examples?|e\.g\.|for instance|so|thus|i\.e\.|and|that|where)[\s:,]{0,3}[`*"']{0,3}$/i;

/**
 * Finds the calls with literal arguments whose results a task states: "`add(2, 3)` returns 5",
 * "add(2, 3) -> 5", "print(add(2, 3))  # 5". Leaves out calls of Python's built-in functions, unless
 * the task asks for a function of that name, `wanted`.
 */
export function findStatedCalls(task: string, wanted: string, isPython: boolean): CodeExample[] {
  const isFunction = (name: string) =>
    name === wanted || !(NOT_A_FUNCTION.test(name) || (isPython && PYTHON_BUILTIN.test(name)));
  return [...task.matchAll(CALL)].slice(0, MAX_CALLS).flatMap((match) => {
    const [, name = ""] = match;
    const open = match.index + match[0].length - 1;
    const example = WRAPPER.test(name)
      ? readWrapped(task, match.index, open, isFunction)
      : isFunction(name)
        ? readCall(task, match.index, open)
        : null;
    return example ?? [];
  });
}

const WRAPPER = /^(?:print|console\.log|str|list|sorted|repr|set|tuple|dict|round)$/;

function readCall(task: string, from: number, open: number): CodeExample | null {
  let end = scanArguments(task, open);
  if (end === null) return null;
  const first = end;
  // "new Square(3).area()"
  for (let stop: number | null = end; stop !== null; ) {
    end = stop;
    stop = task[end] === "." ? scanCall(task, end + 1) : null;
  }
  const isNew = end > first && /\bnew $/.test(task.slice(Math.max(0, from - 5), from));
  const start = isNew ? from - "new ".length : from;
  return readResult(task, start, end, task.slice(start, end));
}

/** Reads `sorted(f(1)) == [1]`, and `print(f(1))  # 5` or `console.log(f(1)); // 5`. */
function readWrapped(
  task: string,
  from: number,
  open: number,
  isFunction: (name: string) => boolean,
): CodeExample | null {
  const end = scanCall(task, open + 1);
  if (end === null || task[end] !== ")") return null;
  if (!isFunction(task.slice(open + 1, task.indexOf("(", open + 1)))) return null;
  if (!/^(?:print|console\.log)$/.test(task.slice(from, open))) {
    return readResult(task, from, end + 1, task.slice(from, end + 1));
  }
  const start = matchAt(SHOWN, task, end + 1);
  const lineEnd = /[^\n]*/y;
  const value =
    start === null ? "" : task.slice(start, matchAt(lineEnd, task, start) ?? start).trim();
  return value && scanLiteral(value, 0) === value.length && !isNotDemanded(task, from, end)
    ? { kind: "value", call: task.slice(open + 1, end), expected: value }
    : null;
}

function readResult(task: string, from: number, end: number, call: string): CodeExample | null {
  if (
    /(?:\b(?:def|function|func|fn|class|new|const|let|var|assert|raise|throw)\s+|\bassert ?\(|[.\w$])$/.test(
      task.slice(Math.max(0, from - 12), from),
    )
  ) {
    return null;
  }
  const throwsEnd = matchAt(THROWS, task, end);
  if (throwsEnd !== null && !isNotDemanded(task, from, throwsEnd)) {
    const error = /[A-Za-z_]+$/.exec(task.slice(end, throwsEnd))?.[0] ?? "";
    return { kind: "error", call, error: /^(?:error|exception)$/i.test(error) ? "" : error };
  }
  const demanded = matchAt(DEMANDS, task, end);
  const symbol = matchAt(SYMBOLS, task, end);
  const start =
    demanded ??
    matchAt(ARROW, task, end) ??
    matchAt(NEXT_LINE, task, end) ??
    (symbol !== null && isExampleStart(task, from) ? symbol : null);
  if (start === null || isNotDemanded(task, from, start)) return null;
  const expected = readValue(task, start);
  return expected === null ? null : { kind: "value", call, expected };
}

/** Returns the value at `from`, unless what follows could belong to it. */
function readValue(task: string, from: number): string | null {
  const start = matchAt(/[`*]{0,3}/y, task, from) ?? from;
  const end = scanLiteral(task, start);
  if (end === null || matchAt(BOUNDARY, task, end) === null) return null;
  const value = task.slice(start, end);
  // A comma between digits, as in "1,000", does not end a value.
  if (/^-?\d{1,3}$/.test(value) && /^,\d{3}\b/.test(task.slice(end, end + 5))) return null;
  return value;
}

/** Symbols state an example only at the start of a line or of quoted code; elsewhere they are code. */
function isExampleStart(task: string, from: number): boolean {
  const line = task
    .slice(Math.max(0, from - 200, task.lastIndexOf("\n", from - 1) + 1), from)
    .replace(/\bawait $/, "");
  return (
    LINE_START.test(line) ||
    /[`"']$/.test(line) ||
    AFTER_EXAMPLE_WORD.test(line) ||
    /[.,;:]\s*$/.test(line)
  );
}

function isNotDemanded(task: string, from: number, end: number): boolean {
  const start = Math.max(task.lastIndexOf("\n", from - 1) + 1, from - 200);
  const before =
    task
      .slice(start, from)
      .split(/(?<=[.!?;])\s+/)
      .at(-1) ?? "";
  const between = task.slice(from, end).replace(/"[^"\n]*"|'[^'\n]*'/g, "");
  if (FIRM.test(between)) return false;
  const after = /^[^\n.;]{0,80}/.exec(task.slice(end, end + 80))?.[0] ?? "";
  return (
    NOT_DEMANDED.test(before) ||
    /\b(?:instead of|rather than|but (?:it )?should|which is wrong|wrong(?:ly)?|incorrect(?:ly)?|bug|not)\b/i.test(
      after,
    )
  );
}

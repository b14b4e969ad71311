import { extractFencedBlocks } from "@/server/judging/checks/text/layout";
import type { ExecutableLanguage } from "./code-run";

const MAX_CODE = 100_000;

/** The ways to read a deliverable as a program, and their language. */
export interface Programs {
  language: ExecutableLanguage;
  programs: string[];
  /** Whether the code comes from fenced blocks, which leave no doubt about what is code. */
  isFenced: boolean;
  /** Whether the only fenced block is a file in the task's language, so that it must be valid. */
  isWholeFile: boolean;
}

/**
 * Lists the ways to read a deliverable as a program: each of its code blocks, the same completed by
 * the task's own code, and all blocks together. Leaves out code that only repeats the task's. Returns
 * null if there is no code in an executable language.
 */
export function listPrograms(
  task: string,
  deliverable: string,
  wanted: ExecutableLanguage | null,
): Programs | null {
  const fenced = extractFencedBlocks(deliverable).filter(
    ({ code }) => code.trim() !== "" && code.length <= MAX_CODE,
  );
  if (fenced.some(({ language }) => language === "diff" || language === "patch")) return null;
  const blocks = fenced.filter(({ code }) => !repeatsTask(task, code));
  const language = chooseLanguage(blocks, deliverable, wanted);
  if (!language) return null;
  const usable = blocks.filter(({ language: label, code }) => isInLanguage(label, code, language));
  if (usable.length === 0 && fenced.length > 0) return null;
  const codes =
    usable.length > 0
      ? usable.map(({ code }) => code)
      : extractUnfenced(task, deliverable, language);
  if (codes.length === 0) return null;
  const completed = codes.flatMap((code) =>
    language === "python" ? completeStub(task, code) : completeScriptStub(task, code),
  );
  const all = codes.length > 1 ? [codes.join("\n\n")] : [];
  const programs = [...new Set([...codes.slice(0, 5), ...completed.slice(0, 4), ...all])];
  const [only, ...others] = fenced;
  const isWholeFile =
    only !== undefined &&
    others.length === 0 &&
    getLabelledLanguage(only.language) === findTaskLanguage(task) &&
    !ASKS_FOR_PART.test(task);
  return { language, programs, isFenced: usable.length > 0, isWholeFile };
}

/** Matches tasks whose answer need not be a valid file. */
const ASKS_FOR_PART =
  /\b(?:bod(?:y|ies)|methods?|fragments?|snippets?|lines?|expressions?|statements?|diffs?|patch|missing (?:code|part))\b/i;

function chooseLanguage(
  blocks: { language: string; code: string }[],
  deliverable: string,
  wanted: ExecutableLanguage | null,
): ExecutableLanguage | null {
  const labels = blocks.flatMap(({ language }) => getLabelledLanguage(language) ?? []);
  if (wanted === "javascript" && !labels.includes("javascript") && labels.includes("typescript")) {
    return "typescript";
  }
  if (wanted && (labels.length === 0 || labels.includes(wanted))) return wanted;
  if (wanted === "typescript" && labels.includes("javascript")) return "typescript";
  if (wanted) return null;
  const [label] = labels;
  return label ?? detectLanguage(blocks.map(({ code }) => code).join("\n") || deliverable);
}

function isInLanguage(label: string, code: string, language: ExecutableLanguage): boolean {
  const labelled = getLabelledLanguage(label);
  const isScript = (one: string | undefined) => one === "javascript" || one === "typescript";
  if (labelled) return labelled === language || (isScript(labelled) && isScript(language));
  if (label !== "" && label !== "text" && label !== "code" && label !== "plaintext") return false;
  const detected = detectLanguage(code);
  return detected === null ? language === "python" : isInLanguage(detected, code, language);
}

const CODE_START: Record<"python" | "script", RegExp> = {
  python: /^(?:def |async def |class |import |from \w[\w.]* import |@\w|[A-Za-z_]\w* = |#!)/,
  script:
    /^(?:export |async function|function|class |const |let |var |import |\/\/|\/\*|['"]use strict)/,
};

/** Extracts the code of a deliverable without fences: from its first to its last line of code. */
function extractUnfenced(
  task: string,
  deliverable: string,
  language: ExecutableLanguage,
): string[] {
  if (deliverable.length > MAX_CODE) return [];
  const lines = deliverable.replace(/\s+$/, "").split("\n");
  const start = CODE_START[language === "python" ? "python" : "script"];
  const first = lines.findIndex((line) => start.test(line));
  // The deliverable may be only the body of a function.
  const stub = language === "python" ? findPythonStub(task) : findScriptSignature(task);
  if (first < 0) return stub ? [deliverable] : [];
  // Prose after the code starts at the left margin.
  const after = lines.findIndex(
    (line, index) => index > first && /^(?:[A-Z][a-z']+|I|This) [a-z]+ [a-z]+\b/.test(line),
  );
  const bodyBefore = lines.slice(0, first).join("\n");
  const code = lines.slice(first, after < 0 ? lines.length : after).join("\n");
  return language === "python" && /^[ \t]+\S/m.test(bodyBefore) ? [deliverable, code] : [code];
}

/** Joins code with the function that the task asks to complete, as its body and after it. */
function completeStub(task: string, code: string): string[] {
  const stub = findPythonStub(task);
  if (!stub) return [];
  if (new RegExp(`^[ \\t]*(?:async )?def ${stub.name}\\b`, "m").test(code)) {
    return [`${stub.code}\n    pass\n\n${code}`];
  }
  const lines = code.replace(/^\n+/, "").split("\n");
  const indent = (line: string) => (line.trim() === "" ? line : `    ${line}`);
  const isIndented = /^[ \t]/.test(lines[0] ?? "");
  const bodies = isIndented
    ? [lines.join("\n")]
    : [lines.map(indent).join("\n"), [indent(lines[0] ?? ""), ...lines.slice(1)].join("\n")];
  return bodies.map((body) => `${stub.code}\n${body}`);
}

const SCRIPT_SIGNATURE =
  /(?:export )?(?:async )?function\*? ([A-Za-z_$][\w$]{0,80}) ?\([^)\n]{0,200}\)(?:\s{0,3}:[^{`\n]{1,60})?/;

/** Returns the only function signature of JavaScript that a task states, as it is written. */
function findScriptSignature(task: string): { name: string; signature: string } | null {
  const all = [...task.matchAll(new RegExp(SCRIPT_SIGNATURE, "g"))];
  const [only] = all;
  const name = only?.[1] ?? "";
  return only && all.every((one) => one[1] === name) ? { name, signature: only[0].trim() } : null;
}

/** Puts the body of a function into the signature that the task states. */
function completeScriptStub(task: string, code: string): string[] {
  const stub = findScriptSignature(task);
  if (!stub) return [];
  const defines = new RegExp(
    `\\bfunction\\*? ?${stub.name.replaceAll("$", "\\$")}\\b|\\b${stub.name.replaceAll("$", "\\$")} ?=`,
  );
  return defines.test(code) ? [] : [`${stub.signature} {\n${code}\n}`];
}

const LABELS: Record<string, ExecutableLanguage> = {
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  javascript: "javascript",
  node: "javascript",
  ts: "typescript",
  tsx: "typescript",
  typescript: "typescript",
  py: "python",
  python: "python",
  python3: "python",
};

export const getLabelledLanguage = (label: string): ExecutableLanguage | undefined =>
  Object.hasOwn(LABELS, label) ? LABELS[label] : undefined;

const SIGNATURE: [ExecutableLanguage, RegExp][] = [
  ["python", /^[ \t]*(?:async )?def [A-Za-z_]\w*[ \t]*\(/m],
  [
    "typescript",
    /^[ \t]*(?:export )?(?:async )?function [\w$]+(?:<[^>\n]{0,60}>)?\([^)\n]{0,200}\w\??: ?\w/m,
  ],
  [
    "javascript",
    /^[ \t]*(?:export (?:default )?)?(?:async )?function\*? ?[\w$]+ ?\(|^[ \t]*(?:export )?const [\w$]+ ?= ?(?:async ?)?(?:\([^)\n]{0,200}\)|[\w$]+) ?=>/m,
  ],
];

/** Returns the language whose function definitions a text contains. */
function detectLanguage(code: string): ExecutableLanguage | null {
  return SIGNATURE.find(([, pattern]) => pattern.test(code))?.[0] ?? null;
}

/** Returns the language in which a task asks for code; null if it does not say, or names several. */
export function findTaskLanguage(task: string): ExecutableLanguage | null {
  const named = [
    ...(/\bpython ?3?\b|\.py\b/i.test(task) ? ["python" as const] : []),
    ...(/\btypescript\b|(?<![\w.])TS\b/i.test(task) ? ["typescript" as const] : []),
    ...(/\bjavascript\b|(?<![\w.])JS\b|\bnode(?:\.?js)?\b|\bES(?:6|20\d\d)\b/i.test(task)
      ? ["javascript" as const]
      : []),
  ];
  const [first, second] = named;
  if (first === "typescript" && second === "javascript" && named.length === 2) return "typescript";
  if (named.length === 1 && first) return first;
  if (named.length > 1) return null;
  const labels = extractFencedBlocks(task).map(({ language }) => getLabelledLanguage(language));
  const label = labels.find((one) => one !== undefined);
  if (label) return label;
  if (/^\s*>>> |^\s*assert \w+[.(]/m.test(task)) return "python";
  return detectLanguage(task) ?? (/\bconsole\.log\(/.test(task) ? "javascript" : null);
}

const NAMED =
  /\b(?:(?:functions?|methods?)\s+(?:is\s+)?(?:must be\s+|should be\s+)?(?:named|called)|(?:call|name) it)\s+[`"'*]{0,3}([A-Za-z_$][\w$]{0,80})/i;
const QUOTED_SIGNATURE =
  /\b(?:functions?|method|implement|write|define|create)\s+(?:an?\s+\w+\s+function\s+)?`(?:def |function |const )?([A-Za-z_$][\w$]{0,80})\s*\(/i;
const DEFINED = /^[ \t]*(?:export )?(?:async )?(?:def|function\*?) +([A-Za-z_$][\w$]{0,80}) ?\(/gm;

/** A name with parameters instead of values: "write parse(text)". */
const NAMED_PARAMETERS =
  /(?<![\w$.])(?!(?:print|len|sum|sorted|range|input|open|map|filter|max|min|str|int|list|set|dict|round|abs|if|for|while|switch|catch|parseInt)\b)([A-Za-z_$][\w$]{0,80})\((?:[a-z_]\w{0,40}(?:, ?[a-z_]\w{0,40}){0,6})\)/g;
const INLINE_DEFINED = /(?<![\w$.])(?:def|function) ([A-Za-z_$][\w$]{0,80})\(/g;

/** Returns the name of the function that a task asks for; empty if it is not certain. */
export function findFunctionName(task: string): string {
  const named = NAMED.exec(task)?.[1] ?? QUOTED_SIGNATURE.exec(task)?.[1];
  if (named && !/^(?:that|which|with|and|it|to|by|the|a|in|on|from)$/i.test(named)) return named;
  const defined = [...task.matchAll(DEFINED)]
    .map(([, name = ""]) => name)
    .filter((name) => !/^(?:test|check$|main$|__)/.test(name));
  // The function to complete is the last one; those before it are helpers.
  const last = defined.at(-1);
  if (last) return last;
  const find = (pattern: RegExp) => new Set([...task.matchAll(pattern)].map(([, one = ""]) => one));
  const inline = find(INLINE_DEFINED);
  const [only = "", ...others] = inline.size > 0 ? inline : find(NAMED_PARAMETERS);
  return others.length === 0 ? only : "";
}

/**
 * Finds the Python function that a task begins and asks to complete. `code` is the task's code up to the
 * end of its signature and docstring.
 */
function findPythonStub(task: string): { name: string; code: string } | null {
  const blocks = extractFencedBlocks(task).map(({ code }) => code);
  for (const text of [...blocks, task]) {
    const lines = text.split("\n");
    const last = lines.findLastIndex((line) => /^def [A-Za-z_]\w*\(/.test(line));
    if (last < 0) continue;
    const first = lines.findIndex((line) =>
      /^(?:from|import|def|class|@|[A-Z_]{2,40} ?=)/.test(line),
    );
    const code = lines.slice(first, last + countStubLines(lines.slice(last))).join("\n");
    const name = /^def ([A-Za-z_]\w*)/.exec(lines[last] ?? "")?.[1] ?? "";
    if (code.length < 20_000 && isUnfinished(lines.slice(last))) return { name, code };
  }
  const inline = [...task.matchAll(INLINE_SIGNATURE)];
  const [only] = inline;
  return only && inline.every(([, name]) => name === only[1])
    ? { name: only[1] ?? "", code: `${(only[0] ?? "").replace(/^`|:?`$/g, "")}:` }
    : null;
}

const INLINE_SIGNATURE =
  /`(?:async )?def ([A-Za-z_]\w{0,80})\([^`\n]{0,200}\)(?: ?-> ?[^`\n]{1,60})?`/g;

/** Returns the number of lines of a stub: its signature and docstring. */
function countStubLines(lines: string[]): number {
  const colon = lines.findIndex((line) => /:\s*(?:#.*)?$/.test(line));
  let at = colon + 1;
  const quote = /^\s*[rR]?("""|''')/.exec(lines[at] ?? "")?.[1];
  if (!quote) return at;
  if ((lines[at] ?? "").split(quote).length > 2) return at + 1;
  at += 1;
  while (at < lines.length && !(lines[at] ?? "").includes(quote)) at += 1;
  return Math.min(at + 1, lines.length);
}

function isUnfinished(lines: string[]): boolean {
  const body =
    lines
      .slice(countStubLines(lines))
      .join("\n")
      .split(/^(?=\S)/m)[0] ?? "";
  return /^\s*(?:pass|\.\.\.|raise NotImplementedError.*|#[^\n]*|return\s*(?:None)?)?\s*$/.test(
    body,
  );
}

const normalise = (code: string) => code.replace(/\s+/g, "");

/** Returns whether the task already contains the code, apart from white space. */
function repeatsTask(task: string, code: string): boolean {
  const text = normalise(code);
  return text.length > 10 && normalise(task).includes(text);
}

import { extractFencedBlocks } from "@/server/judging/checks/text/fenced-blocks";
import type { ExecutableLanguage } from "./code-run";

/** Fence labels of executable languages. */
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
export function detectLanguage(code: string): ExecutableLanguage | null {
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
  /\b(?:functions?|methods?)\s+(?:is\s+)?(?:must be\s+|should be\s+)?(?:named|called)\s+[`"'*]{0,3}([A-Za-z_$][\w$]{0,80})/i;
const QUOTED_SIGNATURE =
  /\b(?:functions?|method|implement|write|define|create)\s+(?:an?\s+\w+\s+function\s+)?`(?:def |function |const )?([A-Za-z_$][\w$]{0,80})\s*\(/i;
const DEFINED = /^[ \t]*(?:export )?(?:async )?(?:def|function\*?) +([A-Za-z_$][\w$]{0,80}) ?\(/gm;

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
  const inline = new Set([...task.matchAll(INLINE_DEFINED)].map(([, name = ""]) => name));
  return inline.size === 1 ? ([...inline][0] ?? "") : "";
}

/** A function that a task begins and asks to complete. */
export interface Stub {
  name: string;
  /** The task's code up to the end of the stub, which ends in a docstring or a comment. */
  code: string;
}

/** Finds the unfinished Python function of a task in the style of HumanEval. */
export function findPythonStub(task: string): Stub | null {
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
  return null;
}

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
export function repeatsTask(task: string, code: string): boolean {
  const text = normalise(code);
  return text.length > 10 && normalise(task).includes(text);
}

import { extractFencedBlocks } from "@/server/judging/checks/text/fenced-blocks";
import type { ExecutableLanguage } from "./code-run";
import { detectLanguage, findPythonStub, getLabelledLanguage, repeatsTask } from "./task-code";

const MAX_CODE = 100_000;

/** The ways to read a deliverable as a program, and their language. */
export interface Programs {
  language: ExecutableLanguage;
  programs: string[];
  /** Whether the code comes from fenced blocks, which leave no doubt about what is code. */
  isFenced: boolean;
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
  const completed = language === "python" ? codes.flatMap((code) => completeStub(task, code)) : [];
  const all = codes.length > 1 ? [codes.join("\n\n")] : [];
  const programs = [...new Set([...codes.slice(0, 5), ...completed.slice(0, 4), ...all])];
  return { language, programs, isFenced: usable.length > 0 };
}

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
  if (first < 0) return language === "python" && findPythonStub(task) ? [deliverable] : [];
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

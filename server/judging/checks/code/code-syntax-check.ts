import { z } from "zod";
import type { ObservedCheck } from "@/server/judging/checks/check";
import { asksForCode } from "@/server/judging/checks/text/code-tasks";
import { extractFencedBlocks, type FencedBlock } from "@/server/judging/checks/text/fenced-blocks";
import type { CodeRun, SyntaxFault, SyntaxLanguage } from "./code-run";
import { getLabelledLanguage, repeatsTask } from "./task-code";
import { readUnfenced } from "./unfenced-code";

const parameters = z.object({});
const MAX_CODE = 60_000;
const MIN_LINES = 3;

/** Matches code that is deliberately incomplete, shows a change or a session, or is a template. */
const IS_FRAGMENT =
  /^\s*(?:\.\.\.|…)|(?:\.\.\.|…)\s*$|^\s*(?:>>>|\$|%|!|In \[)\s|^@@ |^[-+](?![-+\s\d])[^\n]*\n[^\n]*\n?[-+]|^(?:diff|index) |\{\{|\{%|<%|<(?:your|my|the|insert|name|path|value|placeholder)[\w -]*>|\[(?:your|insert)\b|^\s*[{}]?\s*(?:\/\/|#)\s*(?:\.\.\.|…)|\bpseudo-?code\b/im;

/** Matches tasks that ask for a statement, a configuration file or a corrected part of a program. */
const ASKS_FOR_FILE =
  /\b(?:write|give me|create|provide|generate|make|need|want|return|output|reply with|give the|set up)\b[^.]{0,60}?\b(?:(?:CREATE TABLE|SQL|INSERT|SELECT|UPDATE|ALTER TABLE|DDL)\s+(?:statements?|(?:query|queries)|scripts?)|docker-?compose|Dockerfile|makefile|[\w-]{1,40}\.(?:ya?ml|json|sql|sh|py|js|ts)\b|manifests?|(?:corrected|fixed|full|whole|complete|working) (?:function|code|script|query|class|file))/i;

interface Observation {
  count: number;
  faults: { language: SyntaxLanguage; fault: SyntaxFault; code: string }[];
}

/** Parses the main code block of each language in a deliverable, if the task asks for code. */
export const codeSyntaxCheck: ObservedCheck<Record<string, never>, Observation> = {
  name: "code-syntax",
  parameters,
  extract: (task) =>
    asksForCode(task) || ASKS_FOR_FILE.test(task)
      ? [{ check: "code-syntax", parameters: {}, statement: "" }]
      : [],
  describe: () => "The code has no syntax errors",
  async observe({ task, text }, _parameters, io, options) {
    const blocks = listMainBlocks(task, text);
    const observation: Observation = { count: 0, faults: [] };
    for (const { language, code } of blocks) {
      const run: CodeRun = await io.runCode({ kind: "parse", language, code }, options);
      if (run.kind !== "parsed") continue;
      observation.count += 1;
      if (run.error && !isPlaceholder(language, code, run.error)) {
        observation.faults.push({ language, fault: run.error, code });
      }
    }
    return observation.count > 0 ? observation : null;
  },
  run({ text }, _parameters, { count, faults }) {
    if (faults.length === 0) {
      return { outcome: "pass", observed: `${count} ${count === 1 ? "block" : "blocks"} parsed` };
    }
    const details = faults.map(
      ({ language, fault: { line, message } }) => `${language}, line ${line}: ${message}`,
    );
    const passages = faults.flatMap(({ code, fault }) => {
      const from = text.indexOf(code);
      const before = code
        .split("\n")
        .slice(0, fault.line - 1)
        .join("\n").length;
      const end = text.indexOf("\n", from + before + 1);
      return from < 0 ? [] : [{ from: from + before, to: end < 0 ? text.length : end }];
    });
    return {
      outcome: "fail",
      observed: "a syntax error",
      detail: details.join("; ").slice(0, 2_000),
      passages,
    };
  },
};

/** Returns whether the line with the error has a placeholder that the reader is to fill in. */
function isPlaceholder(language: SyntaxLanguage, code: string, { line }: SyntaxFault): boolean {
  const text = code.split("\n")[line - 1] ?? "";
  const hasTags = /^(?:javascript|typescript|go|rust)$/.test(language);
  return (
    // Before a name or a bracket, three dots spread a value.
    /\.\.\.(?![\w$([{])|…|\[[A-Z][A-Z _]+\]/.test(text) ||
    (!hasTags && /<[a-zA-Z][\w -]{0,40}>/.test(text))
  );
}

/** Returns the longest complete block of each language. */
function listMainBlocks(
  task: string,
  deliverable: string,
): { language: SyntaxLanguage; code: string }[] {
  const longest = new Map<SyntaxLanguage, FencedBlock>();
  const fenced = extractFencedBlocks(deliverable);
  const whole = fenced.length === 0 ? readUnfenced(task, deliverable) : null;
  for (const block of whole ? [whole] : fenced) {
    const language = getLabelledLanguage(block.language);
    if (!language || block.code.length > MAX_CODE) continue;
    if (language === "python" && /\bpython ?2\b/i.test(task)) continue;
    if (block.code.length > (longest.get(language)?.code.length ?? 0)) longest.set(language, block);
  }
  return [...longest].flatMap(([language, { code }]) =>
    code.trim().split("\n").length >= MIN_LINES &&
    !IS_FRAGMENT.test(code) &&
    !repeatsTask(task, code)
      ? [{ language, code }]
      : [],
  );
}

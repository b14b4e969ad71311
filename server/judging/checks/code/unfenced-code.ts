import type { FencedBlock } from "@/server/judging/checks/text/fenced-blocks";
import { findTaskLanguage } from "./task-code";

/** How a file of a language begins, and the word by which a task asks for it. */
const FILES: [label: string, asked: RegExp, begins: RegExp][] = [
  [
    "sql",
    /\b(?:SQL|SQLite|Postgres|PostgreSQL|MySQL|query|queries|tables?)\b/i,
    /^(?:--[^\n]*\n\s*)*(?:select|with|insert into|update|delete from|create table)\b/i,
  ],
  ["sh", /\b(?:bash|shell|sh|zsh)\b/i, /^(?:#!\/\S+(?: \w+)?sh\b|[a-z_]\w*\(\) ?\{)/],
  ["dockerfile", /\bDockerfile\b/i, /^(?:#[^\n]*\n\s*)*FROM \S+/],
  [
    "yaml",
    /\b(?:ya?ml|docker-?compose|kubernetes|k8s|workflow|ansible|playbook)\b/i,
    /^(?:#[^\n]*\n\s*)*(?:---\n)?[A-Za-z][\w-]{0,40}:(?:[ \n]|$)/,
  ],
  ["go", /\b(?:go|golang)\b/i, /^(?:package \w+|func [\w(])/],
  ["rust", /\brust\b/i, /^(?:pub )?(?:fn|use|struct|impl|enum|mod) /],
];
const PROGRAMS = {
  python: /^(?:def |async def |class |import \w|from \w[\w.]* import |@\w|[A-Za-z_]\w* = |#)/,
  javascript: /^(?:export |async function|function|class |const |let |var |import |\/\/|\/\*)/,
  typescript:
    /^(?:export |async function|function|class |const |let |var |import |type |interface |\/\/|\/\*)/,
};
/** Matches sentences at the left margin, which no code has outside of comments. */
const PROSE = /^(?:[A-Z][a-z']+|I|A|This|Here)(?: [a-z'’]+,?){2}|^\s*[-*] \*\*|^#{2,6} /m;

/**
 * Returns a deliverable that is nothing but code in the language of the task, as a block with the
 * label of that language; null if it has other text or may be something else.
 */
export function readUnfenced(task: string, deliverable: string): FencedBlock | null {
  const code = deliverable.trim();
  if (code.length > 60_000 || PROSE.test(code)) return null;
  const language = findTaskLanguage(task);
  const isProgram = language !== null && PROGRAMS[language].test(code);
  const label = isProgram
    ? language
    : FILES.find(([, asked, begins]) => asked.test(task) && begins.test(code))?.[0];
  return label === undefined ? null : { language: label, code };
}

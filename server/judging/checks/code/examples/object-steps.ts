import type { CodeExample } from "@/server/judging/checks/code/code-run";
import { extractFencedBlocks } from "@/server/judging/checks/text/layout";
import { scanCall, scanLiteral } from "./scan-literals";

const MAX_STEPS = 40;
const CREATES =
  /^(?:const |let |var )?(?<name>[A-Za-z_$][\w$]{0,40})\s*=\s*(?:new )?(?=[A-Z][\w$]{0,60}\()/;
const CODE_SPAN = /`(?<code>[^`\n]{1,200})`(?<after>[^`\n]{0,80})/g;
const RETURNS =
  /^\s*(?:(?:should|must)\s+(?:then\s+)?(?:return|be|give)|returns?|gives|is|->|=>|→|==)\s*(?=$|[-\d"'[{(TFNtfn])/i;
const COMMENT = /\s*;?\s*(?:#|\/\/)\s*(?:=>|->|→|returns?:?|prints?:?)?\s*/;
const NOT_DEMANDED =
  /\b(?:currently|wrong|bug|instead|not|never|n['’]t|fails?|error|raises?|throws?|about)\b/i;

/**
 * Finds several calls on one object: "After `s = Stack()` and `s.push(2)`, `s.pop()` returns 2", or the
 * lines of a code block with results as comments. Each example runs all steps before it.
 */
export function findObjectSteps(task: string): CodeExample[] {
  const blocks = extractFencedBlocks(task).map(({ code }) => code.split("\n").map(readLine));
  const paragraphs = task.split(/\n\s*\n/).map(readSpans);
  return [...blocks, ...paragraphs].flatMap(toExamples);
}

interface Step {
  code: string;
  /** The stated result. */
  expected: string | null;
}

function readLine(line: string): Step {
  const [code = "", ...rest] = line.split(COMMENT);
  const value = rest.join("").trim();
  const isValue = value !== "" && scanLiteral(value, 0) === value.length;
  return { code: code.trim().replace(/;$/, ""), expected: isValue ? value : null };
}

function readSpans(paragraph: string): Step[] {
  const spans = [...paragraph.matchAll(CODE_SPAN)].slice(0, MAX_STEPS);
  return spans.flatMap(({ groups }, index): Step[] => {
    const { code = "", after = "" } = groups ?? {};
    const previous = spans[index - 1]?.groups?.after ?? "";
    // The value of the call before.
    if (RETURNS.exec(previous)?.[0] === previous) return [];
    const next = spans[index + 1]?.groups?.code ?? "";
    return code.split(/;\s*/).map((part, at, parts) => ({
      code: part.trim(),
      expected: at === parts.length - 1 ? readStated(after, next) : null,
    }));
  });
}

function readStated(after: string, next: string): string | null {
  if (NOT_DEMANDED.test(after)) return null;
  const lead = RETURNS.exec(after)?.[0];
  if (lead === undefined) return null;
  if (lead === after) return scanLiteral(next, 0) === next.length ? next : null;
  const end = scanLiteral(after, lead.length);
  return end !== null && /^\s*(?:$|[.,;)]|and\b)/.test(after.slice(end))
    ? after.slice(lead.length, end)
    : null;
}

function toExamples(steps: readonly Step[]): CodeExample[] {
  const examples: CodeExample[] = [];
  let setup: string[] = [];
  let object: string | null = null;
  for (const { code, expected } of steps.slice(0, MAX_STEPS)) {
    const created = CREATES.exec(code);
    if (created && scanCall(code, created[0].length) === code.length) {
      object = created.groups?.name ?? null;
      setup = [code.replace(/^(?:const|let|var) /, "var ")];
    } else if (object !== null && isCallOn(object, code)) {
      if (expected !== null) {
        examples.push({ kind: "value", call: code, expected, setup: setup.join("\n") });
      }
      setup = [...setup, code];
    }
  }
  return examples;
}

/** Returns whether the code reads an attribute of the object, or calls a method with literals. */
function isCallOn(object: string, code: string): boolean {
  const member = code.slice(object.length + 1);
  const isMember = /^[A-Za-z_$][\w$]*$/.test(member) || scanCall(member, 0) === member.length;
  return code.startsWith(`${object}.`) && isMember;
}

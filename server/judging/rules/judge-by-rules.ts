import { isBlank } from "@/server/judging/canonicalise";
import { hashJson } from "@/server/judging/evidence";
import type { Deliverable, Finding, JudgeInput, Judgement } from "@/server/judging/judge";
import { type DefectKind, isBrokenCode, isPlaceholder, isRefusal, isTaskEcho } from "./defects";
import { checkRequirement, extractRequirements, type Requirement } from "./requirements";

export const ID = "builtin-rules/v1";
export const PREAMBLE =
  "Rule-based check; no language model was used; correctness was not assessed.";

const DEFECTS: Record<DefectKind, { text: string; confidencePpm: number }> = {
  empty: { text: "the deliverable is empty", confidencePpm: 1_000_000 },
  refusal: { text: "the deliverable declines the work", confidencePpm: 900_000 },
  placeholder: { text: "the deliverable is a placeholder", confidencePpm: 900_000 },
  "task-echo": { text: "the deliverable repeats the task", confidencePpm: 900_000 },
  "broken-code": { text: "the code that was asked for does not parse", confidencePpm: 700_000 },
};
const MISSED_REQUIREMENT_PPM = 700_000;
const NO_DEFECT_PPM = 550_000;

/** The built-in judge's judgement. Expects canonical texts. */
export function judgeByRules({ task, deliverable }: JudgeInput): Judgement {
  if (deliverable.kind !== "text" || isBlank(deliverable.text)) return rule([], ["empty"], []);
  const defects = findDefects(task, deliverable.text);
  const requirements = extractRequirements(task);
  const checked = requirements.map((requirement) => checkRequirement(requirement, deliverable));
  return rule(requirements, defects, checked, lacksTaskTerms(task, deliverable));
}

function findDefects(task: string, text: string): DefectKind[] {
  const looks: [DefectKind, (task: string, text: string) => boolean][] = [
    ["refusal", isRefusal],
    ["placeholder", isPlaceholder],
    ["task-echo", isTaskEcho],
    ["broken-code", isBrokenCode],
  ];
  return looks.filter(([, look]) => look(task, text)).map(([kind]) => kind);
}

function rule(
  requirements: Requirement[],
  defects: DefectKind[],
  checked: Finding[],
  unrelated = false,
): Judgement {
  const findings: Finding[] = [
    ...defects.map((kind): Finding => ({ id: kind, text: DEFECTS[kind].text, met: "no" })),
    ...checked,
  ];
  const failed = findings.filter((finding) => finding.met === "no");
  const passed = findings.filter((finding) => finding.met !== "no");
  const confidencePpm = Math.max(
    ...defects.map((kind) => DEFECTS[kind].confidencePpm),
    failed.length > 0 ? MISSED_REQUIREMENT_PPM : NO_DEFECT_PPM,
  );
  const sentences = [
    PREAMBLE,
    failed.length > 0 ? `Defects: ${list(failed)}.` : "No obvious defect was found.",
    passed.length > 0 ? `Also checked: ${list(passed)}.` : "",
    unrelated ? "Warning: hardly any term of the task appears in the deliverable." : "",
  ];
  return {
    judge: { kind: "heuristic", id: ID },
    verdict: failed.length > 0 ? "FAILURE" : "SUCCESS",
    confidencePpm,
    reasoning: sentences.filter(Boolean).join(" "),
    detail: {
      version: ID,
      findings,
      hashes: { rubric: hashJson(requirements), votes: hashJson(findings) },
    },
  };
}

function list(findings: Finding[]): string {
  return findings.map((finding) => finding.text).join("; ");
}

const COVERAGE_WARNING = 0.1;
/** Each is looked for in the whole deliverable; thousands would hold up everything else. */
const MOST_TERMS = 200;

/** A hint only: good work may use other words, another language, or none. */
function lacksTaskTerms(
  task: string,
  deliverable: Extract<Deliverable, { kind: "text" }>,
): boolean {
  const terms = [...new Set(task.toLowerCase().match(/\p{L}{6,}/gu))].slice(0, MOST_TERMS);
  if (terms.length < 5) return false;
  const text = deliverable.text.toLowerCase();
  return terms.filter((term) => text.includes(term)).length < terms.length * COVERAGE_WARNING;
}

import { hashJson } from "@/server/judging/evidence";
import type { Finding, JudgeInput, Judgement } from "@/server/judging/judge";
import { CHECKS, type Checked, type CheckId, runChecks } from "./checks";
import type { DefectKind } from "./defects";

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
/** Has no weight in a score. */
const UNDECIDED_PPM = 500_000;

/** Finding text for a check that exceeded its limits. */
const UNCHECKED: Record<CheckId, string> = {
  refusal: "whether the deliverable declines the work",
  placeholder: "whether the deliverable is a placeholder",
  "task-echo": "whether the deliverable repeats the task",
  "broken-code": "whether the code parses",
  "word-count": "a required word count",
  "list-length": "a required number of list items",
  format: "a required format",
  language: "a required language",
  keywords: "required keywords",
  "task-terms": "whether terms of the task appear",
};

/**
 * Returns the built-in judge's judgement. Expects canonical texts. Pure; may be slow for hostile
 * texts.
 */
export function judgeByRules(input: JudgeInput): Judgement {
  return conclude(input, runChecks(input, CHECKS));
}

/**
 * Derives the judgement from the checks. Those in `unchecked` exceeded their limits, which is
 * evidence of neither failure nor success: unless others failed, the judgement has no weight.
 */
export function conclude(
  { flags = [] }: Pick<JudgeInput, "flags">,
  { defects, requirements, checked, lacksTaskTerms }: Checked,
  unchecked: readonly CheckId[] = [],
): Judgement {
  const findings: Finding[] = [
    ...defects.map((kind): Finding => ({ id: kind, text: DEFECTS[kind].text, met: "no" })),
    ...checked,
    ...unchecked.map(
      (id): Finding => ({ id, text: `${UNCHECKED[id]}: not checked`, met: "cannot_verify" }),
    ),
  ];
  const failed = findings.filter((finding) => finding.met === "no");
  const passed = checked.filter((finding) => finding.met !== "no");
  const noDefectPpm = unchecked.length > 0 ? UNDECIDED_PPM : NO_DEFECT_PPM;
  const confidencePpm = Math.max(
    ...defects.map((kind) => DEFECTS[kind].confidencePpm),
    failed.length > 0 ? MISSED_REQUIREMENT_PPM : noDefectPpm,
  );
  const over = unchecked.map((id) => UNCHECKED[id]).join("; ");
  const sentences = [
    PREAMBLE,
    failed.length > 0 ? `Defects: ${list(failed)}.` : "No obvious defect was found.",
    passed.length > 0 ? `Also checked: ${list(passed)}.` : "",
    over ? `Not checked, since it takes too much time or memory: ${over}.` : "",
    flags.includes("not-normalised") ? "Unicode normalisation was not applied." : "",
    lacksTaskTerms ? "Warning: hardly any term of the task appears in the deliverable." : "",
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

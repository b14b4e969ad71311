import type { Finding, Judgement } from "@/server/judging/judge";
import type { Review, ReviewInput } from "@/server/judging/review";
import type { Verdict } from "@/server/lib/schema";
import type { DefectKind } from "./defects";
import { ID, judgeByRules, PREAMBLE } from "./judge-by-rules";

/** Defects detected reliably enough to decide a stake; the other rules sometimes fail good work. */
const CERTAIN: ReadonlySet<string> = new Set<DefectKind>([
  "empty",
  "refusal",
  "placeholder",
  "task-echo",
]);

/**
 * Reviews by the built-in rules. They cannot weigh statements or evidence, and the explanation says
 * so: the recorded verdict is upheld, unless the texts now show a certain defect, or every defect
 * that the rules had recorded is no longer found. A deliverable that the contractor supplied in the
 * dispute is judged on its own instead, since the recorded defects belong to another text; one that
 * was not checked in full overturns nothing. `judgement`: the rules' judgement of the same texts.
 * Expects canonical texts. Pure.
 */
export function reviewByRules(
  input: ReviewInput,
  judgement: Judgement = judgeByRules(input),
): Review {
  const { verdict, rubric, findings } = input.recorded;
  const now = judgement.detail.findings;
  const isChecked = now.every(({ met }) => met !== "cannot_verify");
  const certain = now.filter(({ id, met }) => met === "no" && CERTAIN.has(id));
  const failed = findings.filter(({ met }) => met === "no");
  const cleared = failed.filter(({ id }) => isCleared(id, now));

  const overturns =
    verdict === "SUCCESS"
      ? certain.length > 0
      : rubric === null &&
        (input.isSupplied
          ? judgement.verdict === "SUCCESS" && isChecked
          : failed.length > 0 && cleared.length === failed.length);
  const finalVerdict = overturns ? opposite(verdict) : verdict;
  const reason = !overturns
    ? `Nothing certain speaks against the recorded verdict, ${verdict}: it stands.`
    : verdict === "SUCCESS"
      ? `The recorded verdict, SUCCESS, falls, since ${list(certain)}.`
      : `The recorded verdict, FAILURE, falls: ${input.isSupplied ? "the deliverable supplied here shows no obvious defect" : "what it rested on is no longer found"}.`;
  return {
    judge: { kind: "heuristic", id: ID },
    version: ID,
    finalVerdict,
    explanation: `${PREAMBLE} The parties' statements and evidence were not weighed either. ${reason}`,
    detail: {
      method: ID,
      recorded: { verdict, failed: failed.map(({ id }) => id) },
      findings: now,
    },
  };
}

/** Returns whether a defect is gone. The rules can only tell for findings of their own. */
function isCleared(id: string, now: Finding[]): boolean {
  const again = now.find((finding) => finding.id === id);
  if (again) return again.met === "yes";
  return CERTAIN.has(id) || id === "broken-code";
}

function opposite(verdict: Verdict): Verdict {
  return verdict === "SUCCESS" ? "FAILURE" : "SUCCESS";
}

function list(findings: Finding[]): string {
  return findings.map(({ text }) => text).join("; ");
}

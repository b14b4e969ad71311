import { formatCount } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import type { PublicJudgement } from "@/server/judging/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { CheckedFacts, groupFacts } from "./checked-facts";
import { Criteria } from "./criteria";

interface Props {
  outcome: PublicOutcome;
  judgement: PublicJudgement;
}

/** Shows what the judge required and found, criterion by criterion. */
export function Reasoning({ outcome, judgement }: Props) {
  const { judge, findings, checks } = judgement;
  const confidence = outcome.llmConfidence ?? 0;
  const reasoning = <p className="break-words whitespace-pre-line">{outcome.llmJudgeReasoning}</p>;
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="text-lg">{SUMMARIES[judge.kind](judgement)}</p>
      {judge.kind !== "heuristic" && findings.length > 0 && <Criteria findings={findings} />}
      {checks.length > 0 && (
        <div>
          {judge.kind === "llm" && <h3 className="mb-3 font-medium">Automated checks</h3>}
          <CheckedFacts facts={checks} />
        </div>
      )}
      {judge.kind === "heuristic" && (
        <Notice>
          Automated checks only; no language model was used.
          {confidence <= 0.5
            ? " Correctness was not assessed, so this verdict has no weight in the score."
            : " Nothing else was assessed."}
        </Notice>
      )}
      {judge.kind !== "gate" && (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer text-muted hover:text-ink">
            Full reasoning
          </summary>
          <div className="mt-3">{reasoning}</div>
        </details>
      )}
      <p className="text-sm text-muted">This is public. Task and deliverable stay private.</p>
    </div>
  );
}

const SUMMARIES: Record<PublicJudgement["judge"]["kind"], (judgement: PublicJudgement) => string> =
  {
    llm: summarizeFindings,
    heuristic: summarizeChecks,
    gate: () => "Decided by a rule, without a judge.",
  };

function summarizeChecks({ checks, verdict }: PublicJudgement): string {
  const { failed, passed } = groupFacts(checks);
  const total = failed.length + passed.length;
  if (total === 0) return "No requirement of the task could be checked.";
  if (failed.length === 0) return total === 1 ? "1 check passed." : `All ${total} checks passed.`;
  const count = failed.length === total ? "" : `${failed.length} of `;
  const failures = `${count}${formatCount(total, "check")} failed`;
  return verdict === "FAILURE" ? `${failures}.` : `${failures}, but not reliably enough to decide.`;
}

function summarizeFindings({ findings, verdict }: PublicJudgement): string {
  const musts = findings.filter(({ kind }) => kind === "must");
  const met = musts.filter((finding) => finding.met === "yes").length;
  const all =
    musts.length === 1 ? "The one required criterion" : `All ${musts.length} required criteria`;
  if (verdict === "SUCCESS") return `${all} ${musts.length === 1 ? "is" : "are"} met.`;
  if (met === 0 && musts.length > 1) return `None of the ${musts.length} required criteria is met.`;
  return musts.length === 1
    ? `${all} is not met.`
    : `${met} of ${musts.length} required criteria ${met === 1 ? "is" : "are"} met; a success needs all.`;
}

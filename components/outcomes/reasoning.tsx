import { ProportionBar } from "@/components/charts/proportion-bar";
import { formatPercent } from "@/components/ui/format";
import type { PublicJudgement } from "@/server/judging/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { Criteria } from "./criteria";

interface Props {
  outcome: PublicOutcome;
  judgement: PublicJudgement;
}

/** What was found, criterion by criterion, and how sure the judge is. */
export function Reasoning({ outcome, judgement }: Props) {
  const { judge, findings } = judgement;
  const confidence = outcome.llmConfidence ?? 0;
  const reasoning = <p className="break-words whitespace-pre-line">{outcome.llmJudgeReasoning}</p>;
  return (
    <div className="grid grid-cols-1 gap-5">
      {judge.kind === "heuristic" ? (
        reasoning
      ) : (
        <p className="text-lg">
          {judge.kind === "llm"
            ? inOneSentence(judgement)
            : "Decided by rule, before any judge was asked."}
        </p>
      )}
      {findings.length > 0 && (
        <div>
          <Criteria findings={findings} />
        </div>
      )}
      <ProportionBar
        label="How sure the judge is"
        fraction={confidence}
        say={formatPercent(confidence)}
      />
      {judge.kind === "heuristic" && (
        <p className="rounded-md bg-notice px-4 py-3 text-sm text-notice-ink">
          This verdict comes from the built-in rules. They find obvious defects; they do not assess
          whether the work is correct, so it weighs little in the score.
        </p>
      )}
      {judge.kind === "llm" && (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer text-muted hover:text-ink">
            The reasoning in one piece, as it is kept
          </summary>
          <div className="mt-3">{reasoning}</div>
        </details>
      )}
      <p className="text-sm text-muted">
        What stands here is public and quotes neither the task nor the deliverable: those are
        private to the two parties.
      </p>
    </div>
  );
}

function inOneSentence({ findings, verdict }: PublicJudgement): string {
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

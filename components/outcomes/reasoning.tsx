import { Fold } from "@/components/ui/fold";
import { formatCount } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import type { Dispute } from "@/server/disputes/schema";
import type { PublicJudgement } from "@/server/judging/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { POLICY } from "@/server/reputation/policy";
import { Examinations } from "./examinations";
import { FactList } from "./fact-list";
import { MetMark } from "./met-mark";
import { VerdictMark } from "./verdict-mark";

interface Props {
  outcome: PublicOutcome;
  judgement: PublicJudgement;
}

/** Shows why the verdict is as it is: what was demanded and found, who examined, and what code checked. */
export function Reasoning({ outcome, judgement }: Props) {
  const { judge, checks, examinations, verdict, confidence } = judgement;
  const text = outcome.llmJudgeReasoning ?? "";
  const isByChecks = judge.kind === "heuristic" && !outcome.evidence?.agreement;
  return (
    <div className="grid grid-cols-1 gap-5">
      {examinations.length > 0 ? (
        <Examined outcome={outcome} judgement={judgement} />
      ) : isByChecks ? (
        <CheckedWork
          checks={checks}
          isFailure={verdict === "FAILURE"}
          isAssessed={confidence > POLICY.minConfidence}
          text={text}
        />
      ) : (
        <p className="text-lg break-words whitespace-pre-line">{text}</p>
      )}
      {checks.length > 0 && !isByChecks && <CodeChecks checks={checks} />}
      <p className="text-sm text-muted">
        This reasoning is public. Task and deliverable stay private.
      </p>
    </div>
  );
}

interface ReviewProps {
  dispute: Dispute;
  examinations: PublicJudgement["examinations"];
}

/** Shows why a review decided as it did, who examined, and what code checked, as for an outcome. */
export function ReviewReasoning({ dispute, examinations }: ReviewProps) {
  const { checks = [], judge, reason = "", finalVerdict, assessed } = dispute;
  const isByChecks = judge?.kind === "heuristic" && checks.length > 0;
  return (
    <div className="grid grid-cols-1 gap-5">
      {isByChecks ? (
        <CheckedWork
          checks={checks}
          isFailure={finalVerdict === "FAILURE"}
          isAssessed={assessed === true}
          text={reason}
        />
      ) : (
        <p className="break-words whitespace-pre-line">{reason}</p>
      )}
      {examinations.length > 0 && <Examinations examinations={examinations} isReview />}
      {checks.length > 0 && !isByChecks && <CodeChecks checks={checks} />}
    </div>
  );
}

const CodeChecks = ({ checks }: { checks: Fact[] }) => (
  <div>
    <h3 className="mb-3 font-medium">Checked by code</h3>
    <CheckedFacts facts={checks} />
  </div>
);

interface CheckedWorkProps {
  checks: Fact[];
  isFailure: boolean;
  isAssessed: boolean;
  text: string;
}

/** Shows what code checked of work that nothing else judged, and the whole reasoning on demand. */
function CheckedWork({ checks, isFailure, isAssessed, text }: CheckedWorkProps) {
  return (
    <>
      <p className="text-lg">{summarizeChecks(checks, isFailure)}</p>
      {checks.length > 0 && <CheckedFacts facts={checks} />}
      <Notice>
        Automated checks only; no language model was used.
        {isAssessed
          ? " How good the rest is was not assessed."
          : " They can't tell whether this work is good, so the verdict has no weight in the score."}
      </Notice>
      <Fold summary="Full reasoning">
        <p className="text-sm break-words whitespace-pre-line">{text}</p>
      </Fold>
    </>
  );
}

/**
 * Shows what the examinations found. The written reasoning has a line on agreed requirements if there are
 * some, one on the whole work, one for each demand, which an agreement keeps private, one on who examined,
 * and then the remarks.
 */
function Examined({ outcome, judgement }: Props) {
  const lines = (outcome.llmJudgeReasoning ?? "").split("\n");
  const agreed = outcome.evidence?.agreement;
  const requirements = agreed ? lines.shift() : null;
  // The verdict, which the mark shows, is its first sentence.
  const whole = lines.shift()?.replace(/^[^.]*\.\s*/, "");
  const isAssessed = judgement.confidence > POLICY.minConfidence;
  const demands = judgement.findings.slice(agreed?.requirements.length ?? 0);
  const remarks = lines.slice(agreed ? 1 : demands.length + 1);
  return (
    <>
      {requirements && <p className="text-lg">{requirements}</p>}
      <p className="text-lg break-words">
        <VerdictMark verdict={isAssessed ? judgement.verdict : "NOT_ASSESSED"} large />
        <span className="ml-3">{whole}</span>
      </p>
      {demands.length > 0 && <Demands demands={demands} />}
      <Examinations examinations={judgement.examinations} />
      {remarks.length > 0 && (
        <Notice>
          {remarks.map((remark) => (
            <p key={remark}>{remark}</p>
          ))}
        </Notice>
      )}
    </>
  );
}

/** Lists what was demanded, and whether it is met. */
function Demands({ demands }: { demands: PublicJudgement["findings"] }) {
  return (
    <ol className="divide-y divide-line border-y border-line">
      {demands.map(({ id, met, text, note }) => (
        <li key={id} className="grid gap-x-5 gap-y-1 py-3 sm:grid-cols-[6.5rem_1fr]">
          <MetMark met={met} />
          <div className="min-w-0">
            <p className="font-medium break-words first-letter:uppercase">{text}</p>
            {note && <p className="mt-0.5 text-sm break-words">{note}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function summarizeChecks(checks: readonly Fact[], isFailure: boolean): string {
  const { failed, passed, incomplete } = groupFacts(checks);
  const total = failed.length + passed.length;
  const rest = incomplete.length > 0 ? `, ${incomplete.length} could not be completed` : "";
  if (total === 0) return "No requirement of the task could be checked.";
  if (failed.length === 0)
    return `${total === 1 || rest ? formatCount(total, "check") : `All ${total} checks`} passed${rest}.`;
  const count = failed.length === total ? "" : `${failed.length} of `;
  const failures = `${count}${formatCount(total, "check")} failed${rest}`;
  return isFailure ? `${failures}.` : `${failures}, but not reliably enough to decide.`;
}

type Fact = PublicJudgement["checks"][number];

/** Checks that nearly all work passes, so that passing one says little. */
const BASIC_CHECKS = new Set(["refusal", "cut-off"]);

/** Matches how the results of checks say that something was not reached, read or compared. */
const INCOMPLETE = /could|cannot|not (?:reachable|requested|compared)|exceeds/;

/** Groups results by what they say about the work. */
function groupFacts(facts: readonly Fact[]) {
  const failed = facts.filter(({ outcome }) => outcome === "fail");
  const incomplete = facts
    .filter((fact) => fact.outcome !== "fail" && INCOMPLETE.test(fact.observed))
    .map(
      (fact) => ({ ...fact, outcome: fact.outcome === "pass" ? "partly" : "unchecked" }) as const,
    );
  const rest = facts.filter(
    ({ id, outcome }) => outcome !== "fail" && !incomplete.some((one) => one.id === id),
  );
  const passed = rest.filter(
    ({ outcome, stated, check }) => outcome === "pass" && (stated || !BASIC_CHECKS.has(check)),
  );
  return { failed, passed, incomplete, others: rest.filter((fact) => !passed.includes(fact)) };
}

/** Lists what code checked: failures first, then what passed or could not be completed; the rest on demand. */
function CheckedFacts({ facts }: { facts: Fact[] }) {
  const { failed, passed, incomplete, others } = groupFacts(facts);
  const shown = [...failed, ...passed, ...incomplete];
  return (
    <div>
      {shown.length > 0 && <FactList facts={shown} />}
      {others.length > 0 && (
        <Fold summary={describeOthers(others)} className={shown.length > 0 ? "mt-3" : ""}>
          <FactList facts={others} />
        </Fold>
      )}
    </div>
  );
}

function describeOthers(others: readonly Fact[]): string {
  const basic = others.filter(({ outcome }) => outcome === "pass").length;
  const unused = others.length - basic;
  return [
    basic > 0 ? `${formatCount(basic, "basic check")} passed` : "",
    unused > 0 ? `${unused} not applicable` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

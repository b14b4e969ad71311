import { formatCount } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import type { Met, PublicJudgement } from "@/server/judging/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { FactList } from "./fact-list";
import { getMetLabel, MetGlyph, MetMark } from "./met-mark";

interface Props {
  outcome: PublicOutcome;
  judgement: PublicJudgement;
}

/** Shows what the judge required and found, criterion by criterion. */
export function Reasoning({ outcome, judgement }: Props) {
  const { judge, findings, checks } = judgement;
  const confidence = outcome.llmConfidence ?? 0;
  const reasoning = <p className="break-words whitespace-pre-line">{outcome.llmJudgeReasoning}</p>;
  const agreed = outcome.evidence?.agreement;
  if (agreed) {
    // The findings on the requirements come first.
    const criteria = findings.slice(agreed.requirements.length);
    return (
      <div className="grid grid-cols-1 gap-5">
        <div className="text-lg">{reasoning}</div>
        {judge.kind === "llm" && criteria.length > 0 && <Criteria findings={criteria} />}
        <p className="text-sm text-muted">
          This reasoning is public. Task and deliverable stay private.
        </p>
      </div>
    );
  }
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
            ? " They can't tell whether this work is good, so the verdict has no weight in the score."
            : " How good the rest is was not assessed."}
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
      <p className="text-sm text-muted">
        This reasoning is public. Task and deliverable stay private.
      </p>
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

type Fact = PublicJudgement["checks"][number];

/** Checks that nearly all work passes, so that passing one says little. */
const BASIC_CHECKS = new Set(["refusal", "placeholder", "cut-off"]);

/** Groups results by what they say about the work. */
function groupFacts(facts: readonly Fact[]) {
  const failed = facts.filter(({ outcome }) => outcome === "fail");
  const passed = facts.filter(
    ({ outcome, stated, check }) => outcome === "pass" && (stated || !BASIC_CHECKS.has(check)),
  );
  const others = facts.filter((fact) => !failed.includes(fact) && !passed.includes(fact));
  return { failed, passed, others };
}

/** Lists what code checked: failures first, then what passed; the rest on demand. */
export function CheckedFacts({ facts }: { facts: Fact[] }) {
  const { failed, passed, others } = groupFacts(facts);
  const shown = [...failed, ...passed];
  return (
    <div>
      {shown.length > 0 && <FactList facts={shown} />}
      {others.length > 0 && (
        <details className={shown.length > 0 ? "mt-3" : undefined}>
          <summary className="w-fit cursor-pointer text-sm text-muted hover:text-ink">
            {describeOthers(others)}
          </summary>
          <div className="mt-3">
            <FactList facts={others} />
          </div>
        </details>
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

type PublicFinding = PublicJudgement["findings"][number];

/** Lists every criterion with its result. */
function Criteria({ findings }: { findings: PublicFinding[] }) {
  const isRubric = findings.some(({ kind }) => kind !== null);
  return (
    <div>
      <ol className="divide-y divide-line border-y border-line">
        {findings.map((finding) => (
          <li key={finding.id} className="grid gap-x-5 gap-y-1.5 py-4 sm:grid-cols-[8.5rem_1fr]">
            <div className="flex items-baseline justify-between gap-3 sm:block">
              <MetMark met={finding.met} byCode={finding.kind === null} />
              {finding.kind && (
                <p className="text-sm text-muted sm:mt-1 sm:pl-6.5">
                  {finding.kind === "must" ? "required" : "desirable"}
                </p>
              )}
            </div>
            <div className="min-w-0">
              <p className="font-medium break-words first-letter:uppercase">{finding.text}</p>
              {finding.note && <p className="mt-1 text-sm break-words">{finding.note}</p>}
              {finding.votes && <Votes votes={finding.votes} />}
            </div>
          </li>
        ))}
      </ol>
      {isRubric && (
        <p className="mt-3 text-sm text-muted">
          Success requires every required criterion. Desirable ones are only reported.
        </p>
      )}
    </div>
  );
}

const ORDER: Met[] = ["yes", "partial", "no", "cannot_verify"];

/** Shows one shape per vote, with a text alternative. */
function Votes({ votes }: { votes: Record<Met, number> }) {
  const results = ORDER.filter((met) => votes[met] > 0);
  const total = results.reduce((sum, met) => sum + votes[met], 0);
  const text =
    results.length === 1
      ? `${total === 1 ? "the only vote" : `all ${total} votes`}: ${getMetLabel(results[0] as Met)}`
      : `of ${total} votes, ${results.map((met) => `${votes[met]} ${getMetLabel(met)}`).join(", ")}`;
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <span className="flex gap-0.5" aria-hidden="true">
        {results.flatMap((met) =>
          Array.from({ length: votes[met] }, (_, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: votes with the same result look alike.
            <MetGlyph key={`${met} ${n + 1}`} met={met} className="size-4" />
          )),
        )}
      </span>
      <span className="first-letter:uppercase">{text}</span>
    </p>
  );
}

import type { Met, PublicJudgement } from "@/server/judging/schema";
import { labelFor, MetGlyph, MetMark } from "./met-mark";

type PublicFinding = PublicJudgement["findings"][number];

/** Lists every criterion, or every check of a rule, with its result. */
export function Criteria({ findings }: { findings: PublicFinding[] }) {
  const isRubric = findings.some(({ kind }) => kind !== null);
  return (
    <>
      <ol className="divide-y divide-line border-y border-line">
        {findings.map((finding, index) => (
          <li key={finding.id} className="grid gap-x-5 gap-y-1.5 py-4 sm:grid-cols-[8.5rem_1fr]">
            <div className="flex items-baseline justify-between gap-3 sm:block">
              <MetMark met={finding.met} byRule={finding.kind === null} />
              {finding.kind && (
                <p className="text-sm text-muted sm:mt-1 sm:pl-6.5">
                  {finding.kind === "must" ? "required" : "desirable"}
                </p>
              )}
            </div>
            <div className="min-w-0">
              <p className="font-medium break-words first-letter:uppercase">
                {finding.text ?? (
                  <span className="font-normal text-muted italic">
                    Criterion {index + 1} is private because it repeats the task or deliverable.
                  </span>
                )}
              </p>
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
    </>
  );
}

const ORDER: Met[] = ["yes", "partial", "no", "cannot_verify"];

/** Shows one shape per vote, with a text alternative. */
function Votes({ votes }: { votes: Record<Met, number> }) {
  const results = ORDER.filter((met) => votes[met] > 0);
  const total = results.reduce((sum, met) => sum + votes[met], 0);
  const text =
    results.length === 1
      ? `${total === 1 ? "the only vote" : `all ${total} votes`}: ${labelFor(results[0] as Met)}`
      : `of ${total} votes, ${results.map((met) => `${votes[met]} ${labelFor(met)}`).join(", ")}`;
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <span className="flex gap-0.5" aria-hidden="true">
        {results.map((met) => (
          <Shapes key={met} met={met} count={votes[met]} />
        ))}
      </span>
      <span className="first-letter:uppercase">{text}</span>
    </p>
  );
}

function Shapes({ met, count }: { met: Met; count: number }) {
  return Array.from({ length: count }, (_, n) => n).map((n) => (
    <MetGlyph key={n} met={met} className="size-4" />
  ));
}

import type { Met, PublicJudgement } from "@/server/judging/schema";
import { MetGlyph, MetMark, wordOf } from "./met-mark";

type PublicFinding = PublicJudgement["findings"][number];

/** Every criterion, or what a rule looked at, with what became of it. */
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
                    Criterion {index + 1}: its words repeat the private texts; the two parties can
                    read it.
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
          Everything required has to be met for a success. What is desirable is only reported.
        </p>
      )}
    </>
  );
}

const ORDER: Met[] = ["yes", "partial", "no", "cannot_verify"];

/** One shape for each vote, and the same in words. */
function Votes({ votes }: { votes: Record<Met, number> }) {
  const said = ORDER.filter((met) => votes[met] > 0);
  const total = said.reduce((sum, met) => sum + votes[met], 0);
  const words =
    said.length === 1
      ? `${total === 1 ? "the only vote" : `all ${total} votes`}: ${wordOf(said[0] as Met)}`
      : `of ${total} votes, ${said.map((met) => `${votes[met]} ${wordOf(met)}`).join(", ")}`;
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <span className="flex gap-0.5" aria-hidden="true">
        {said.map((met) => (
          <Shapes key={met} met={met} count={votes[met]} />
        ))}
      </span>
      <span className="first-letter:uppercase">{words}</span>
    </p>
  );
}

function Shapes({ met, count }: { met: Met; count: number }) {
  return Array.from({ length: count }, (_, n) => n).map((n) => (
    <MetGlyph key={n} met={met} className="size-4" />
  ));
}

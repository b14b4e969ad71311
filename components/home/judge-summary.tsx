import { isRunOf } from "@/components/judging/measured-run";
import { formatPercent } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { TextLink } from "@/components/ui/text-link";
import type { BenchRun, JudgeInService } from "@/server/judging/schema";

const ABILITIES = {
  llm: {
    can: "Weighs every requirement in three votes that must quote the work; code checks numbers, formats, sources and programs.",
    cannot: "Isn't proof. It can be wrong, and doesn't see what happened outside the deliverable.",
  },
  heuristic: {
    can: "Checks in code: lengths, formats, arithmetic, sources, programs.",
    cannot:
      "No language model, so it can't assess writing, advice or judgment. What it can't check doesn't move a score.",
  },
} as const;

interface Props {
  judge: JudgeInService;
  /** Runs of the last committed benchmark. */
  runs: BenchRun[];
}

/** States what the judge in service can and cannot do, with its measured accuracy. */
export function JudgeSummary({ judge, runs }: Props) {
  const { can, cannot } = ABILITIES[judge.kind];
  const measured = runs.find((run) => isRunOf(judge, run))?.overall;
  return (
    <section className="mt-10">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-2xl font-semibold">The judge</h2>
        <TextLink href="/judge" className="inline-flex min-h-6 items-center text-sm">
          {judge.id}
        </TextLink>
      </div>
      {judge.status === "unavailable" && (
        <p className="mt-3 rounded-md bg-notice px-3 py-2 text-sm text-notice-ink">
          Unavailable now. Outcomes wait until it is back.
        </p>
      )}
      <ul className="mt-3 grid gap-2 text-sm">
        <li className="flex gap-2.5">
          <Icon
            path="M4.5 10.5l3.5 3.5 7.5-8"
            className="mt-px size-4.5 shrink-0 text-good"
            strokeWidth={2.2}
          />
          <span>{can}</span>
        </li>
        <li className="flex gap-2.5">
          <Icon
            path="M5.5 5.5l9 9m0-9l-9 9"
            className="mt-px size-4.5 shrink-0 text-bad"
            strokeWidth={2.2}
          />
          <span>{cannot}</span>
        </li>
      </ul>
      {measured && (
        <dl className="mt-3 grid grid-cols-2 gap-4 text-sm">
          <div>
            <dt className="text-muted">Good work accepted</dt>
            <dd className="font-serif text-2xl font-semibold">
              {formatPercent(measured.tpr.value)}
            </dd>
          </div>
          <div>
            <dt className="text-muted">Bad work rejected</dt>
            <dd className="font-serif text-2xl font-semibold">
              {formatPercent(measured.tnr.value)}
            </dd>
          </div>
        </dl>
      )}
    </section>
  );
}

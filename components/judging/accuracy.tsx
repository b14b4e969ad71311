import type { BenchRun, JudgeInService } from "@/server/judging/schema";
import { AccuracyFigures } from "./accuracy-figures";

interface Props {
  judge: JudgeInService;
  /** Runs of the last committed benchmark. */
  runs: BenchRun[];
}

/** Shows the measured accuracy of judges, the one in service first. */
export function Accuracy({ judge, runs }: Props) {
  const isInService = (run: BenchRun) =>
    run.judge.id === judge.id &&
    run.judge.version === judge.version &&
    run.judge.calibration === judge.calibration;
  const ordered = [...runs].sort((a, b) => Number(isInService(b)) - Number(isInService(a)));
  return (
    <div className="grid grid-cols-1 gap-8">
      {!runs.some(isInService) && (
        <p className="rounded-md bg-notice px-4 py-3 text-notice-ink">
          <span className="font-medium">Not measured:</span> there are no accuracy figures for the
          judge in service with this version and calibration.
          {runs.length > 0 && " These are for other judges or versions."}
        </p>
      )}
      {ordered.map((run) => (
        <section key={`${run.judge.id} ${run.judge.version} ${run.measuredOn} ${run.set.name}`}>
          <h3 className="mb-2 text-lg font-medium break-words">
            {run.judge.id}
            {isInService(run) && <span className="text-muted"> (in service)</span>}
          </h3>
          <AccuracyFigures run={run} />
        </section>
      ))}
    </div>
  );
}

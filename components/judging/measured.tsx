import type { BenchRun, JudgeInService } from "@/server/judging/schema";
import { MeasuredFigures } from "./measured-figures";

interface Props {
  judge: JudgeInService;
  /** Of the last committed bench. */
  runs: BenchRun[];
}

/** How right judges were on labelled cases: the one in service first, or that it was not measured. */
export function Measured({ judge, runs }: Props) {
  const isInService = (run: BenchRun) =>
    run.judge.id === judge.id &&
    run.judge.version === judge.version &&
    run.judge.calibration === judge.calibration;
  const ordered = [...runs].sort((a, b) => Number(isInService(b)) - Number(isInService(a)));
  return (
    <div className="grid grid-cols-1 gap-8">
      {!runs.some(isInService) && (
        <p className="rounded-md bg-notice px-4 py-3 text-notice-ink">
          <span className="font-medium">Not measured:</span> the judge in service, in this version
          and with this calibration. There is no figure to tell how often it is right.
          {runs.length > 0 && " What follows was measured of other judges or versions."}
        </p>
      )}
      {ordered.map((run) => (
        <section key={`${run.judge.id} ${run.judge.version} ${run.measuredOn} ${run.set.name}`}>
          <h3 className="mb-2 text-lg font-medium break-words">
            {run.judge.id}
            {isInService(run) && <span className="text-muted"> (in service)</span>}
          </h3>
          <MeasuredFigures run={run} />
        </section>
      ))}
    </div>
  );
}

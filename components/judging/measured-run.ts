import type { BenchRun, JudgeInService } from "@/server/judging/schema";

/** Whether a benchmark measured exactly the judge in service. */
export const isRunOf = (judge: JudgeInService, run: BenchRun): boolean =>
  run.judge.id === judge.id &&
  run.judge.version === judge.version &&
  run.judge.calibration === judge.calibration;

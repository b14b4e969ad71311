import type { Writable } from "node:stream";
import { DEFENCES, type Defence } from "@/server/judging/panel/defences";
import { type Candidate, judgeCase } from "./judge-case";
import { type LabelledCase, readLabelledSet } from "./labelled-set";
import { showProgress } from "./progress";
import type { Findings, Trial } from "./report";
import { runAll } from "./run-cases";

export interface MeasureOptions {
  set: LabelledFile;
  attacks: LabelledFile | null;
  /** Also runs the attacks with each of the judge's defences off. */
  ablate: boolean;
  concurrency: number;
  /** Waits between tries. */
  pause: (ms: number) => Promise<unknown>;
  progress: Writable & { isTTY?: boolean };
  signal?: AbortSignal;
}

export interface LabelledFile {
  file: string;
  cases: readonly LabelledCase[];
}

export function openLabelledFile(file: string): LabelledFile {
  return { file, cases: readLabelledSet(file) };
}

/** Measures the judge on every part, one after the other. */
export async function measureJudge(
  candidate: Candidate,
  options: MeasureOptions,
): Promise<Pick<Findings, "set" | "attacks" | "defences">> {
  const trial = (file: LabelledFile, name: string, off?: Defence) =>
    runTrial(candidate, file, { ...options, name, ...(off ? { off } : {}) });

  const set = await trial(options.set, "Set");
  const attacks = options.attacks && (await trial(options.attacks, "Attacks"));
  const defences: Findings["defences"] = [];
  if (options.attacks && options.ablate) {
    for (const off of candidate.defences) {
      defences.push({ off, trial: await trial(options.attacks, `Attacks without ${off}`, off) });
    }
  }
  return { set, attacks, defences };
}

async function runTrial(
  candidate: Candidate,
  { file, cases }: LabelledFile,
  options: MeasureOptions & { name: string; off?: Defence },
): Promise<Trial> {
  const { name, off, concurrency, pause, signal } = options;
  const defences = DEFENCES.filter((defence) => defence !== off);
  const progress = showProgress(options.progress, name, cases.length);
  try {
    const measured = await runAll(
      cases,
      concurrency,
      async (one) => {
        const result = await judgeCase(candidate, one, {
          defences,
          pause,
          ...(signal ? { signal } : {}),
        });
        progress.step();
        return result;
      },
      signal,
    );
    return { file, cases, measured };
  } finally {
    progress.end();
  }
}

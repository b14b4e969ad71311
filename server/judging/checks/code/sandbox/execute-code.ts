import { z } from "zod";
import type { ObserveOptions } from "@/server/judging/checks/check";
import {
  type CodeJob,
  type CodeRun,
  exampleResult,
  type ProgramRun,
  programEnd,
} from "@/server/judging/checks/code/code-run";
import { parseJson } from "@/server/judging/checks/formats/tables";
import { FairQueue } from "@/server/lib/process/fair-queue";
import { acquireMutex } from "@/server/lib/process/mutex";
import { runSandboxProcess, type SandboxLimits, type SandboxResult } from "./sandbox-process";

type Interpreter = "python" | "javascript";

/** Enough for nearly all programs, so that none waits for more than seconds. */
const SHORT = { cpuMs: 4_000, exampleMs: 1_000 };
/** For the rest, in a queue of its own. `exampleMs` applies to JavaScript only. */
const LONG = { cpuMs: 12_000, exampleMs: 5_000 };
const MAX_OUTPUT = 256 * 1024;
const SNAPSHOT_LIMITS = { cpuMs: 60_000, maxOutput: 64 * 1024 * 1024 };
/** Random numbers of jobs without a `world`, which run at the present time. */
const FIXED_SEED = "0".repeat(64);
const MAX_PROGRAMS = 8;
const MAX_EXAMPLES = 30;

const step = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("loading") }),
  programEnd.extend({ kind: z.literal("program") }),
  exampleResult.extend({ kind: z.literal("example") }),
  z.object({ kind: z.literal("done") }),
]);

const shortRuns = new FairQueue(2);
const longRuns = new FairQueue(1);
let snapshot: Promise<Buffer> | undefined;
/** Why the latest process of an interpreter did not start, if it did not. */
const startErrors = new Map<Interpreter, string>();

type Limits = Partial<SandboxLimits> & { exampleMs?: number };

interface ExecuteOptions extends ObserveOptions {
  /** Other limits than the usual ones, for tests. */
  short?: Limits | undefined;
  long?: Limits | undefined;
}

/**
 * Compiles, executes or tests untrusted programs in a sandbox, one process for each run, and one at a time for
 * each submitter. A job that exceeds the short limits runs again, after others like it, with longer
 * ones. Never throws.
 */
export async function executeCode(
  job: CodeJob,
  { signal, queueKey, short, long }: ExecuteOptions = {},
): Promise<CodeRun> {
  const programs = job.programs.slice(0, MAX_PROGRAMS);
  const bounded: CodeJob =
    job.kind === "execute"
      ? { ...job, programs, examples: job.examples.slice(0, MAX_EXAMPLES) }
      : { ...job, programs };
  const release = queueKey ? await acquireMutex(`sandbox ${queueKey.join(" ")}`, queueKey) : null;
  try {
    const run = await shortRuns.run(queueKey, () =>
      runProcess(bounded, { ...SHORT, ...short }, signal),
    );
    if (!isOutOfTime(run)) return toCodeRun(run);
    return await longRuns.run(queueKey, () => runInTurn(bounded, { ...LONG, ...long }, signal));
  } finally {
    release?.();
  }
}

/** Runs a job; if a program uses up the time, runs those after it in what remains. */
async function runInTurn(
  job: CodeJob,
  limits: Limits & { cpuMs: number },
  signal: AbortSignal | undefined,
): Promise<CodeRun> {
  const first = await runProcess(job, limits, signal);
  const remaining = job.programs.slice(first.programs.length);
  if (first.end !== "time" || first.programs.length === 0 || remaining.length === 0) {
    return toCodeRun(first);
  }
  const next = await runProcess({ ...job, programs: remaining }, limits, signal);
  return { kind: "executed", programs: [...first.programs, ...next.programs] };
}

/** What a process reported before it ended. */
interface ProcessRun {
  programs: ProgramRun[];
  end: SandboxResult["end"];
  isReady: boolean;
}

async function runProcess(
  job: CodeJob,
  { exampleMs, ...limits }: Limits & { cpuMs: number },
  signal: AbortSignal | undefined,
): Promise<ProcessRun> {
  const interpreter: Interpreter = job.language === "python" ? "python" : "javascript";
  const start = interpreter === "python" ? await getPythonSnapshot() : Buffer.alloc(0);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(start.length);
  const world = job.world ?? { startsAt: Date.now(), seed: FIXED_SEED };
  const input = [head, start, Buffer.from(JSON.stringify({ ...job, world, exampleMs }))];
  const script = `${interpreter}-process.mjs`;
  const result = await runSandboxProcess(
    script,
    [],
    input,
    { maxOutput: MAX_OUTPUT, ...limits },
    signal,
  );
  const run = readSteps(result, countResults(job));
  if (run.isReady) startErrors.delete(interpreter);
  else if (run.end === "failed" && !signal?.aborted) {
    startErrors.set(interpreter, result.errorText || "it ended before it was ready");
  }
  return run;
}

/** Whether the latest process of each interpreter started; true before the first. */
export const getStartedInterpreters = (): Record<Interpreter, boolean> => ({
  javascript: !startErrors.has("javascript"),
  python: !startErrors.has("python"),
});

/**
 * Starts a sandbox, so that one that can't start is reported before a deliverable needs it. Returns
 * the error, or null. Leaves out Python, whose first start takes seconds.
 */
export async function checkSandbox(): Promise<string | null> {
  await executeCode({ kind: "execute", language: "javascript", programs: [""], examples: [] });
  return startErrors.get("javascript") ?? null;
}

const isOutOfTime = ({ end, programs }: ProcessRun): boolean =>
  end === "time" ||
  end === "overload" ||
  programs.some(
    ({ ending, results }) =>
      ending === "endless" ||
      results.some(({ outcome, got }) => outcome === "limit" && got === "time"),
  );

/** Creates the snapshot on first use, which takes about 4 s of CPU time and 31 MB. */
function getPythonSnapshot(): Promise<Buffer> {
  snapshot ??= runSandboxProcess(
    "python-process.mjs",
    ["snapshot"],
    [Buffer.alloc(4)],
    SNAPSHOT_LIMITS,
  ).then(({ output, end }) => {
    if (end === "done") return output;
    // Python then starts without it, and the next job tries again.
    snapshot = undefined;
    return Buffer.alloc(0);
  });
  return snapshot;
}

/** Returns how many results a program has if no limit ends it. */
function countResults(job: CodeJob): number {
  if (job.kind === "execute") return job.examples.length;
  return job.kind === "test" ? 1 : 0;
}

function readSteps({ output, end }: SandboxResult, exampleCount: number): ProcessRun {
  const steps = output
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      const parsed = step.safeParse(parseJson(line)?.value);
      return parsed.success ? [parsed.data] : [];
    });
  const programs: ProgramRun[] = [];
  let isLoading = false;
  for (const entry of steps) {
    isLoading = entry.kind === "loading";
    if (entry.kind === "program") {
      const { ending, error } = entry;
      programs.push({ ending, error, results: [] });
    } else if (entry.kind === "example") {
      programs.at(-1)?.results.push({ outcome: entry.outcome, got: entry.got.slice(0, 300) });
    }
  }
  const isDone = end === "done" && steps.at(-1)?.kind === "done";
  const last = programs.at(-1);
  if (end === "time" && isLoading) {
    programs.push({ ending: "endless", error: "time", results: [] });
  } else if (end === "time" && last && last.results.length < exampleCount) {
    last.results.push({ outcome: "limit", got: "time" });
  }
  return {
    programs,
    end: isDone || end !== "done" ? end : "failed",
    isReady: steps[0]?.kind === "ready",
  };
}

function toCodeRun({ programs, end, isReady }: ProcessRun): CodeRun {
  if (end === "done") return { kind: "executed", programs };
  if (end === "overload") return { kind: "unavailable", reason: "overloaded" };
  if (!isReady) return { kind: "unavailable", reason: "the sandbox did not start" };
  if (end === "time" && programs.length > 0) return { kind: "executed", programs };
  return { kind: "limit", limit: end === "failed" ? "memory" : end };
}

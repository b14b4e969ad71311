import { basename } from "node:path";
import type { Writable } from "node:stream";
import pLimit from "p-limit";
import { canonicaliseCase } from "@/server/judging/canonicalise-case";
import {
  type Canonical,
  type Judge,
  type JudgeInput,
  type Judgement,
  JudgeUnavailable,
} from "@/server/judging/judge";
import type { CallRecord } from "@/server/judging/schema";
import { isAttack, type LabelledCase } from "./labelled-set";
import type { CallCounter } from "./recording";
import type { JudgedCase } from "./statistics/figures";

/** Maximum attempts per case. */
export const MAX_ATTEMPTS = 3;

/** A judge to be measured. */
export interface Candidate {
  readonly kind: Judge["kind"];
  readonly id: string;
  readonly version: string;
  /** Models as requested; empty without one. */
  readonly models: readonly string[];
  /** Version of the calibration table behind its confidence. */
  readonly calibration: string | null;
  /** Opens the judge for one attempt at one case. `counter` is null if it calls no model. */
  open(caseId: string, attempt: number): { judge: Judge; counter: CallCounter | null };
}

/** Result of one case. `judgement` is null if the judge was unavailable on every attempt. */
export interface MeasuredCase extends JudgedCase {
  judgement: Judgement | null;
  /** Every call of all attempts. */
  calls: CallRecord[];
  /** Calls of the deciding attempt that had to wait for each other. */
  roundTrips: number;
  /** Why there is no verdict. */
  unavailable?: string;
}

export interface LabelledFile {
  file: string;
  cases: readonly LabelledCase[];
}

/** Returns the name of a set: its file without folder and extension. */
export const nameSet = ({ file }: LabelledFile): string => basename(file).replace(/\.jsonl?$/, "");

/** The cases of one file with their results, in file order. */
export interface MeasuredFile extends LabelledFile {
  measured: readonly MeasuredCase[];
}

export interface CaseOptions {
  signal?: AbortSignal | undefined;
  /** Waits between attempts. */
  pause: (ms: number) => Promise<unknown>;
}

/**
 * Judges one case in the order of the service: canonical texts, pre-check, judge. Retries if the judge
 * is unavailable; the last attempt is marked as such, as in the service.
 */
export async function judgeCase(
  candidate: Candidate,
  labelled: LabelledCase,
  { signal, pause }: CaseOptions,
): Promise<MeasuredCase> {
  const { id, category, label, task, deliverable } = labelled;
  const about = { id, label, isAttack: isAttack(labelled) };
  const submitted: JudgeInput = {
    task,
    category,
    deliverable: { kind: "text", text: deliverable, source: "content" },
  };
  const { decided, input } = canonicaliseCase(submitted);
  const calls: CallRecord[] = [];
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const lastAttempt = attempt === MAX_ATTEMPTS;
    const { judge, counter } = candidate.open(id, attempt);
    try {
      const judgement = decided ?? (await judge.judge(input as Canonical, { lastAttempt, signal }));
      await counter?.waitUntilIdle();
      calls.push(...(counter?.calls ?? []));
      const { verdict, confidencePpm } = judgement;
      const confidence = confidencePpm / 1e6;
      const roundTrips = counter?.roundTrips ?? 0;
      return { ...about, verdict, confidence, judgement, calls, roundTrips };
    } catch (error) {
      await counter?.waitUntilIdle();
      signal?.throwIfAborted();
      if (!(error instanceof JudgeUnavailable)) throw error;
      calls.push(...(counter?.calls ?? []));
      if (lastAttempt) {
        const undecided = { verdict: null, confidence: 0, judgement: null };
        return { ...about, ...undecided, calls, roundTrips: 0, unavailable: error.message };
      }
      await pause((error.retryAfterSeconds ?? 2 ** attempt) * 1000);
    }
  }
}

export interface MeasureOptions extends CaseOptions {
  sets: readonly LabelledFile[];
  concurrency: number;
  progress: Writable;
}

/** Measures the judge on every set, one after the other. */
export async function measureJudge(
  candidate: Candidate,
  { sets, concurrency, progress, ...options }: MeasureOptions,
): Promise<MeasuredFile[]> {
  const measuredFiles: MeasuredFile[] = [];
  for (const { file, cases } of sets) {
    const count = countProgress(progress, nameSet({ file, cases }), cases.length);
    const limit = pLimit(concurrency);
    try {
      const measured = await limit.map(cases, async (one) => {
        const result = await judgeCase(candidate, one, options);
        count();
        return result;
      });
      measuredFiles.push({ file, cases, measured });
    } finally {
      limit.clearQueue();
    }
  }
  return measuredFiles;
}

/** Returns a function that counts one more as done and prints a line at every tenth. */
export function countProgress(out: Writable, name: string, total: number): () => void {
  const started = performance.now();
  const tenths = (count: number) => Math.floor((count * 10) / total);
  let done = 0;
  return () => {
    done += 1;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    if (tenths(done) > tenths(done - 1)) {
      out.write(`${name}: ${done} of ${total} (${seconds} s)\n`);
    }
  };
}

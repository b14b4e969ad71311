import type { EngineEvent } from "./accept-events";

/**
 * When something is due: at a time, or a delay after it is stored. Delays use the database's clock,
 * which all processes share, so a process with a wrong clock does not skip its waits.
 */
export type Due = { at: Date } | { inMs: number };

/** The effect of a call on its run. */
export type Effect =
  | { kind: "step-done"; step: string; output: unknown }
  | { kind: "sleep"; step: string; due: Due }
  | { kind: "retry"; due: Due; error: unknown }
  | { kind: "completed"; output: unknown }
  | { kind: "failed"; error: unknown };

/** Identifies one pick-up of a job: a later one has another number or another worker. */
export interface Pickup {
  run: string;
  pickups: number;
  worker: string;
}

/** A job that this process runs, with everything that a call of its function receives. */
export interface TakenJob extends Pickup {
  functionId: string;
  /** Failed attempts of the current step. */
  attempt: number;
  /** The event that started the run; null if it was pruned and the failed run is retried after that. */
  event: EngineEvent | null;
  /** Finished steps in order of completion. */
  steps: { id: string; output: unknown }[];
}

/** The result of a call. */
export interface CallResult {
  job: TakenJob;
  effects: Effect[];
}

/** Calls the function of a job. */
export type Call = (job: TakenJob) => Promise<Effect[]>;

/** Seconds to wait after the first, second … failed attempt; the last value repeats. */
const BACKOFF = [10, 30, 60, 120, 300, 600, 1_200, 2_400, 3_600];

/** Returns the delay after failed attempt `attempt` (from 0) that requested no other. */
export function getBackoff(attempt: number): { inMs: number } {
  const seconds = BACKOFF[Math.min(attempt, BACKOFF.length - 1)] ?? 3_600;
  return { inMs: seconds * 1_000 };
}

/** Creates the effect of an error that no retry can fix. */
export const createFailure = (message: string): Effect => ({
  kind: "failed",
  error: { name: "Error", message },
});

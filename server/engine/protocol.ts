import { z } from "zod";
import type { EngineEvent } from "./accept-events";
import { ENGINE_URL, type RegisteredFunction } from "./function-table";

/**
 * When something is due: at a time, or a delay after it is stored. Delays use the database's clock,
 * which all processes share, so a process with a wrong clock does not skip its waits.
 */
export type Due = { at: Date } | { inMs: number };

/** Seconds to wait after the first, second … failed attempt; the last value repeats. */
const BACKOFF = [10, 30, 60, 120, 300, 600, 1_200, 2_400, 3_600];

/** Returns the delay after failed attempt `attempt` (from 0) that requested no other. */
export function getBackoff(attempt: number): { inMs: number } {
  const seconds = BACKOFF[Math.min(attempt, BACKOFF.length - 1)] ?? 3_600;
  return { inMs: seconds * 1_000 };
}

/** A call of a function, as the SDK's handler gets it. */
export interface SdkCall {
  url: URL;
  body: unknown;
}

/** The handler's answer to a call. */
export interface SdkAnswer {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** JSON, or empty. */
  body: string;
}

/** Calls the SDK's handler, in this process (`serveInProcess`) or another. */
export type Serve = (call: SdkCall) => Promise<SdkAnswer>;

/** The effect of a response of the SDK on the run. */
export type Effect =
  | { kind: "step-done"; step: string; name: string | null; output: unknown }
  | { kind: "sleep"; step: string; name: string | null; due: Due }
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
  /** Protocol version of the SDK's responses; null before the first one. */
  version: number | null;
  /** The event that started the run; null if it was pruned and the failed run is retried after that. */
  event: EngineEvent | null;
  /** Finished steps in order of completion. */
  steps: { id: string; output: unknown }[];
}

/** The result of a call. */
export interface CallResult {
  job: TakenJob;
  effects: Effect[];
  /** Protocol version of the SDK's response; null if there was none. */
  version: number | null;
}

/** Creates the effect of an error that no retry can fix. */
export const createFailure = (message: string): Effect => ({
  kind: "failed",
  error: { name: "Error", message },
});

/** Calls a function as an Inngest server would over HTTP. Throws if the response is invalid. */
export async function callFunction(
  serve: Serve,
  fn: RegisteredFunction,
  job: TakenJob,
): Promise<Omit<CallResult, "job">> {
  const stack = job.steps.map((step) => step.id);
  const body = {
    version: job.version ?? -1,
    event: job.event,
    events: [job.event],
    steps: Object.fromEntries(job.steps.map((step) => [step.id, step.output])),
    defers: {},
    use_api: false,
    ctx: {
      run_id: job.run,
      attempt: job.attempt,
      max_attempts: fn.maxAttempts,
      disable_immediate_execution: false,
      use_api: false,
      stack: { stack, current: Math.max(0, stack.length - 1) },
      fn_id: fn.id,
      qi_id: `${job.pickups}:${job.worker}`,
    },
  };
  const query = new URLSearchParams({ fnId: fn.id, stepId: "step" });
  const answer = await serve({ url: new URL(`${ENGINE_URL}api/inngest?${query}`), body });
  const { attempt } = job;
  return {
    version: Number(answer.headers["x-inngest-req-version"] ?? 2),
    effects: parseAnswer(answer, { attempt, maxAttempts: fn.maxAttempts }),
  };
}

/**
 * Parses the `qi_id` of a checkpoint of `run`, which identifies the pick-up that sent it. Returns null
 * if the engine did not issue it.
 */
export function parseQueueItem(run: string, text: string): Pickup | null {
  const [, pickups, worker] = /^(\d+):(.+)$/.exec(text) ?? [];
  return worker ? { run, pickups: Number(pickups), worker } : null;
}

const op = z.looseObject({
  op: z.string(),
  id: z.string(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** Parses the steps of a checkpoint or of a 206 response. Throws if the body has another shape. */
export const parseOps = (body: unknown): z.infer<typeof op>[] => z.array(op).parse(body);

/**
 * Translates a response of the SDK into effects, in order. Protocol of inngest 4: 200 is a result,
 * 206 an array of operations, 500 means retry, and 400 with `x-inngest-no-retry` is final.
 */
function parseAnswer(
  { status, headers, body: text }: SdkAnswer,
  { attempt, maxAttempts }: { attempt: number; maxAttempts: number },
): Effect[] {
  const body = text === "" ? null : JSON.parse(text);
  const due = parseRetryAfter(headers["retry-after"] ?? null) ?? getBackoff(attempt);
  const exhausted = attempt + 1 >= maxAttempts;
  if (status === 200) return [{ kind: "completed", output: body }];
  if (status !== 206) {
    const isFinal = headers["x-inngest-no-retry"] === "true" || exhausted;
    return [isFinal ? { kind: "failed", error: body } : { kind: "retry", due, error: body }];
  }
  const operations = parseOps(body);
  // Once a call takes longer than the SDK allows (ten seconds), it names the next step instead of
  // running it. Another call does.
  if (operations.length === 1 && operations[0]?.op === "StepPlanned") return [];
  return operations.map((operation) =>
    operation.op === "StepError" && !exhausted
      ? { kind: "retry", due, error: operation.error }
      : toEffect(operation),
  );
}

/** Returns the effect of one operation. An unsupported operation fails the run with a reason. */
export function toEffect(operation: z.infer<typeof op>): Effect {
  const name = operation.displayName ?? operation.name ?? null;
  const step = { step: operation.id, name };
  switch (operation.op) {
    case "StepRun":
      return { kind: "step-done", ...step, output: { data: operation.data ?? null } };
    case "StepError":
    case "StepFailed":
      return { kind: "step-done", ...step, output: { error: operation.error } };
    case "RunComplete":
      return { kind: "completed", output: operation.data ?? null };
    case "Sleep": {
      // `step.sleepUntil` sends a time, `step.sleep` a duration such as `1h30m`.
      const at = new Date(operation.name ?? "");
      if (!Number.isNaN(at.getTime())) return { kind: "sleep", ...step, due: { at } };
    }
  }
  const message = `step "${name}": the embedded engine runs step.run and step.sleepUntil, one at a time, not ${operation.op} ${operation.name ?? ""}`;
  return createFailure(message);
}

/**
 * Parses a `retry-after` header: whole seconds or an ISO time. Returns null if it is missing or
 * neither.
 */
export function parseRetryAfter(header: string | null): Due | null {
  if (!header) return null;
  if (/^\d+$/.test(header)) return { inMs: Number(header) * 1_000 };
  const at = new Date(header);
  return Number.isNaN(at.getTime()) ? null : { at };
}

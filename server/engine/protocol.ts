import { z } from "zod";
import { type Call, type Due, getBackoff, type HeldJob } from "./jobs";
import { ENGINE_URL, type RegisteredFunction } from "./registry";
import type { RunState } from "./runs";

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

/** One HTTP-like response of the SDK. */
export interface SdkResponse {
  status: number;
  noRetry: boolean;
  retryAfter: string | null;
  version: number;
  body: unknown;
}

/** Calls a function as an Inngest server would over HTTP. */
export async function callFunction(
  serve: Serve,
  fn: RegisteredFunction,
  run: RunState,
  { attempt }: Call,
  job: HeldJob,
): Promise<SdkResponse> {
  const stack = run.steps.map((step) => step.id);
  const body = {
    version: run.version ?? -1,
    event: run.event,
    events: [run.event],
    steps: Object.fromEntries(run.steps.map((step) => [step.id, step.output])),
    defers: {},
    use_api: false,
    ctx: {
      run_id: run.id,
      attempt,
      max_attempts: fn.maxAttempts,
      disable_immediate_execution: false,
      use_api: false,
      stack: { stack, current: Math.max(0, stack.length - 1) },
      fn_id: fn.id,
      qi_id: `${job.id}:${job.attempts}:${job.pool}`,
    },
  };
  const query = new URLSearchParams({ fnId: fn.id, stepId: "step" });
  const answer = await serve({ url: new URL(`${ENGINE_URL}api/inngest?${query}`), body });
  return {
    status: answer.status,
    noRetry: answer.headers["x-inngest-no-retry"] === "true",
    retryAfter: answer.headers["retry-after"] ?? null,
    version: Number(answer.headers["x-inngest-req-version"] ?? 2),
    body: answer.body === "" ? null : JSON.parse(answer.body),
  };
}

/**
 * Parses `qi_id`, which identifies the pick-up of the job that sent a checkpoint. Returns null if the
 * engine did not issue it.
 */
export function parseQueueItem(text: string): Omit<HeldJob, "payload"> | null {
  const match = /^(\d+):(\d+):(.+)$/.exec(text);
  return match ? { id: match[1] ?? "", attempts: Number(match[2]), pool: match[3] ?? "" } : null;
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
export function parseResponse(
  response: SdkResponse,
  { attempt, maxAttempts }: { attempt: number; maxAttempts: number },
): Effect[] {
  const due = parseRetryAfter(response.retryAfter) ?? getBackoff(attempt);
  const exhausted = attempt + 1 >= maxAttempts;
  if (response.status === 200) return [{ kind: "completed", output: response.body }];
  if (response.status !== 206) {
    const error = response.body;
    const final = response.noRetry || exhausted;
    return [final ? { kind: "failed", error } : { kind: "retry", due, error }];
  }
  const operations = parseOps(response.body);
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
  return { kind: "failed", error: { name: "Error", message } };
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

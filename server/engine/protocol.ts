import { z } from "zod";
import { type Due, nextAttempt, parseDue, parseRetryAfter } from "./duration";
import { compileExpression, type Expression } from "./expression";

/** What one response of the SDK means for the run. */
export type Effect =
  | { kind: "step-done"; step: string; name: string | null; output: unknown }
  | { kind: "step-planned"; step: string; name: string | null; eager: boolean }
  | { kind: "sleep"; step: string; name: string | null; eager: boolean; due: Due }
  | {
      kind: "wait";
      step: string;
      name: string | null;
      eager: boolean;
      due: Due;
      event: string;
      condition: string | null;
    }
  | {
      kind: "invoke";
      step: string;
      name: string | null;
      eager: boolean;
      due: Due | null;
      functionId: string;
      data: Record<string, unknown>;
    }
  | { kind: "discover" }
  | { kind: "retry"; due: Due; error: unknown }
  | { kind: "completed"; output: unknown }
  | { kind: "failed"; error: unknown };

/** A call of the whole function (`step` null) or of one planned step of it. */
export interface Call {
  run: string;
  step: string | null;
  /** From 0. */
  attempt: number;
}

/** One HTTP-like response of the SDK. */
export interface Answer {
  status: number;
  noRetry: boolean;
  retryAfter: string | null;
  version: number;
  body: unknown;
}

const op = z.looseObject({
  op: z.string(),
  id: z.string(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
  opts: z
    .looseObject({
      timeout: z.string().nullish(),
      if: z.string().nullish(),
      function_id: z.string().nullish(),
      payload: z.looseObject({ data: z.record(z.string(), z.unknown()).nullish() }).nullish(),
      parallelMode: z.string().nullish(),
    })
    .nullish(),
});
type Op = z.infer<typeof op>;

/** Parses the steps of a checkpoint or of a 206 response. Throws if the body has another shape. */
export const parseOps = (body: unknown): Op[] => z.array(op).parse(body);

/**
 * Translates a response of the SDK into effects, in order. Protocol of inngest 4: 200 is a result,
 * 206 an array of operations, 500 means retry, and 400 with `x-inngest-no-retry` is final.
 */
export function readAnswer(
  answer: Answer,
  call: { attempt: number; maxAttempts: number },
): Effect[] {
  const due = parseRetryAfter(answer.retryAfter) ?? nextAttempt(call.attempt);
  const exhausted = call.attempt + 1 >= call.maxAttempts;
  const failure = (error: unknown): Effect =>
    answer.noRetry || exhausted ? { kind: "failed", error } : { kind: "retry", due, error };
  if (answer.status === 200) return [{ kind: "completed", output: answer.body }];
  if (answer.status !== 206) return [failure(answer.body)];
  return parseOps(answer.body).map((found) => {
    if (found.op === "StepError" && !exhausted) return { kind: "retry", due, error: found.error };
    return readOp(found, answer.version);
  });
}

/** Compiles the condition of a wait over `event` (the run's own) and `async` (the awaited one). */
export const compileWait = (source: string): Expression =>
  compileExpression(source, ["event", "async"]);

/** Returns the effect of one operation. An unsupported operation fails the run with a reason. */
export function readOp(found: Op, version: number): Effect {
  const name = found.displayName ?? found.name ?? null;
  // Protocol version 1 continues after every step; version 2 when none is pending, or in a race.
  const eager = version === 1 || found.opts?.parallelMode === "race";
  const step = { step: found.id, name };
  const planned = { ...step, eager };
  try {
    switch (found.op) {
      case "StepRun":
        return { kind: "step-done", ...step, output: { data: found.data ?? null } };
      case "StepError":
      case "StepFailed":
        return { kind: "step-done", ...step, output: { error: found.error } };
      case "StepPlanned":
        return { kind: "step-planned", ...planned };
      case "Sleep":
        return { kind: "sleep", ...planned, due: parseDue(found.name ?? "") };
      case "WaitForEvent":
        if (found.opts?.if) compileWait(found.opts.if);
        return {
          kind: "wait",
          ...planned,
          due: parseDue(found.opts?.timeout ?? ""),
          event: found.name ?? "",
          condition: found.opts?.if ?? null,
        };
      case "InvokeFunction":
        return {
          kind: "invoke",
          ...planned,
          due: found.opts?.timeout ? parseDue(found.opts.timeout) : null,
          functionId: found.opts?.function_id ?? "",
          data: found.opts?.payload?.data ?? {},
        };
      case "DiscoveryRequest":
        return { kind: "discover" };
      case "RunComplete":
        return { kind: "completed", output: found.data ?? null };
      default:
        throw new Error(`${found.op} is not supported by the embedded engine`);
    }
  } catch (error) {
    return { kind: "failed", error: { name: "Error", message: (error as Error).message } };
  }
}

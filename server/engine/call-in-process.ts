import { NonRetriableError, RetryAfterError } from "inngest";
import { stdSerializers } from "pino";
import type postgres from "postgres";
import { createBatcher } from "@/server/db/batch";
import { isPermanentError } from "@/server/db/permanent-error";
import type { BackgroundFunction, FunctionCall, Steps } from "@/server/lib/background-function";
import { isNodeLimit } from "@/server/lib/unavailable";
import {
  type Call,
  createFailure,
  type Due,
  type Effect,
  getBackoff,
  type Pickup,
  type TakenJob,
} from "./calls";
import { getFunctionId, POSTPONED } from "./function-table";
import { storeSteps } from "./jobs";

/** Returns how to call `functions` in this process. Their steps are stored through `sql`. */
export function callInProcess<D>(
  sql: postgres.Sql,
  functions: BackgroundFunction<D>[],
  dependencies: D,
): Call {
  const byId = new Map(functions.map((fn) => [getFunctionId(fn), fn]));
  const store: StoreStep = createBatcher((calls) => storeSteps(sql, calls));
  return async (job) => {
    const fn = byId.get(job.functionId);
    if (!fn) return [createFailure(`the function ${job.functionId} is not registered`)];
    const ended = Promise.withResolvers<Effect[]>();
    const call = {
      event: job.event,
      attempt: job.attempt,
      runId: job.run,
      step: createSteps(job, fn.retries, { store, end: ended.resolve }),
    } as FunctionCall;
    const complete = async (): Promise<Effect[]> => {
      const output = toJson(await fn.handler(call, dependencies));
      return [{ kind: "completed", output }];
    };
    return Promise.race([complete(), ended.promise]).catch((error: unknown) => [
      toEffect(error, job, fn.retries),
    ]);
  };
}

type StoreStep = (step: { job: Pickup; effects: Effect[] }) => Promise<boolean>;

/**
 * Creates the steps of a call. `end` ends the call before the function returns; the step that called it
 * then waits for ever, and is dropped with the function.
 */
function createSteps(
  job: TakenJob,
  retries: number,
  { store, end }: { store: StoreStep; end: (effects: Effect[]) => void },
): Steps {
  const done = new Map(job.steps.map(({ id, output }) => [id, output]));
  const endCall = (effects: Effect[]) => {
    end(effects);
    return new Promise<never>(() => {});
  };
  return {
    async run<T>(id: string, work: () => T | Promise<T>): Promise<T> {
      if (done.has(id)) return (done.get(id) as { data: T }).data;
      let data: unknown;
      try {
        data = toJson(await work());
      } catch (error) {
        // After the last attempt, the function may catch it.
        if (isFinal(error, job, retries)) throw error;
        return endCall([toEffect(error, job, retries)]);
      }
      const effect: Effect = { kind: "step-done", step: id, output: { data } };
      const isStored = await store({ job, effects: [effect] }).catch((error: Error) => {
        if (!isPermanentError(error)) throw error;
        throw new NonRetriableError(`the result cannot be stored: ${error.message}`);
      });
      // Another process may have taken the call over, and goes on. Attempts are those of one step.
      return isStored && job.attempt === 0 ? (data as T) : endCall([]);
    },
    async sleepUntil(id, time) {
      if (!done.has(id)) await endCall([{ kind: "sleep", step: id, due: { at: new Date(time) } }]);
    },
  };
}

/** Returns a value as it is read from the database, so that a resumed run gets what the first one got. */
const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

const isFinal = (error: unknown, { attempt }: TakenJob, retries: number) =>
  error instanceof NonRetriableError || attempt >= retries;

/**
 * Returns the effect of what a function has thrown. A run whose last attempt met a node that limits
 * requests ends without failing, as in `toInngest`.
 */
function toEffect(error: unknown, job: TakenJob, retries: number): Effect {
  const described = describeError(error);
  if (isFinal(error, job, retries)) {
    return isNodeLimit(error)
      ? { kind: "completed", output: POSTPONED }
      : { kind: "failed", error: described };
  }
  const after = error instanceof RetryAfterError ? parseRetryAfter(error.retryAfter) : null;
  return { kind: "retry", due: after ?? getBackoff(job.attempt), error: described };
}

/** Describes a thrown value, with the stacks of its causes. */
const describeError = (error: unknown) =>
  error instanceof Error
    ? { name: error.name, message: error.message, stack: stdSerializers.err(error).stack }
    : { name: "Error", message: typeof error === "string" ? error : JSON.stringify(error) };

/** Parses what `RetryAfterError` asks for: whole seconds, or an ISO time. */
export const parseRetryAfter = (after: string): Due =>
  /^\d+$/.test(after) ? { inMs: Number(after) * 1_000 } : { at: new Date(after) };

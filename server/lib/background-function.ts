import type { EventType, GetStepTools, Inngest } from "inngest";
import type { z } from "zod";

/** An event type, the name of an event, or a schedule in UTC: every minute, or a minute of each hour. */
export type Trigger = { event: string } | { cron: `${number | "*"} * * * *` };

type EventOf<T extends Trigger> =
  T extends EventType<infer Name, infer Schema>
    ? { name: Name; data: Schema extends z.ZodType ? z.infer<Schema> : Record<string, unknown> }
    : T extends { cron: string }
      ? { name: "inngest/scheduled.timer"; data: { cron: string } }
      : // biome-ignore lint/suspicious/noExplicitAny: an event without a schema
        { name: string; data: Record<string, any> };

/** One call of a function. */
export interface FunctionCall<T extends Trigger = Trigger> {
  /** The event that started the run; `ts` is in Unix milliseconds. */
  event: EventOf<T> & { id: string; ts: number };
  /**
   * `run` stores the result of its work: it is done once, however often the run is resumed. The
   * embedded engine has no other steps, and runs them one after the other.
   */
  step: Pick<GetStepTools<Inngest>, "run" | "sleepUntil">;
  /** Failed attempts of the current step before this one. */
  attempt: number;
  runId: string;
}

/**
 * Limits concurrent calls: `limit` those of the function, `perValue` those with the same value of
 * `event.data[field]`. With both, free permits alternate between values.
 */
export type Concurrency =
  | { limit: number; field?: undefined; perValue?: undefined }
  | { limit?: number; field: string; perValue: number };

export interface FunctionOptions<T extends Trigger = Trigger> {
  /** Stored with its runs and known to the Inngest server, so it never changes. */
  id: string;
  triggers: readonly T[];
  /** Attempts after the first one that fails. */
  retries: number;
  concurrency?: Concurrency;
  /**
   * Passed to the SDK: for how many milliseconds a call goes on after a step, which it stores, or
   * that it ends after each step.
   */
  checkpointing?: { maxRuntime: number } | false;
}

/**
 * A background function: the declaration from which the embedded engine's table of functions and
 * Inngest's configuration are derived.
 */
export interface BackgroundFunction extends FunctionOptions {
  handler(call: FunctionCall): unknown;
}

/** Declares a background function. */
export const defineFunction = <const T extends Trigger>(
  options: FunctionOptions<T>,
  handler: (call: FunctionCall<T>) => unknown,
): BackgroundFunction => ({
  ...options,
  // The triggers say which events a call can have.
  handler: handler as BackgroundFunction["handler"],
});

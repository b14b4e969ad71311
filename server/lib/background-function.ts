import type { EventType } from "inngest";
import type { z } from "zod";
import type { Env } from "./env";

/** An event type, the name of an event, or a schedule in UTC: every minute, or a minute of each hour. */
export type Trigger = { event: string } | { cron: `${number | "*"} * * * *` };

type EventOf<T extends Trigger> =
  T extends EventType<infer Name, infer Schema>
    ? { name: Name; data: Schema extends z.ZodType ? z.infer<Schema> : Record<string, unknown> }
    : T extends { cron: string }
      ? { name: "inngest/scheduled.timer"; data: { cron: string } }
      : // biome-ignore lint/suspicious/noExplicitAny: an event without a schema
        { name: string; data: Record<string, any> };

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The steps of a run, one after the other. Their ids are stored, so they never change. */
export interface Steps {
  /** Stores the result of `work`: it is done once, however often the run is resumed. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a step may return nothing
  run<T extends Json | undefined | void>(id: string, work: () => T | Promise<T>): Promise<T>;
  /** Ends the call; the run goes on at `time`. */
  sleepUntil(id: string, time: Date | string): Promise<void>;
}

/** One call of a function. */
export interface FunctionCall<T extends Trigger = Trigger> {
  /** The event that started the run; `ts` is in Unix milliseconds. */
  event: EventOf<T> & { id: string; ts: number };
  step: Steps;
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
  concurrency?: Concurrency | ((env: Env) => Concurrency);
}

/**
 * A background function: the declaration from which the embedded engine's table of functions and
 * Inngest's configuration are derived. `D` is what the engine hands to its handler.
 */
export interface BackgroundFunction<D = unknown> extends FunctionOptions {
  handler(call: FunctionCall, dependencies: D): unknown;
}

/** Declares a background function. */
export const defineFunction = <const T extends Trigger, D = unknown>(
  options: FunctionOptions<T>,
  handler: (call: FunctionCall<T>, dependencies: D) => unknown,
): BackgroundFunction<D> => ({
  ...options,
  // The triggers say which events a call can have.
  handler: handler as BackgroundFunction<D>["handler"],
});

import { type InngestFunction, StepError } from "inngest";
import type { BackgroundFunction } from "@/server/lib/background-function";
import { APP_ID, type InngestClient } from "@/server/lib/inngest";
import { isNodeLimit } from "@/server/lib/unavailable";

/** No such host exists: a request that bypasses the in-process handler reaches no server. */
export const ENGINE_URL = "http://engine.invalid/";

/** Name of the event of a run that a cron started. */
export const TICK_EVENT = "inngest/scheduled.timer";

/** A function as the embedded engine runs it. */
export interface RegisteredFunction {
  id: string;
  maxAttempts: number;
  /** Names of the events that start it. */
  events: string[];
  /** When it starts by itself: every minute (`null`), or at a minute of each hour. */
  minutes: (number | null)[];
  /** Concurrent calls of the function; null if they are not limited. */
  limit: number | null;
  /** The field of the event whose values have a limit of their own. */
  field: string | null;
  perValue: number | null;
}

/**
 * Returns the functions as the embedded engine runs them.
 *
 * @throws Error naming the function and what the engine would not honor: silently ignoring a
 * trigger would be worse than not starting.
 */
export const toRegistered = (functions: BackgroundFunction[]): RegisteredFunction[] =>
  functions.map(({ id, triggers, retries, concurrency }) => {
    const events = triggers.flatMap((trigger) => ("event" in trigger ? [trigger.event] : []));
    const crons = triggers.flatMap((trigger) => ("cron" in trigger ? [trigger.cron] : []));
    const wrong = events.find((name) => name.startsWith("inngest/") || name.includes("*"));
    if (wrong) throw new Error(`Function "${id}": no event of Inngest and no wildcard starts it`);
    return {
      id: `${APP_ID}-${id}`,
      maxAttempts: retries + 1,
      events,
      minutes: crons.map((cron) => parseMinute(id, cron)),
      limit: concurrency?.limit ?? null,
      field: concurrency?.field ?? null,
      perValue: concurrency?.perValue ?? null,
    };
  });

/** Returns the minute of each hour of a cron; null if it is every minute. Throws if it is another. */
export function parseMinute(id: string, cron: string): number | null {
  const [, minute = ""] = /^(\*|[0-5]?\d) \* \* \* \*$/.exec(cron) ?? [];
  if (minute === "") throw new Error(`Function "${id}": "${cron}" is no minute of each hour`);
  return minute === "*" ? null : Number(minute);
}

/**
 * Returns the functions as Inngest's SDK serves them. A run whose last attempt met a node that limits
 * requests ends without failing: nothing is wrong with it, and scheduled functions requeue its work.
 */
export const toInngest = (
  client: InngestClient,
  functions: BackgroundFunction[],
): InngestFunction.Any[] =>
  functions.map(({ handler, concurrency, triggers, ...options }) =>
    client.createFunction(
      {
        ...options,
        triggers: [...triggers],
        ...(concurrency ? { concurrency: toInngestLimits(concurrency) } : {}),
      } as InngestOptions,
      // The server sets the id and the time of each event.
      async (call) => {
        try {
          return await handler(call as unknown as Parameters<typeof handler>[0]);
        } catch (error) {
          const isLast = error instanceof StepError || call.attempt >= options.retries;
          if (!isNodeLimit(error) || !isLast) throw error;
          return { postponed: "the node limits requests" };
        }
      },
    ),
  );

/** The SDK's types list the numbers of retries. */
type InngestOptions = Parameters<InngestClient["createFunction"]>[0];
type Limits = NonNullable<BackgroundFunction["concurrency"]>;
type InngestLimit = { limit: number; key?: string };

function toInngestLimits({ limit, field, perValue }: Limits): [InngestLimit, InngestLimit] {
  const perField = field === undefined ? [] : [{ key: `event.data.${field}`, limit: perValue }];
  const all = limit === undefined ? [] : [{ limit }];
  return [...all, ...perField] as [InngestLimit, InngestLimit];
}

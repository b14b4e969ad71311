import { type InngestFunction, StepError } from "inngest";
import type { BackgroundFunction, Concurrency } from "@/server/lib/background-function";
import type { Env } from "@/server/lib/env";
import { APP_ID, type InngestClient } from "@/server/lib/inngest";
import { isNodeLimit } from "@/server/lib/unavailable";

/** Name of the event of a run that a cron started. */
export const TICK_EVENT = "inngest/scheduled.timer";

/** A function as the embedded engine runs it. */
export interface RegisteredFunction {
  id: string;
  /** Names of the events that start it; that of a cron's tick is among them. */
  events: string[];
  /** When it starts by itself. */
  crons: string[];
  /** Concurrent calls of the function; null if they are not limited. */
  limit: number | null;
  /** The field of the event whose values have a limit of their own. */
  field: string | null;
  perValue: number | null;
}

const getConcurrency = ({ concurrency }: BackgroundFunction, env: Env): Concurrency | undefined =>
  typeof concurrency === "function" ? concurrency(env) : concurrency;

/** Returns a function's id at the engine. */
export const getFunctionId = ({ id }: Pick<BackgroundFunction, "id">) => `${APP_ID}-${id}`;

/** Returns a function as the embedded engine runs it. */
export function toRegistered(fn: BackgroundFunction, env: Env): RegisteredFunction {
  const concurrency = getConcurrency(fn, env);
  return {
    id: getFunctionId(fn),
    events: fn.triggers.map((trigger) => ("event" in trigger ? trigger.event : TICK_EVENT)),
    crons: fn.triggers.flatMap((trigger) => ("cron" in trigger ? [trigger.cron] : [])),
    limit: concurrency?.limit ?? null,
    field: concurrency?.field ?? null,
    perValue: concurrency?.perValue ?? null,
  };
}

/** What a run returns that ends because the chain's node limits requests: its work is done later. */
export const POSTPONED = { postponed: "the node limits requests" };

/**
 * Returns the functions as Inngest's SDK serves them. A run whose last attempt met a node that limits
 * requests ends without failing: nothing is wrong with it, and the sweep does its work later.
 */
export const toInngest = <D>(
  client: InngestClient,
  functions: BackgroundFunction<D>[],
  { env, dependencies }: { env: Env; dependencies: D },
): InngestFunction.Any[] =>
  functions.map((fn) => {
    const { id, retries, triggers } = fn;
    const concurrency = getConcurrency(fn as BackgroundFunction, env);
    return client.createFunction(
      {
        id,
        retries,
        triggers: [...triggers],
        ...(concurrency ? { concurrency: toInngestLimits(concurrency) } : {}),
      } as InngestOptions,
      // The server sets the id and the time of each event.
      async (call) => {
        try {
          return await fn.handler(
            call as unknown as Parameters<typeof fn.handler>[0],
            dependencies,
          );
        } catch (error) {
          const isLast = error instanceof StepError || call.attempt >= retries;
          if (!isNodeLimit(error) || !isLast) throw error;
          return POSTPONED;
        }
      },
    );
  });

/** The SDK's types list the numbers of retries. */
type InngestOptions = Parameters<InngestClient["createFunction"]>[0];
type InngestLimit = { limit: number; key?: string };

function toInngestLimits({ limit, field, perValue }: Concurrency): [InngestLimit, InngestLimit] {
  const perField = field === undefined ? [] : [{ key: `event.data.${field}`, limit: perValue }];
  const all = limit === undefined ? [] : [{ limit }];
  return [...all, ...perField] as [InngestLimit, InngestLimit];
}

import { type ParsedCronItem, parseCronItem } from "graphile-worker";
import type { InngestFunction } from "inngest";
import { z } from "zod";

/** No such host exists: a request that bypasses the in-process handler reaches no server. */
export const ENGINE_URL = "http://engine.invalid/";

/** Name of the event of a run that a cron started. */
export const TICK_EVENT = "inngest/scheduled.timer";

/** A function as the engine runs it. */
export interface RegisteredFunction {
  id: string;
  maxAttempts: number;
  /** Names of the events that start it. */
  events: string[];
  crons: string[];
  /**
   * Limits concurrent calls: all of them, or those with the same value of a field of the event. With
   * `perValue`, `limit` applies to all calls and `perValue` to those with the same value; free slots
   * then alternate between values.
   */
  concurrency: { limit: number; field: string | null; perValue: number | null } | null;
}

/** The functions of this process, by id and by the event that starts them. */
export interface Registry {
  get(id: string): RegisteredFunction | undefined;
  /**
   * Returns the function if an event of this name starts it. Another version may have more functions,
   * or start one by more events. An event that was pruned is not checked.
   */
  findFor(id: string, eventName: string | undefined): RegisteredFunction | undefined;
  /** Returns the functions that an event of this name starts, ordered by id. */
  triggeredBy(eventName: string): RegisteredFunction[];
  crons(task: string): ParsedCronItem[];
}

/** A function's configuration in the SDK's format; `createRegistry` validates the other options. */
export interface FunctionConfig {
  id: string;
}

/** Inngest's own default for functions that set no number of retries. */
const DEFAULT_RETRIES = 3;

const fieldOfData = /^event\.data\.(\w+)$/;

/** The supported configuration. Strict: any other option is rejected by name. */
const configSchema = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  triggers: z.array(
    z.strictObject({
      event: z
        .string()
        .regex(/^(?!inngest\/)[^*]+$/, "neither a wildcard nor an event of Inngest can start it")
        .optional(),
      cron: z.string().optional(),
    }),
  ),
  steps: z.strictObject({
    step: z.looseObject({
      retries: z.strictObject({ attempts: z.int().min(0).optional() }).optional(),
    }),
  }),
  // One limit, or one on all calls followed by one on those with the same value of a field.
  concurrency: z
    .preprocess(
      (value) => [typeof value === "number" ? { limit: value } : value].flat(),
      z
        .array(
          z.strictObject({
            limit: z.int().min(1),
            key: z.string().regex(fieldOfData, "must be a field, as `event.data.id`").optional(),
          }),
        )
        .refine(([first, second, ...more]) => !second || (!first?.key && second.key && !more[0]), {
          error: "of two limits, only the second one can have a key",
        }),
    )
    .optional(),
});

/** Options with a different name in a function's code than in its configuration. */
const NAMES_IN_CODE: Record<string, string> = { cancel: "cancelOn", expression: "if" };

/** Steps that the engine does not run. A call inside a helper is detected only when it runs. */
const UNSUPPORTED_STEP = /\.(waitForEvent|waitForSignal|sendSignal|sendEvent|invoke|sleep)\(/;

/** Returns the configurations of functions. Throws if one uses a step that the engine does not run. */
export function getConfigs(appId: string, functions: InngestFunction.Any[]): FunctionConfig[] {
  return functions.map((fn) => {
    // Private in the SDK's types, but `serve` responds to a sync with `getConfig`.
    const { getConfig, fn: handler } = fn as unknown as {
      getConfig(options: { baseUrl: URL; appPrefix: string }): FunctionConfig[];
      fn: unknown;
    };
    const configs = getConfig.call(fn, { baseUrl: new URL(ENGINE_URL), appPrefix: appId });
    const [config, failure] = configs;
    if (!config) throw new Error("a function has no configuration");
    if (failure) throw createUnsupportedError(config, "the option onFailure is not supported");
    const [, step] = UNSUPPORTED_STEP.exec(String(handler)) ?? [];
    if (step) throw createUnsupportedError(config, `step.${step} is not supported`);
    // Drops undefined fields, as sending it as JSON would.
    return JSON.parse(JSON.stringify(config));
  });
}

/**
 * Creates a registry from the configuration that an app registers with its server.
 *
 * @throws Error naming the function and the options that the engine would not honor: silently
 * ignoring a limit or a trigger would be worse than not starting.
 */
export function createRegistry(configs: FunctionConfig[]): Registry {
  const functions = configs.map(parseConfig).sort((a, b) => (a.id < b.id ? -1 : 1));
  const byId = new Map(functions.map((fn) => [fn.id, fn]));
  return {
    get: (id) => byId.get(id),
    findFor(id, eventName) {
      const fn = byId.get(id);
      const isKnown =
        eventName === undefined ||
        (eventName === TICK_EVENT ? fn?.crons.length : fn?.events.includes(eventName));
      return isKnown ? fn : undefined;
    },
    triggeredBy: (eventName) => functions.filter((fn) => fn.events.includes(eventName)),
    crons: (task) =>
      functions.flatMap((fn) => fn.crons.map((cron) => createCronItem(task, fn.id, cron))),
  };
}

function parseConfig(raw: FunctionConfig): RegisteredFunction {
  const { data, error } = configSchema.safeParse(raw);
  if (error) throw createUnsupportedError(raw, error.issues.map(describeIssue).join("; "));
  const { id, triggers, steps, concurrency } = data;
  const crons = triggers.flatMap(({ cron }) => cron ?? []);
  try {
    for (const cron of crons) createCronItem("check", id, cron);
  } catch (error) {
    throw createUnsupportedError(raw, (error as Error).message);
  }
  return {
    id,
    maxAttempts: (steps.step.retries?.attempts ?? DEFAULT_RETRIES) + 1,
    events: triggers.flatMap(({ event }) => event ?? []),
    crons,
    concurrency: concurrency ? toConcurrency(concurrency) : null,
  };
}

function toConcurrency([first, second]: { limit: number; key?: string | undefined }[]) {
  const field = fieldOfData.exec(second?.key ?? first?.key ?? "")?.[1] ?? null;
  return first ? { limit: first.limit, field, perValue: second?.limit ?? null } : null;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.join(".");
  if (issue.code !== "unrecognized_keys") return `${path}: ${issue.message}`;
  const options = issue.keys.map((key) =>
    [path, NAMES_IN_CODE[key] ?? key].filter(Boolean).join("."),
  );
  return `the option ${options.join(", ")} is not supported`;
}

function createUnsupportedError({ id }: FunctionConfig, reason: string): Error {
  return new Error(`Function "${id}" cannot run on the embedded engine: ${reason}`);
}

/**
 * Creates a cron item: five fields, UTC. The identifier makes a tick fire once across all
 * processes.
 */
function createCronItem(task: string, functionId: string, cron: string): ParsedCronItem {
  return parseCronItem({
    task,
    match: cron,
    identifier: `${functionId}:${cron}`,
    payload: { functionId, cron },
  });
}

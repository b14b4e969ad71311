import type { Logger } from "pino";
import type postgres from "postgres";
import { z } from "zod";
import { acceptEvents, type EngineEvent } from "@/server/engine/accept-events";
import { parseRetryAfter } from "@/server/engine/call-in-process";
import {
  type CallResult,
  createFailure,
  type Effect,
  getBackoff,
  type Pickup,
  type TakenJob,
} from "@/server/engine/calls";
import type { RegisteredFunction } from "@/server/engine/function-table";
import { storeSteps } from "@/server/engine/jobs";

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

/** A function as the server runs it and calls it. */
export interface CalledFunction extends RegisteredFunction {
  maxAttempts: number;
}

/** Calls the SDK's handler in another process. */
export type Serve = (call: SdkCall) => Promise<SdkAnswer>;

/** Calls a function as an Inngest server would over HTTP. Throws if the response is invalid. */
export async function callFunction(
  serve: Serve,
  fn: CalledFunction,
  job: TakenJob,
): Promise<Effect[]> {
  const stack = job.steps.map((step) => step.id);
  const body = {
    version: -1,
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
  const answer = await serve({ url: new URL(`http://engine.invalid/api/inngest?${query}`), body });
  return parseAnswer(answer, { attempt: job.attempt, maxAttempts: fn.maxAttempts });
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
  const after = headers["retry-after"];
  const due = after ? parseRetryAfter(after) : getBackoff(attempt);
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
  const name = operation.displayName ?? operation.name;
  const step = { step: operation.id };
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
  const message = `step "${name}": the executor runs step.run and step.sleepUntil, one at a time, not ${operation.op} ${operation.name ?? ""}`;
  return createFailure(message);
}

const eventsSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    data: z.record(z.string(), z.unknown()),
    ts: z.number(),
  }),
);

const checkpointSchema = z.looseObject({ qi_id: z.string(), steps: z.array(z.unknown()) });

/**
 * Creates the handler of what the SDK sends its server: events (`/e/{key}`) and checkpoints
 * (`/v1/checkpoint/{run}/async`). Anything else is 404.
 */
export function createServerHandler(
  sql: postgres.Sql,
  log: Logger,
  startedBy: (event: EngineEvent) => RegisteredFunction[],
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    try {
      if (pathname.startsWith("/e/")) {
        const events = eventsSchema.parse(await request.json());
        await acceptEvents(sql, events, startedBy);
        return Response.json({ ids: events.map(({ id }) => id), status: 200 });
      }
      const run = /^\/v1\/checkpoint\/([^/]+)\/async$/.exec(pathname)?.[1];
      if (!run) return Response.json({ error: "not found", status: 404 }, { status: 404 });
      const checkpoint = parseCheckpoint(run, await request.json());
      if (!checkpoint) {
        return Response.json({ error: "not a checkpoint of finished steps" }, { status: 400 });
      }
      // 409 makes the SDK stop: another process has taken the call over.
      return (await storeSteps(sql, [checkpoint]))[0]
        ? Response.json({})
        : Response.json({ error: "stale" }, { status: 409 });
    } catch (error) {
      log.error({ err: error, path: pathname }, "engine: a call of the SDK failed");
      return Response.json({ error: "internal", status: 500 }, { status: 500 });
    }
  };
}

function parseCheckpoint(
  run: string,
  body: unknown,
): (Pick<CallResult, "effects"> & { job: Pickup }) | null {
  const { qi_id, steps } = checkpointSchema.parse(body);
  const job = parseQueueItem(run, qi_id);
  const effects = parseOps(steps).map(toEffect);
  if (!job || effects.some((effect) => effect.kind !== "step-done")) return null;
  return { job, effects };
}

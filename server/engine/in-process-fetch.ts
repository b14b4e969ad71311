import type { Logger } from "pino";
import type postgres from "postgres";
import { z } from "zod";
import { createBatcher } from "@/server/db/batch";
import { acceptEvents } from "./accept-events";
import type { Sql } from "./connection";
import type { HeldJob } from "./jobs";
import { type Effect, parseOps, parseQueueItem, toEffect } from "./protocol";
import type { Registry } from "./registry";
import { buildStepInsert, toSteps } from "./settle-calls";

const eventsSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    data: z.record(z.string(), z.unknown()),
    ts: z.number(),
  }),
);

const checkpointSchema = z.looseObject({ qi_id: z.string(), steps: z.array(z.unknown()) });

/** Finished steps of a running call. */
interface Checkpoint {
  run: string;
  job: Omit<HeldJob, "payload">;
  effects: Effect[];
}

/**
 * Creates the `fetch` that the SDK uses instead of the network: handles its event sends
 * (`/e/{key}`) and checkpoints (`/v1/checkpoint/{run}/async`) in this process. Anything else is
 * 404.
 */
export function createInProcessFetch(
  sql: postgres.Sql,
  log: Logger,
  getRegistry: () => Registry,
): typeof fetch {
  const store = createBatcher((checkpoints: Checkpoint[]) => storeCheckpoints(sql, checkpoints));
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    try {
      if (pathname.startsWith("/e/")) {
        const events = eventsSchema.parse(await request.json());
        await sql.begin((tx) => acceptEvents(tx, getRegistry(), events));
        return Response.json({ ids: events.map(({ id }) => id), status: 200 });
      }
      const run = /^\/v1\/checkpoint\/([^/]+)\/async$/.exec(pathname)?.[1];
      if (!run) return Response.json({ error: "not found", status: 404 }, { status: 404 });
      const checkpoint = parseCheckpoint(run, await request.json());
      if (!checkpoint) {
        return Response.json({ error: "not a checkpoint of finished steps" }, { status: 400 });
      }
      // 409 makes the SDK stop: another process has taken the call over.
      return (await store(checkpoint))
        ? Response.json({})
        : Response.json({ error: "stale" }, { status: 409 });
    } catch (error) {
      log.error({ err: error, path: pathname }, "engine: a call of the SDK failed");
      return Response.json({ error: "internal", status: 500 }, { status: 500 });
    }
  };
}

function parseCheckpoint(run: string, body: unknown): Checkpoint | null {
  const { qi_id, steps } = checkpointSchema.parse(body);
  const job = parseQueueItem(qi_id);
  const effects = parseOps(steps).map(toEffect);
  if (!job || effects.some((effect) => effect.kind !== "step-done")) return null;
  return { run, job, effects };
}

/**
 * Stores checkpoints in one transaction. Returns, for each, false if another process has taken the
 * call over; nothing of it is written then.
 */
async function storeCheckpoints(sql: Sql, checkpoints: Checkpoint[]): Promise<boolean[]> {
  const jobs = checkpoints.map(({ job }) => job);
  const steps = checkpoints.flatMap(({ effects }, index) => toSteps(effects, index));
  // Locked, so that no other process takes a job over between the check and the write.
  const stored = await sql<{ n: number }[]>`
    with accepted as (
      select c.n, c.run
      from unnest(
        ${checkpoints.map((_, index) => String(index))}::text[]::integer[],
        ${checkpoints.map(({ run }) => run)}::text[]::uuid[],
        ${jobs.map(({ id }) => id)}::text[]::bigint[],
        ${jobs.map(({ attempts }) => String(attempts))}::text[]::integer[],
        ${jobs.map(({ pool }) => pool)}::text[]
      ) as c(n, run, job, attempts, pool)
      join graphile_worker._private_jobs j
        on j.id = c.job and j.attempts = c.attempts and j.locked_by = c.pool
      for update of j
    ), saved as (${buildStepInsert(sql, steps)})
    select n from accepted`;
  const indexes = new Set(stored.map(({ n }) => n));
  return checkpoints.map((_, index) => indexes.has(index));
}

import type { Logger } from "pino";
import type postgres from "postgres";
import { z } from "zod";
import { createBatcher } from "@/server/db/batch";
import { acceptEvents, type EngineEvent } from "./accept-events";
import type { RegisteredFunction } from "./function-table";
import { type Checkpoint, storeCheckpoints } from "./jobs";
import { parseOps, parseQueueItem, toEffect } from "./protocol";

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
 * Creates the `fetch` that the SDK uses instead of the network: handles its event sends
 * (`/e/{key}`) and checkpoints (`/v1/checkpoint/{run}/async`) in this process. Anything else is
 * 404.
 */
export function createInProcessFetch(
  sql: postgres.Sql,
  log: Logger,
  startedBy: (event: EngineEvent) => RegisteredFunction[],
): typeof fetch {
  const store = createBatcher((checkpoints: Checkpoint[]) => storeCheckpoints(sql, checkpoints));
  return async (input, init) => {
    const request = new Request(input, init);
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
  const job = parseQueueItem(run, qi_id);
  const effects = parseOps(steps).map(toEffect);
  if (!job || effects.some((effect) => effect.kind !== "step-done")) return null;
  return { job, effects };
}

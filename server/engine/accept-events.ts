import type postgres from "postgres";
import { columns } from "@/server/db/arrays";
import type { RegisteredFunction } from "./function-table";

/** An event as functions receive it; `ts` is in Unix milliseconds. */
export interface EngineEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
  ts: number;
}

/** The channel that announces jobs to every process. */
export const CHANNEL = "engine_jobs";

/**
 * Stores events in the caller's transaction, with the runs they start and their jobs. An event with
 * a known id changes nothing.
 *
 * @param startedBy Returns the functions that an event starts.
 */
export async function acceptEvents(
  tx: postgres.ISql,
  offered: EngineEvent[],
  startedBy: (event: EngineEvent) => RegisteredFunction[],
): Promise<void> {
  if (offered.length === 0) return;
  const events = [...new Map(offered.map((event) => [event.id, event])).values()];
  const runs = events.flatMap((event) =>
    startedBy(event).map((fn) => ({ event: event.id, fn: fn.id, key: getKey(fn, event) })),
  );
  await tx`
    with new_events as (
      insert into engine_events (id, name, data, ts)
      select * from unnest(${columns(tx, events, { id: "text", name: "text", data: "json", ts: "bigint" })})
      on conflict do nothing returning id, name
    ), started as materialized (
      select uuidv7() as run, r.fn, r.key, e.id as event, e.name
      from unnest(${columns(tx, runs, { event: "text", fn: "text", key: "text" })})
        as r(event, fn, key)
      join new_events e on e.id = r.event
    ), new_runs as (
      insert into engine_runs (id, function_id, status, event_id, key)
      select run, fn, 'active', event, key from started
    ), new_jobs as (
      insert into engine_jobs (run_id, function_id, key, event_name, state, due_at)
      select run, fn, key, name, 'ready', now() from started
    )
    select pg_notify(${CHANNEL}, '') from started having count(*) > 0`;
}

/** Returns the concurrency key of a run that this event starts. */
function getKey({ field }: RegisteredFunction, { data }: EngineEvent): string {
  if (field === null) return "";
  return JSON.stringify((Object.hasOwn(data, field) ? data[field] : null) ?? null);
}

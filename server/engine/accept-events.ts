import type { Sql } from "./connection";
import { MAX_ATTEMPTS, TASKS } from "./jobs";
import type { RegisteredFunction, Registry } from "./registry";

/** An event as functions receive it; `ts` is in Unix milliseconds. */
export interface EngineEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
  ts: number;
}

/**
 * Stores events in the caller's transaction, with the runs they start and the first jobs of those
 * runs. An event with a known id changes nothing.
 *
 * @param started Overrides the triggers: the one function that a cron tick starts.
 */
export async function acceptEvents(
  tx: Sql,
  registry: Registry,
  offered: EngineEvent[],
  started?: RegisteredFunction,
): Promise<void> {
  if (offered.length === 0) return;
  const ids = offered.map((event) => event.id);
  const events = offered.filter((event, index) => ids.indexOf(event.id) === index);
  const runs = events.flatMap((event) =>
    (started ? [started] : registry.triggeredBy(event.name)).map((fn) => ({
      event: event.id,
      fn: fn.id,
      slot: getConcurrencyKey(fn, event),
    })),
  );
  await tx`
    with new_events as (
      insert into engine_events (id, name, data, ts)
      select * from unnest(
        ${events.map((event) => event.id)}::text[],
        ${events.map((event) => event.name)}::text[],
        ${events.map((event) => JSON.stringify(event.data))}::text[]::json[],
        ${events.map((event) => String(event.ts))}::text[]::bigint[]
      )
      on conflict do nothing returning id
    ), new_runs as (
      insert into engine_runs (function_id, status, event_id, slot)
      select r.fn, 'active', r.event, r.slot
      from unnest(
        ${runs.map((run) => run.event)}::text[],
        ${runs.map((run) => run.fn)}::text[],
        ${runs.map((run) => run.slot)}::text[]
      ) as r(event, fn, slot)
      join new_events on new_events.id = r.event
      returning id, function_id, slot
    )
    select graphile_worker.add_jobs(array_agg(row(
      ${TASKS.call}::text, json_build_object(
        'run', id, 'step', null, 'attempt', 0, 'functionId', function_id, 'slot', slot
      ), null, null, ${MAX_ATTEMPTS}::integer, null, null, null
    )::graphile_worker.job_spec)) from new_runs having count(*) > 0`;
}

/** Returns the concurrency key that limits calls for this event; null if nothing limits them. */
function getConcurrencyKey(fn: RegisteredFunction, { data }: EngineEvent): string | null {
  if (!fn.concurrency) return null;
  const { field } = fn.concurrency;
  if (!field) return fn.id;
  const value = Object.hasOwn(data, field) ? data[field] : null;
  return `${fn.id}:${JSON.stringify(value ?? null)}`;
}

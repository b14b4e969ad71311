import type postgres from "postgres";
import { columns } from "@/server/db/arrays";
import { acceptEvents } from "./accept-events";
import { type RegisteredFunction, TICK_EVENT } from "./function-table";

/** Fires every minute (`minute` is null) or at a minute of each hour. */
export interface Cron {
  id: string;
  minute: number | null;
  fn: RegisteredFunction | null;
}

/** Crons of the engine itself. */
export const PRUNE = "engine:prune";
export const MARK_UNKNOWN = "engine:mark-unknown";

/** Returns the crons of these functions and of the engine itself. */
export const getCrons = (functions: RegisteredFunction[]): Cron[] => [
  { id: PRUNE, minute: 17, fn: null },
  { id: MARK_UNKNOWN, minute: null, fn: null },
  ...functions.flatMap((fn) =>
    fn.minutes.map((minute) => ({ id: `${fn.id}:${minute ?? "*"}`, minute, fn })),
  ),
];

/** Stores crons that are new. They fire from the next minute on. */
export const addCrons = (sql: postgres.ISql, crons: Cron[]) => sql`
  insert into engine_crons (id, last_tick)
  select id, date_trunc('minute', now()) from unnest(${crons.map(({ id }) => id)}::text[]) as id
  on conflict do nothing`;

/**
 * Starts a run of each function whose cron is due, and returns the ids of the crons that fired. Of
 * all processes, the one that stores a tick starts its run. The minutes are those of the database's
 * clock. A stored tick that is minutes ahead, because that clock was, does not count: it would
 * silence the cron until then.
 */
export const fireCrons = (sql: postgres.Sql, crons: Cron[]): Promise<string[]> =>
  sql.begin(async (tx) => {
    const fired = await tx<{ id: string; tick: Date }[]>`
      update engine_crons c set last_tick = date_trunc('minute', now())
      from unnest(${columns(tx, crons, { id: "text", minute: "integer" })}) as due(id, minute)
      where c.id = due.id
        and (due.minute is null or due.minute = extract(minute from now() at time zone 'UTC'))
        and (c.last_tick < date_trunc('minute', now()) or c.last_tick > now() + interval '2 minutes')
      returning c.id, c.last_tick as tick`;
    const starts = new Map<string, RegisteredFunction>();
    for (const { id, tick } of fired) {
      const fn = crons.find((cron) => cron.id === id)?.fn;
      if (fn) starts.set(`cron:${id}:${tick.toISOString()}`, fn);
    }
    const ts = Date.now();
    await acceptEvents(
      tx,
      [...starts.keys()].map((id) => ({ id, name: TICK_EVENT, data: {}, ts })),
      ({ id }) => [starts.get(id)].filter((fn) => fn !== undefined),
    );
    return fired.map(({ id }) => id);
  });

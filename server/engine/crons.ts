import type postgres from "postgres";
import { columns } from "@/server/db/arrays";
import { acceptEvents } from "./accept-events";
import { type RegisteredFunction, TICK_EVENT } from "./function-table";

/** A schedule of a function, or of the engine itself. */
export interface Cron {
  id: string;
  /** The minute of each hour; null if it is every minute. */
  minute: number | null;
  schedule: string;
  fn: RegisteredFunction | null;
}

/** The cron of the engine itself. */
export const MARK_UNKNOWN = "engine:mark-unknown";

/** Returns the crons of these functions and of the engine itself. */
export const getCrons = (functions: RegisteredFunction[]): Cron[] => [
  { id: MARK_UNKNOWN, minute: null, schedule: "", fn: null },
  ...functions.flatMap((fn) =>
    fn.crons.map((schedule) => {
      const [minute = ""] = schedule.split(" ");
      return {
        id: `${fn.id}:${minute}`,
        minute: minute === "*" ? null : Number(minute),
        schedule,
        fn,
      };
    }),
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
 * clock. An hourly tick that no process was there for starts its run late, once. A stored tick that is
 * minutes ahead, because that clock was, does not count: it would silence the cron until then.
 */
export const fireCrons = (sql: postgres.Sql, crons: Cron[]): Promise<string[]> =>
  sql.begin(async (tx) => {
    const fired = await tx<{ id: string; tick: Date }[]>`
      update engine_crons c set last_tick = date_trunc('minute', now())
      from unnest(${columns(tx, crons, { id: "text", minute: "integer" })}) as due(id, minute)
      where c.id = due.id
        and (due.minute is null or due.minute = extract(minute from now() at time zone 'UTC')
          or c.last_tick < now() - interval '61 minutes')
        and (c.last_tick < date_trunc('minute', now()) or c.last_tick > now() + interval '2 minutes')
      returning c.id, c.last_tick as tick`;
    const ts = Date.now();
    const starts = fired.flatMap(({ id, tick }) => {
      const { fn, schedule } = crons.find((cron) => cron.id === id) ?? {};
      if (!fn) return [];
      const data = { cron: schedule };
      return { fn, event: { id: `cron:${id}:${tick.toISOString()}`, name: TICK_EVENT, data, ts } };
    });
    await acceptEvents(
      tx,
      starts.map(({ event }) => event),
      (event) => starts.filter((start) => start.event.id === event.id).map(({ fn }) => fn),
    );
    return fired.map(({ id }) => id);
  });

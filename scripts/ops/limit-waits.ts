import { setTimeout as pause } from "node:timers/promises";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { openDatabase } from "@/server/db/client";

const LIMIT_MS = 10_000;
const INTERVAL_MS = 500;

/**
 * Runs `work`, whose connections to `url` have an application name that starts with `standing-`.
 * Throws `CommandError` once one of them has waited for a lock for `limitMs`, or the database has not
 * responded for as long; statements in progress have no limit. `work` goes on then, so the caller
 * ends the process.
 */
export async function limitWaits<T>(
  url: string,
  work: () => Promise<T>,
  limitMs = LIMIT_MS,
): Promise<T> {
  const { db, close } = openDatabase(url, 1);
  let isDone = false;
  const findBlocked = () => db.sql`
    select array_to_string(pg_blocking_pids(l.pid), ', ') as by
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where not l.granted and l.waitstart < clock_timestamp() - ${limitMs}::float8 * interval '1 millisecond'
      and a.datname = current_database() and a.application_name like 'standing-%'`;
  const watch = async () => {
    const seconds = limitMs / 1_000;
    while (!isDone) {
      const rows = await Promise.race([findBlocked(), pause(limitMs, null, { ref: false })]);
      if (!rows) throw new CommandError(`The database has not responded for ${seconds} s.`);
      if (rows[0]) {
        throw new CommandError(
          `The command has waited for a lock for ${seconds} s. PostgreSQL's process ${rows[0].by} holds it: wait for it, or end it.`,
        );
      }
      await pause(INTERVAL_MS);
    }
    return new Promise<never>(() => {});
  };
  try {
    return await Promise.race([work(), watch()]);
  } finally {
    isDone = true;
    void close().catch(() => {});
  }
}

import { sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import { MINUTE_MS } from "@/server/lib/time";
import type { Work } from "@/server/lib/work";

/** Items that one call requeues. */
const BATCH = 500;

type RequeueCore = Pick<Core, "db" | "publish">;

/** Starts a run for items that have waited for long, once in each such period, and returns their number. */
export function requeueOverdue<D>(core: RequeueCore, work: Work<D>, now: Date): Promise<number> {
  const { afterMs = 0 } = work.requeue ?? {};
  const round = Math.floor(now.getTime() / Math.max(afterMs, MINUTE_MS));
  return requeue(core, work, { now, olderThanMs: afterMs, cause: `resume-${round}` });
}

/**
 * Starts a run for up to `limit` items that have waited for `olderThanMs`, or for item `only`, and returns
 * their number: 0 if the work has no runs. Items whose run is known to be on its way are included only
 * without an age. Another call with the same `cause` starts none of them again.
 */
export function requeue<D>(
  { db, publish }: RequeueCore,
  { waiting, requeue }: Work<D>,
  {
    now,
    olderThanMs = 0,
    cause,
    only = "",
    limit = BATCH,
  }: { now: Date; olderThanMs?: number; cause: string; only?: string | undefined; limit?: number },
): Promise<number> {
  if (!waiting || !requeue) return Promise.resolve(0);
  const { event } = requeue;
  const before = new Date(now.getTime() - olderThanMs).toISOString();
  return db.transaction(async (tx) => {
    // In random order, so that items that are never done do not starve the others.
    const rows = await tx.execute<{ id: string; data: Record<string, unknown> }>(sql`
      select id, data from (${waiting.select(now)}) as waiting
      where since < ${before}::timestamptz and (${only} = '' or id = ${only})
        and (${olderThanMs} = 0 or held_until is null or held_until < ${now.toISOString()}::timestamptz)
      order by random() limit ${limit}`);
    await publish(
      tx,
      rows.map(({ id, data }) => ({ id: `${cause}:${event}:${id}`, name: event, data })),
    );
    return rows.length;
  });
}

import { sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import type { Work } from "@/server/lib/work";
import { WORK } from "./work";

/** The kinds of work that can wait, and so stall. */
export const WAITING_WORK = WORK.flatMap((work: Work) =>
  work.waiting ? [{ ...work, waiting: work.waiting }] : [],
);

export interface Stalled {
  /** Name of the work. */
  kind: string;
  /** Number of pending items, including the stalled ones. */
  waiting: number;
  /** Number of items that have waited longer than `stalledAfterMs`. */
  stalled: number;
  /** Age of the oldest pending item; null if there is none. */
  oldestSeconds: number | null;
  /** Some of the stalled ids, oldest first. */
  ids: string[];
}

/** Returns pending and stalled work by kind. */
export function readStalled(db: Database, now: Date): Promise<Stalled[]> {
  return Promise.all(WAITING_WORK.map((work) => readKind(db, work, now)));
}

async function readKind(
  db: Database,
  { name, waiting: { select, stalledAfterMs } }: (typeof WAITING_WORK)[number],
  now: Date,
): Promise<Stalled> {
  const at = now.toISOString();
  const [row] = await db.execute<{
    waiting: number;
    stalled: number;
    oldest: number | null;
    ids: string[];
  }>(sql`
    with waiting as (${select(now)}), due as (
      select id, since from waiting where since <= ${at}::timestamptz
    ), stalled as (
      select id, since from due
      where since <= ${at}::timestamptz - ${stalledAfterMs}::float8 * interval '1 millisecond'
    )
    select (select count(*)::int from due) as waiting, (select count(*)::int from stalled) as stalled,
      (select extract(epoch from ${at}::timestamptz - min(since))::float8 from due) as oldest,
      array(select id from stalled order by since limit 3) as ids`);
  if (!row) throw new Error(`cannot count the stalled ${name}`);
  const { oldest, ...counts } = row;
  return { kind: name, ...counts, oldestSeconds: oldest };
}

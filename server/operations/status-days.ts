import { asc, eq, lt } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { DAY_MS, MINUTE_MS } from "@/server/lib/time";
import { type CheckedPart, type Downtime, statusDays } from "./tables";

/** Days that are kept, today included. */
export const STATUS_DAYS = 90;
/** Unchecked minutes of a day up to which nothing was down: a restart, or a late check. */
const TOLERATED_MINUTES = 5;

/** A part that was down on a day. The service was, if nothing was checked: then there are no times. */
export interface Incident extends Partial<Downtime> {
  part: CheckedPart | "service";
  minutes: number;
}

export interface StatusDay {
  /** UTC, `2026-11-22`. */
  day: string;
  /** Null before the first check of the service. */
  incidents: Incident[] | null;
}

type Row = typeof statusDays.$inferSelect;

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const startOf = (ms: number, unit: number) => Math.floor(ms / unit) * unit;

/**
 * Stores which parts the check of a minute found down; a second check of the same minute changes
 * nothing, whichever instance made it. The first one of a day deletes the days before the last 90.
 */
export async function keepStatus(
  db: Database,
  down: readonly CheckedPart[],
  now: Date,
): Promise<void> {
  const at = new Date(startOf(now.getTime(), MINUTE_MS));
  const day = toDay(at.getTime());
  await db.transaction(async (tx) => {
    const before = new Date(at.getTime() - MINUTE_MS);
    const [row] = await tx
      .insert(statusDays)
      .values({ day, firstAt: at, lastAt: before, checks: 0, down: {} })
      // Changes nothing, but locks the row and returns it.
      .onConflictDoUpdate({ target: statusDays.day, set: { day } })
      .returning();
    if (!row || row.lastAt >= at) return;
    const oldest = toDay(at.getTime() - (STATUS_DAYS - 1) * DAY_MS);
    if (row.checks === 0) await tx.delete(statusDays).where(lt(statusDays.day, oldest));
    const added = down.map((part) => [part, addMinute(row.down[part], at.toISOString())]);
    await tx
      .update(statusDays)
      .set({
        lastAt: at,
        checks: row.checks + 1,
        down: { ...row.down, ...Object.fromEntries(added) },
      })
      .where(eq(statusDays.day, day));
  });
}

const addMinute = (known: Downtime | undefined, at: string): Downtime => ({
  minutes: (known?.minutes ?? 0) + 1,
  from: known?.from ?? at,
  to: at,
});

/** Returns the last 90 days, the oldest first. */
export const readStatusDays = async (db: Database, now: Date): Promise<StatusDay[]> =>
  describeDays(await db.select().from(statusDays).orderBy(asc(statusDays.day)), now);

/** Adds to each day's downtime the minutes since the first check in which nothing was checked. */
export function describeDays(rows: Row[], now: Date): StatusDay[] {
  const today = startOf(now.getTime(), DAY_MS);
  const firstAt = rows[0]?.firstAt.getTime();
  return Array.from({ length: STATUS_DAYS }, (_, index) => {
    const start = today - (STATUS_DAYS - 1 - index) * DAY_MS;
    const day = toDay(start);
    const end = Math.min(start + DAY_MS, startOf(now.getTime(), MINUTE_MS));
    if (firstAt === undefined || start + DAY_MS <= firstAt) return { day, incidents: null };
    const row = rows.find((one) => one.day === day);
    const unchecked = (end - Math.max(start, firstAt)) / MINUTE_MS - (row?.checks ?? 0);
    return {
      day,
      incidents: [
        ...(unchecked > TOLERATED_MINUTES
          ? [{ part: "service" as const, minutes: unchecked }]
          : []),
        ...(["chain", "judge", "queue"] as const).flatMap((part) => {
          const downtime = row?.down[part];
          return downtime ? [{ part, ...downtime }] : [];
        }),
      ],
    };
  });
}

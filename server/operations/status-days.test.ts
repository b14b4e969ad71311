import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "@/server/lib/time";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { keepStatus, readStatusDays, STATUS_DAYS } from "./status-days";
import { type CheckedPart, statusDays } from "./tables";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.delete(statusDays);
});

const NOON = Date.parse("2026-11-22T12:00:10Z");
const at = (minute: number) => new Date(NOON + minute * MINUTE_MS);
const keep = (minute: number, ...down: CheckedPart[]) => keepStatus(database.db, down, at(minute));
const readToday = async (minute: number) => (await readStatusDays(database.db, at(minute))).at(-1);

test("days before the first check are not on record", async () => {
  await keep(0);
  const days = await readStatusDays(database.db, at(1));
  expect(days).toHaveLength(STATUS_DAYS);
  expect(days.at(-1)).toEqual({ day: "2026-11-22", incidents: [] });
  expect(days.slice(0, -1).every(({ incidents }) => incidents === null)).toBe(true);
});

test("an incident has its minutes, its beginning and its end", async () => {
  await keep(0);
  await keep(1, "judge");
  await keep(2, "judge", "queue");
  await keep(3);
  await keep(4, "judge");
  expect((await readToday(5))?.incidents).toEqual([
    { part: "judge", minutes: 3, from: "2026-11-22T12:01:00.000Z", to: "2026-11-22T12:04:00.000Z" },
    { part: "queue", minutes: 1, from: "2026-11-22T12:02:00.000Z", to: "2026-11-22T12:02:00.000Z" },
  ]);
});

test("several instances that check in the same minute count once", async () => {
  await Promise.all([keep(0, "chain"), keep(0, "chain"), keep(0, "chain")]);
  await keep(0, "judge");
  expect((await readToday(1))?.incidents).toMatchObject([{ part: "chain", minutes: 1 }]);
  const [row] = await database.db.select().from(statusDays);
  expect(row?.checks).toBe(1);
});

describe("minutes without a check", () => {
  test("mean that the service did not run, unless they are few", async () => {
    await keep(0);
    await keep(6);
    expect((await readToday(7))?.incidents).toEqual([]);
    await keep(8);
    expect((await readToday(9))?.incidents).toEqual([{ part: "service", minutes: 6 }]);
  });

  test("count on each day of a long outage", async () => {
    await keep(0);
    await keep(2 * 24 * 60);
    const days = (await readStatusDays(database.db, at(2 * 24 * 60 + 1))).slice(-3);
    expect(days.map(({ incidents }) => incidents)).toEqual([
      [{ part: "service", minutes: 12 * 60 - 1 }],
      [{ part: "service", minutes: 24 * 60 }],
      [{ part: "service", minutes: 12 * 60 }],
    ]);
  });
});

test("days are deleted after 90", async () => {
  await keepStatus(database.db, [], new Date(NOON - STATUS_DAYS * DAY_MS));
  await keepStatus(database.db, [], new Date(NOON - (STATUS_DAYS - 1) * DAY_MS));
  await keep(0);
  const rows = await database.db.select({ day: statusDays.day }).from(statusDays);
  expect(rows.map(({ day }) => day).sort()).toEqual(["2026-08-25", "2026-11-22"]);
});

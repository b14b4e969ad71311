import { expect, test } from "vitest";
import { listTimeTicks } from "./time-axis";

const DAY_MS = 86_400_000;
const END = Date.UTC(2026, 10, 22, 12, 30);
const listLabels = (start: number, end = END) =>
  listTimeTicks(start, end).map(({ label }) => label);

test("marks hours, days and weeks at round UTC times", () => {
  expect(listLabels(END - DAY_MS / 4)).toEqual([
    "07:00",
    "08:00",
    "09:00",
    "10:00",
    "11:00",
    "12:00",
  ]);
  expect(listLabels(END - 5 * DAY_MS)).toEqual(["Nov 18", "Nov 19", "Nov 20", "Nov 21", "Nov 22"]);
  expect(listTimeTicks(END - 30 * DAY_MS, END).every(({ at }) => at % DAY_MS === 0)).toBe(true);
});

test("names the day at midnight", () => {
  expect(listLabels(END - 2 * DAY_MS)).toEqual(["Nov 21", "12:00", "Nov 22", "12:00"]);
});

test("marks the first days of months over longer times, and names the year", () => {
  expect(listLabels(Date.UTC(2026, 7, 15), Date.UTC(2027, 1, 10))).toEqual([
    "Sep",
    "Oct",
    "Nov",
    "Dec",
    "Jan 2027",
    "Feb",
  ]);
  expect(listLabels(Date.UTC(2024, 5, 15))).toEqual([
    "Jul 2024",
    "Jan 2025",
    "Jul 2025",
    "Jan 2026",
    "Jul 2026",
  ]);
});

test("has at most seven ticks, in order and within the time, for any length", () => {
  for (let length = 3_600_000; length < 4_000 * DAY_MS; length *= 1.37) {
    const times = listTimeTicks(END - length, END).map(({ at }) => at);
    expect(times.length, `${length} ms`).toBeLessThanOrEqual(7);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const at of times) expect(at >= END - length && at <= END).toBe(true);
  }
});

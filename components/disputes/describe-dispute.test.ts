import { expect, test } from "vitest";
import { formatDuration } from "./describe-dispute";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

test.each([
  [7 * DAY, "7 days"],
  [2 * DAY + HOUR, "2 days"],
  [DAY + HOUR, "1 day 1 hour"],
  [DAY + 59 * SECOND, "1 day"],
  [5 * HOUR + 12 * 60 * SECOND, "5 hours 12 minutes"],
  [90 * SECOND, "1 minute 30 seconds"],
  [30 * SECOND, "30 seconds"],
  [SECOND - 1, "1 second"],
  [0, "0 seconds"],
  [-DAY, "0 seconds"],
])("formats %d ms as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

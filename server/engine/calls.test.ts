import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "@/server/lib/time";
import { parseRetryAfter } from "./call-in-process";
import { getBackoff } from "./calls";

test("parses retry-after in seconds or as a time", () => {
  expect(parseRetryAfter("30")).toEqual({ inMs: 30_000 });
  expect(parseRetryAfter("2026-01-01T00:10:00.000Z")).toEqual({
    at: new Date("2026-01-01T00:10:00.000Z"),
  });
});

test("the backoff never shrinks and ends at an hour", () => {
  const waits = Array.from({ length: 20 }, (_, attempt) => getBackoff(attempt).inMs);
  expect(waits.slice(0, 3)).toEqual([10_000, 30_000, MINUTE_MS]);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(waits.at(-1)).toBe(HOUR_MS);
});

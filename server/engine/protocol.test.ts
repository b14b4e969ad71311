import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "@/server/lib/time";
import { getBackoff, parseRetryAfter, toEffect } from "./protocol";

test("parses retry-after in seconds or as a time", () => {
  expect(parseRetryAfter("30")).toEqual({ inMs: 30_000 });
  expect(parseRetryAfter("2026-01-01T00:10:00.000Z")).toEqual({
    at: new Date("2026-01-01T00:10:00.000Z"),
  });
  expect(parseRetryAfter(null)).toBeNull();
  expect(parseRetryAfter("soon")).toBeNull();
});

test("the backoff never shrinks and ends at an hour", () => {
  const waits = Array.from({ length: 20 }, (_, attempt) => getBackoff(attempt).inMs);
  expect(waits.slice(0, 3)).toEqual([10_000, 30_000, MINUTE_MS]);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(waits.at(-1)).toBe(HOUR_MS);
});

test("sleeps until a time, and fails on a duration or another operation", () => {
  const at = "2999-01-01T00:00:00.000Z";
  const sleep = (name: string) => toEffect({ op: "Sleep", id: "1", name });
  expect(sleep(at)).toEqual({ kind: "sleep", step: "1", name: at, due: { at: new Date(at) } });
  expect(sleep("1h30m")).toMatchObject({ kind: "failed" });
  expect(toEffect({ op: "InvokeFunction", id: "1", name: "child" })).toMatchObject({
    kind: "failed",
    error: { message: expect.stringContaining("InvokeFunction") },
  });
});

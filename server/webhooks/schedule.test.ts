import { describe, expect, it } from "vitest";
import { getNextAttemptTime, updateFailingState } from "./schedule";

const FAILED_AT = new Date("2026-11-21T12:00:00.123Z");

describe("the next attempt", () => {
  it("is 30 s, 2 min and 10 min after the previous failure, then null", () => {
    const seconds = [1, 2, 3].map(
      (attempt) =>
        (Number(getNextAttemptTime("standard", attempt, FAILED_AT)) - Number(FAILED_AT)) / 1000,
    );
    expect(seconds).toEqual([30, 120, 600]);
    expect(getNextAttemptTime("standard", 4, FAILED_AT)).toBeNull();
  });
});

describe("a webhook whose delivery failed", () => {
  const later = (ms: number) => new Date(FAILED_AT.getTime() + ms);
  const FIVE_DAYS = 432_000_000;

  it("counts as failing from the first failure", () => {
    expect(updateFailingState(null, FAILED_AT)).toEqual({
      failingSince: FAILED_AT,
      disable: false,
    });
  });

  it("is disabled by a failure five days after the first, not a millisecond earlier", () => {
    expect(updateFailingState(FAILED_AT, later(FIVE_DAYS - 1)).disable).toBe(false);
    expect(updateFailingState(FAILED_AT, later(FIVE_DAYS))).toEqual({
      failingSince: FAILED_AT,
      disable: true,
    });
  });
});

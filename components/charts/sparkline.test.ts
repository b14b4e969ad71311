import { expect, test } from "vitest";
import { drawSparkline } from "./sparkline";

/** Returns the heights of a path's points, each relative to the one before. */
const heights = (path: string) =>
  [...path.matchAll(/\d+ ?(-?\d+)/g)].map(([, height]) => Number(height));

test("the same change has the same height on every line with the same span", () => {
  const [, rise = 0] = heights(drawSparkline([10, 14], 20));
  const [, fall = 0] = heights(drawSparkline([90, 86], 20));
  expect(rise).toBe(-fall);
  expect(rise).toBeLessThan(0);
});

test("days without a change and points of level stretches are left out", () => {
  expect(drawSparkline([50, null, 50, 50, 60], 40)).toBe("m0 29 18 0 6-10");
});

test("one score makes no line", () => {
  expect(drawSparkline([null, null, 50], 40)).toBe("");
  expect(drawSparkline([], 40)).toBe("");
});

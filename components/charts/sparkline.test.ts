import { expect, test } from "vitest";
import { drawSparkline } from "./sparkline";

/** Returns the rise from the first to the last point of a path, which is negative upwards. */
function measureRise(path: string): number {
  const heights = [...path.matchAll(/\d+ (\d+)/g)].map(([, height]) => Number(height));
  return (heights.at(-1) ?? 0) - (heights[0] ?? 0);
}

test("the same change has the same height on every line with the same span", () => {
  const rise = measureRise(drawSparkline([10, 14], 20));
  const fall = measureRise(drawSparkline([90, 86], 20));
  expect(rise).toBe(-fall);
  expect(rise).toBeLessThan(0);
});

test("days without a change and points of level stretches are left out", () => {
  expect(drawSparkline([50, null, 50, 50, 60], 40)).toBe("M0 29L18 29L24 19");
});

test("one score makes no line", () => {
  expect(drawSparkline([null, null, 50], 40)).toBe("");
  expect(drawSparkline([], 40)).toBe("");
});

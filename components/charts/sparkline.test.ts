import { expect, test } from "vitest";
import { drawSparkline } from "./sparkline";

const heights = (points: string) => points.split(" ").map((point) => Number(point.split(",")[1]));

test("the same change has the same height on every line with the same span", () => {
  const [low = 0, high = 0] = heights(drawSparkline([10, 14], 20));
  const [start = 0, end = 0] = heights(drawSparkline([90, 86], 20));
  expect(low - high).toBe(end - start);
  expect(low).toBeGreaterThan(high);
});

test("days without a change and points of level stretches are left out", () => {
  expect(drawSparkline([50, null, 50, 50, 60], 40)).toBe("0,29 18,29 24,19");
});

test("one score makes no line", () => {
  expect(drawSparkline([null, null, 50], 40)).toBe("");
  expect(drawSparkline([], 40)).toBe("");
});

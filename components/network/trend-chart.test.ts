import { expect, test } from "vitest";
import { chooseTicks } from "./trend-chart";

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 2, 4]],
  [29, [0, 10, 20, 30]],
  [137, [0, 50, 100, 150]],
  [8_420.5, [0, 5_000, 10_000]],
])("the axis for values up to %d has whole, round ticks", (highest, ticks) => {
  expect(chooseTicks([null, highest, 0])).toEqual(ticks);
});

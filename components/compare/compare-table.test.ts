import { expect, test } from "vitest";
import { findBest } from "./compare-table";

test.each([
  [[1, 3, 2], 1],
  [[-0.2, -0.1, null], 1],
  [[0, null], undefined],
  [[3, 3, 2], undefined],
  [[null, null], undefined],
  [[3], undefined],
])("the best of %j is at %j: the only highest value, if there is another", (values, best) => {
  expect(findBest(values)).toBe(best);
});

import { expect, test } from "vitest";
import { remember } from "./remember";

/** Returns a remembered function and the texts for which it was computed. */
function setUp(max?: number) {
  const computed: string[] = [];
  const measure = remember((text) => {
    computed.push(text);
    return text.length;
  }, max);
  return { measure, computed };
}

test("computes the result of a text once", () => {
  const { measure, computed } = setUp();
  expect(["task", "work", "task"].map(measure)).toEqual([4, 4, 4]);
  expect(computed).toEqual(["task", "work"]);
});

test("forgets the oldest of more texts than it keeps", () => {
  const { measure, computed } = setUp(2);
  for (const text of ["a", "b", "c", "b", "a"]) measure(text);
  expect(computed).toEqual(["a", "b", "c", "a"]);
});

test("keeps only two long texts", () => {
  const { measure, computed } = setUp();
  const long = ["a", "b", "c"].map((letter) => letter.repeat(100_000));
  for (const text of [...long, ...long.slice(1), ...long.slice(0, 1)]) measure(text);
  expect(computed).toHaveLength(4);
});

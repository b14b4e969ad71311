import fc from "fast-check";
import { expect, test } from "vitest";
import { isTooDeep } from "./nesting";

const tooDeep = (value: unknown) => isTooDeep(Buffer.from(JSON.stringify(value)));
const nested = (levels: number, inside: unknown): unknown =>
  levels === 0
    ? inside
    : levels % 2
      ? [nested(levels - 1, inside)]
      : { a: nested(levels - 1, inside) };

test("64 levels are read, one more is not", () => {
  expect(tooDeep(nested(64, "x"))).toBe(false);
  expect(tooDeep(nested(65, "x"))).toBe(true);
});

test("brackets in texts are no levels, however those are quoted", () => {
  const text = fc
    .array(fc.constantFrom("[", "{", '"', "\\", "\\\\", "]", "x", "\u00e9"))
    .map((some) => some.join(""));
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(tooDeep({ [one + "[".repeat(100)]: other + '"['.repeat(100) })).toBe(false);
      expect(tooDeep(nested(65, one))).toBe(true);
    }),
  );
});

test("levels that end count no more", () => {
  expect(tooDeep(Array(1_000).fill([{}, []]))).toBe(false);
});

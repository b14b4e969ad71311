import fc from "fast-check";
import { expect, test } from "vitest";
import { measureJson, parseJson } from "./parse-json";

const parse = (json: string) => parseJson(Buffer.from(json));

test.each([
  ["at the top", '{"a": 1, "b": 2, "a": 3}', ["a"]],
  ["with one value", '{"a": 1, "a": 1}', ["a"]],
  ["in an object of an array", '[{}, {"a": {"b": [0, {"c": 1, "c": 2}]}}]', [1, "a", "b", 1, "c"]],
  ["written with an escape", '{"valueUsdc": 1, "value\\u0055sdc": 2}', ["valueUsdc"]],
  ["that objects inherit", '{"__proto__": 1, "__proto__": 2}', ["__proto__"]],
  ["that is empty", '{"": 1, "": 2}', [""]],
  ["that looks like an index", '{"0": 1, "0": 2}', ["0"]],
  ["that is half a surrogate pair", '{"\\ud800": 1, "\\ud800": 2}', ["\ud800"]],
])("reports a duplicate key %s", (_, json, path) => {
  expect(parse(json)).toEqual({ fault: "duplicate-key", path });
});

test.each([
  '{"a": {"a": 1}, "b": {"a": 1}}',
  '[{"a": 1}, {"a": 1}]',
  '{"a": "{\\"b\\": 1, \\"b\\": 2}"}',
  '{"__proto__": {"a": 1}, "constructor": 2}',
  '{"a": 1, "A": 2, "a ": 3, "\\u0061\\u0301": 4, "\\u00e1": 5}',
])("finds no duplicate key in %s", (json) => {
  expect(parse(json)).toEqual({ value: JSON.parse(json) });
});

test("parses the output of JSON.stringify like JSON.parse", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const json = JSON.stringify(value);
      expect(parse(json)).toEqual({ value: JSON.parse(json) });
    }),
  );
});

test("refuses text that is not JSON or not UTF-8", () => {
  expect(parse('{"a": 1,}')).toMatchObject({ fault: "not-json" });
  expect(parse('{"a": 1} // {')).toMatchObject({ fault: "not-json" });
  expect(parseJson(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ fault: "not-utf8" });
});

test.each([
  ['{"a": 1,\n "b": 2\n "c": 3}', 3, 2, "a comma is missing"],
  ['{"a" 1}', 1, 6, "a colon is missing"],
  ["{'a': 1}", 1, 2, "this is not a value; text needs double quotes"],
  ['{"a": "b\nc"}', 1, 7, "the closing double quote is missing"],
  ['{"a": 1} {}', 1, 10, "the value has ended, but more text follows"],
  ["[1, 2", 1, 6, "a closing bracket is missing"],
  ["// note\n{}", 1, 1, "comments are not allowed"],
  ["", 1, 1, "a value is expected, without a comma before the closing bracket"],
  ["\ufeff\ufeff{}", 1, 1, "this is not a value; text needs double quotes"],
])("locates the syntax error in %j", (json, line, column, reason) => {
  expect(parse(json)).toEqual({ fault: "not-json", line, column, reason });
});

test("locates an error in every text that JSON.parse refuses, without quoting it", () => {
  const cut = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom("", "'", ",", "}", "]", '"', "#", "/*", "\\"))
    .map(([json, at, put]) => json.slice(0, at % json.length) + put);
  fc.assert(
    fc.property(cut, (json) => {
      const parsed = parse(json);
      if ("value" in parsed) return;
      if (parsed.fault !== "not-json") throw new Error(parsed.fault);
      const lines = json.split(/\r\n|\n|\r/);
      expect(parsed.line).toBeLessThanOrEqual(lines.length);
      expect(parsed.column).toBeLessThanOrEqual((lines[parsed.line - 1]?.length ?? 0) + 1);
    }),
  );
});

const shape = (value: unknown) => measureJson(Buffer.from(JSON.stringify(value)));
const nested = (levels: number, inside: unknown): unknown =>
  levels === 0
    ? inside
    : levels % 2
      ? [nested(levels - 1, inside)]
      : { a: nested(levels - 1, inside) };

test("accepts up to 64 levels", () => {
  expect(shape(nested(64, "x"))).toEqual({ members: 32 });
  expect(shape(nested(65, "x"))).toEqual({ fault: "too-deep" });
});

test("does not count brackets in strings", () => {
  const text = fc
    .array(fc.constantFrom("[", "{", '"', "\\", "\\\\", "]", "x", "\u00e9"))
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(shape({ [one + "[".repeat(100)]: other + '"[:'.repeat(100) })).toEqual({ members: 1 });
      expect(shape(nested(65, one))).toEqual({ fault: "too-deep" });
    }),
  );
});

test("does not count closed levels", () => {
  expect(shape(Array(1_000).fill([{}, []]))).toEqual({ members: 0 });
});

test("accepts up to 10,000 values and ignores commas in strings", () => {
  expect(shape(Array(10_000).fill(0))).toEqual({ members: 0 });
  expect(shape(Array(10_001).fill(0))).toEqual({ fault: "too-many-values" });
  expect(shape(",".repeat(20_000))).toEqual({ members: 0 });
});

import { expect, test } from "vitest";
import { describeType, findFields, listConstraints, listValues } from "./describe-schema";

const verdict = { title: "Verdict", type: "string", enum: ["SUCCESS", "FAILURE"] };
const outcome = { title: "Outcome", type: "object", properties: { verdict } };

test("names types", () => {
  expect(describeType({ type: "string", format: "uuid" })).toBe("string (uuid)");
  expect(describeType({ type: ["number", "null"] })).toBe("number or null");
  expect(describeType({ anyOf: [{ type: "integer" }, { type: "null" }] })).toBe("integer or null");
  expect(describeType({ type: "array", items: outcome })).toBe("array of Outcome");
  expect(describeType({ oneOf: [outcome, verdict] })).toBe("one of several shapes");
});

test("lists limits, but not those of the number type", () => {
  expect(
    listConstraints({ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  ).toEqual(["at least 1"]);
  expect(listConstraints({ type: "string", minLength: 1, maxLength: 10_000 })).toEqual([
    "1 to 10,000 characters",
  ]);
  expect(listConstraints({ type: "integer", default: 20 })).toEqual(["default 20"]);
});

test("lists allowed values through null and arrays", () => {
  expect(listValues({ anyOf: [verdict, { type: "null" }] })).toEqual(["SUCCESS", "FAILURE"]);
  expect(listValues({ type: "array", items: verdict })).toEqual(["SUCCESS", "FAILURE"]);
  expect(listValues({ const: true })).toEqual(["true"]);
});

test("finds the fields of objects in arrays, maps and nullable values", () => {
  expect(findFields({ type: "array", items: outcome })).toBe(outcome);
  expect(findFields({ type: "object", additionalProperties: outcome })).toBe(outcome);
  expect(findFields({ anyOf: [outcome, { type: "null" }] })?.properties).toEqual({ verdict });
  expect(findFields(verdict)).toBeNull();
});

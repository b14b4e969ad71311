import { describe, expect, test } from "vitest";
import { listRequirementKinds } from "@/server/agreements/list-kinds";
import { requirementSchema } from "@/server/judging/requirements/schema";
import {
  type EnteredParameters,
  findProblem,
  nameFields,
  readRequirement,
  toRequirementForm,
} from "./requirement-fields";

const KINDS = listRequirementKinds();
const FORMS = new Map(KINDS.map((kind) => [kind.check, toRequirementForm(kind)]));

function getForm(check: string) {
  const form = FORMS.get(check);
  if (!form) throw new Error(`no check ${check}`);
  return form;
}

/** What is entered and read: each kind of parameter, with values that are easily misread. */
const READ: [entered: { check: string } & EnteredParameters, parameters: object][] = [
  [
    { check: "word-count", min: "0", max: " 200 " },
    { min: 0, max: 200 },
  ],
  [
    { check: "contains", phrases: "a, b\n42\n\nx => y", caseSensitive: true },
    { phrases: ["a, b", "42", "x => y"], caseSensitive: true },
  ],
  [{ check: "excludes", phrases: "lorem", caseSensitive: false }, { phrases: ["lorem"] }],
  [{ check: "starts-with", text: "true" }, { text: "true" }],
  [{ check: "letter-case", case: "upper" }, { case: "upper" }],
  [{ check: "matches", pattern: "^\\d+$", min: "" }, { pattern: "^\\d+$" }],
  [{ check: "json", schema: '{ "type": "object" }' }, { schema: { type: "object" } }],
  [{ check: "yaml" }, {}],
  [
    { check: "csv", columns: "Name\nAmount, net", minRows: "3" },
    { columns: ["Name", "Amount, net"], minRows: 3 },
  ],
  [
    { check: "value", at: "", equals: "null" },
    { at: "", equals: null },
  ],
  [
    { check: "value", at: "/total", equals: '"5"' },
    { at: "/total", equals: "5" },
  ],
  [
    { check: "value", at: "/total", equals: "[5]" },
    { at: "/total", equals: "[5]" },
  ],
  [
    { check: "value", at: "Amount, net, -1", equals: "12.5", tolerance: "0.01" },
    { at: { column: "Amount, net", row: -1 }, equals: 12.5, tolerance: 0.01 },
  ],
  [
    { check: "sum", column: "Amount", equals: "Amount, -1" },
    { column: "Amount", equals: { column: "Amount", row: -1 } },
  ],
  [
    { check: "examples", language: "javascript", calls: "f(x => x) => [3]" },
    { language: "javascript", calls: [{ call: "f(x => x)", result: "[3]" }] },
  ],
  [
    { check: "tests", language: "python", file: "\nassert add(1, 2) == 3\n" },
    { language: "python", file: "\nassert add(1, 2) == 3\n" },
  ],
  [{ check: "quotes-found" }, {}],
];

describe("the form of a requirement", () => {
  test.each(READ)("reads what is entered: %j", (entered, parameters) => {
    const { fields } = getForm(entered.check);
    const requirement = { check: entered.check, ...parameters };
    expect(readRequirement(entered, fields)).toEqual(requirement);
    expect(requirementSchema.parse(requirement)).toEqual(requirement);
    const problems = fields.map((field) => findProblem(entered[field.name] ?? "", field));
    expect(problems.filter(Boolean)).toEqual([]);
  });

  test("has a field for every parameter, with a label", () => {
    for (const { fields, label } of FORMS.values()) {
      expect(label).toMatch(/^[A-Z]/);
      for (const field of fields) expect(field.label).toMatch(/^[A-Z]/);
    }
    expect(getForm("json-lines").label).toBe("JSON lines");
    expect(getForm("word-count").label).toBe("Word count");
    for (const { meaning, details } of FORMS.values()) {
      expect(meaning).toMatch(/^[A-Z].*\.$/);
      expect(details).not.toBe("");
    }
  });

  test("names parameters in errors as its fields do", () => {
    expect(nameFields("This needs `min`, `max` or both.")).toBe(
      "This needs “At least”, “At most” or both.",
    );
  });

  test.each([
    ["word-count", "max", "many", "Enter a number."],
    ["json", "schema", "[1]", "This is not a JSON object."],
    ["sum", "equals", "Amount", "Enter a column and a row number, such as Amount, -1."],
    ["examples", "calls", "add(1, 2) = 3", "Write every line as call => result."],
  ])("says what can't be read: %s, %s %j", (check, name, text, problem) => {
    const { fields } = getForm(check);
    const field = fields.find((one) => one.name === name);
    expect(field && findProblem(text, field)).toBe(problem);
    expect(readRequirement({ check, [name]: text }, fields)).toEqual({ check, [name]: text });
  });
});

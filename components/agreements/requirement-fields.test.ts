import { describe, expect, test } from "vitest";
import { listRequirementKinds } from "@/server/agreements/list-kinds";
import { type Requirement, requirementSchema } from "@/server/judging/requirements/schema";
import {
  enterRequirement,
  findProblem,
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

/** One of each kind of parameter, with values that are easily misread. */
const REQUIREMENTS: Requirement[] = [
  { check: "word-count", min: 0, max: 200 },
  { check: "contains", phrases: ["a, b", "42", "x => y"], caseSensitive: true },
  { check: "excludes", phrases: ["lorem"] },
  { check: "starts-with", text: "true" },
  { check: "letter-case", case: "upper" },
  { check: "matches", pattern: "^\\d+$" },
  { check: "json", schema: { type: "object", required: ["total"] } },
  { check: "yaml" },
  { check: "csv", columns: ["Name", "Amount, net"], minRows: 3 },
  { check: "value", at: "", equals: null },
  { check: "value", at: "/total", equals: "5" },
  { check: "value", at: "/total", equals: "[5]" },
  { check: "value", at: { column: "Amount, net", row: -1 }, equals: 12.5, tolerance: 0.01 },
  { check: "sum", column: "Amount", equals: { column: "Amount", row: -1 } },
  { check: "examples", language: "javascript", calls: [{ call: "f(x => x)", result: "[3]" }] },
  { check: "tests", language: "python", file: "\nassert add(1, 2) == 3\n" },
  { check: "quotes-found" },
];

describe("the form of a requirement", () => {
  const examples = KINDS.map(({ example }) => example.requirement);
  test.each([...REQUIREMENTS, ...examples])("reads back what it shows: %j", (requirement) => {
    const { fields } = getForm(requirement.check);
    expect(requirementSchema.parse(requirement)).toEqual(requirement);
    const entered = enterRequirement(requirement, fields);
    expect(readRequirement(entered, fields)).toEqual(requirement);
    for (const field of fields)
      expect(findProblem(entered[field.name] ?? "", field)).toBeUndefined();
  });

  test("has a field for every parameter, with a label", () => {
    for (const { fields, label } of FORMS.values()) {
      expect(label).toMatch(/^[A-Z]/);
      for (const field of fields) expect(field.label).toMatch(/^[A-Z]/);
    }
    expect(getForm("json-lines").label).toBe("JSON lines");
    expect(getForm("word-count").label).toBe("Word count");
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

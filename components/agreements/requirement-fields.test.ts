import { describe, expect, test } from "vitest";
import { listRequirementKinds } from "@/server/agreements/list-kinds";
import { type Requirement, requirementSchema } from "@/server/judging/requirements/schema";
import { enterRequirement, parseRequirement, toRequirementForm } from "./requirement-fields";

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
    const form = getForm(requirement.check);
    expect(requirementSchema.parse(requirement)).toEqual(requirement);
    expect(parseRequirement(form, enterRequirement(form, requirement))).toEqual({ requirement });
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
    ["word-count", {}, { min: "Enter at least one of the two limits." }],
    ["word-count", { max: "many" }, { max: "Enter a number." }],
    ["contains", { phrases: " \n " }, { phrases: "Fill this in." }],
    ["language", { tag: "e" }, { tag: "This doesn't have the right form." }],
    ["json", { schema: "[1]" }, { schema: "This is not a JSON object." }],
    ["letter-case", {}, { case: "Fill this in." }],
    [
      "sum",
      { column: "Amount", equals: "Amount" },
      { equals: "Enter a column and a row number, such as Amount, -1." },
    ],
    [
      "examples",
      { language: "python", calls: "add(1, 2) = 3" },
      { calls: "Write every line as call => result." },
    ],
  ])("says what is missing or wrong: %s %j", (check, entered, errors) => {
    expect(parseRequirement(getForm(check), entered)).toEqual({ errors });
  });
});

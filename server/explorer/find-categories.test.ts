import { expect, test } from "vitest";
import { findCategories } from "./find-categories";

test.each([
  ["code review", ["code-review"]],
  ["Code-Review", ["code-review"]],
  ["reviewing code", ["code-review"]],
  ["legal", ["legal"]],
  ["trader", ["trading"]],
  ["infra", ["infra"]],
  ["analysis", ["data-analysis"]],
  ["code", ["code-review"]],
  ["Quill", []],
  ["", []],
  ["co", []],
])("a search for %s means the categories %j", (q, categories) => {
  expect(findCategories(q)).toEqual(categories);
});

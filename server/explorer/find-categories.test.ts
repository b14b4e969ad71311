// cspell:ignore reveiw
import { expect, test } from "vitest";
import { findCategories, listComparedWords } from "./find-categories";

test.each([
  ["code review", ["code-review"]],
  ["Code-Review", ["code-review"]],
  ["reviewing code", ["code-review"]],
  ["legal", ["legal"]],
  ["trader", ["trading"]],
  ["infra", ["infra"]],
  ["analysis", ["data-analysis"]],
  ["code", ["code-review"]],
  ["the agent for a code review", ["code-review"]],
  ["code reveiw", ["code-review"]],
  ["reading", []],
  ["the best agent", []],
  ["Quill", []],
  ["", []],
  ["co", []],
])("a search for %s means the categories %j", (q, categories) => {
  expect(findCategories(q)).toEqual(categories);
});

test("of a long search, the first five different words are compared with texts", () => {
  expect(listComparedWords("One one two three four, five, six")).toEqual(
    "one two three four five".split(" "),
  );
});

import { describe, expect, test } from "vitest";
import type { DraftCriterion } from "@/server/judging/panel/prompts/rubric-prompt";
import { isVacuous } from "./criterion-words";
import { mergeDrafts } from "./merge-drafts";

const must = (text: string, proof: DraftCriterion["proof"] = "quote"): DraftCriterion => ({
  text,
  kind: "must",
  proof,
});
const should = (text: string): DraftCriterion => ({ ...must(text), kind: "should" });
const GUIDE = must("Is the finished text that the task orders");
const LENGTH = must("The summary has at most 100 words", "absence");
const RIVER = must("Names the river Rhine");
const merge = (...drafts: [DraftCriterion[], DraftCriterion[] | null]) =>
  mergeDrafts(...drafts, GUIDE).map(({ text, kind }) => `${kind}: ${text}`);

describe("two drafts", () => {
  test("keep a must that both have, in other words", () => {
    const second = [must("Keeps to 100 words or fewer"), must("Mentions the Rhine by name")];
    expect(merge([LENGTH, RIVER], second)).toEqual([
      `must: ${LENGTH.text}`,
      `must: ${RIVER.text}`,
      `must: ${GUIDE.text}`,
    ]);
  });

  test("turn a must of one draft into a should", () => {
    const second = [must("Keeps to 100 words or fewer"), must("Cites two newspapers")];
    expect(merge([LENGTH, RIVER], second)).toEqual([
      `must: ${LENGTH.text}`,
      `must: ${GUIDE.text}`,
      `should: ${RIVER.text}`,
      "should: Cites two newspapers",
    ]);
  });

  test("keep a must of one draft that code decides", () => {
    const counted: DraftCriterion = {
      ...must("Has at most 5 sentences", "code"),
      check: { name: "sentence-count", parameters: { max: 5 } },
    };
    expect(merge([counted, RIVER], [])).toContain(`must: ${counted.text}`);
  });

  test("keep the first draft's musts if they share none", () => {
    expect(merge([LENGTH, RIVER], [must("Cites two newspapers")])).toEqual([
      `must: ${LENGTH.text}`,
      `must: ${RIVER.text}`,
      `must: ${GUIDE.text}`,
      "should: Cites two newspapers",
    ]);
  });
});

test("one draft alone keeps its musts", () => {
  expect(merge([RIVER, should("Is vivid")], null)).toEqual([
    `must: ${RIVER.text}`,
    `must: ${GUIDE.text}`,
    "should: Is vivid",
  ]);
});

test("the category's must is added once", () => {
  expect(merge([GUIDE, RIVER], null)).toEqual([`must: ${GUIDE.text}`, `must: ${RIVER.text}`]);
});

test("duplicate and vacuous criteria are dropped, but not a more specific one", () => {
  const specific = must("Names the river Rhine and the sea where it ends");
  expect(
    merge(
      [should("Is relevant to the task"), should("The river Rhine is named"), RIVER, specific],
      null,
    ),
  ).toEqual([`must: ${RIVER.text}`, `must: ${specific.text}`, `must: ${GUIDE.text}`]);
});

test("a long rubric loses only what decides nothing", () => {
  const words = ["apple", "birch", "cedar", "dates", "elder", "ferns", "grape", "holly"];
  const musts = words.slice(0, 6).map((word) => must(`Mentions ${word}`));
  const extras = words.slice(6).map((word) => should(`Praises ${word}`));
  const second = [...musts, must("Mentions walnut"), must("Mentions quince")];
  const merged = mergeDrafts([...extras, ...musts], second, GUIDE);
  expect(merged).toHaveLength(9);
  expect(merged.filter(({ kind }) => kind === "must")).toHaveLength(7);
  expect(merged.map(({ id }) => id)).toEqual(merged.map((_, index) => `c${index + 1}`));
});

test.each([
  "Contains text",
  "The response contains an answer.",
  "Is relevant",
  "The deliverable is relevant to the task",
  "The work is clear and well written",
  "Answers the question",
  "The response fully addresses the request",
  "It follows the instructions",
  "Is not empty",
  "Provides information",
])("%s is vacuous", (text) => expect(isVacuous(text)).toBe(true));

test.each([
  "The result is correct",
  "Contains the text of the licence",
  "Answers the question with a single number",
  "Contains an answer to each of the five questions",
  "Is written in German",
  "Follows the APA format",
  "Gives a result",
  "Contains no invented figure",
  "Is clear about the risks of the bond",
])("%s is not vacuous", (text) => expect(isVacuous(text)).toBe(false));

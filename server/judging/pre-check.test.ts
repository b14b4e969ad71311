import { describe, expect, test } from "vitest";
import type { Deliverable } from "./judge";
import { applyPreCheck } from "./pre-check";

const TASK = "Summarise the meeting notes in five sentences for the board.";
const applyTo = (deliverable: Deliverable, task = TASK) =>
  applyPreCheck({ task, category: "content", deliverable });
const applyToText = (text: string, task?: string) =>
  applyTo({ kind: "text", text, source: "content" }, task);

describe("the pre-check fails with full confidence", () => {
  test.each<[string, Deliverable]>([
    ["neither content nor URL", { kind: "missing" }],
    ["nothing", { kind: "text", text: "", source: "content" }],
    ["white space", { kind: "text", text: " \n\t\u00A0", source: "content" }],
    ["only zero-width characters", { kind: "text", text: "\u200B\u2060\uFEFF", source: "url" }],
  ])("%s", (_, deliverable) => {
    expect(applyTo(deliverable)).toMatchObject({
      judge: { kind: "gate", id: "gate/v3" },
      verdict: "FAILURE",
      confidencePpm: 1_000_000,
    });
  });
});

test("the pre-check fails a URL that could not be fetched, with a confidence that has no weight", () => {
  const judgement = applyTo({
    kind: "unfetchable",
    reason: "The server answered with status 404.",
  });
  expect(judgement).toMatchObject({
    judge: { kind: "gate", id: "gate/v3" },
    verdict: "FAILURE",
    confidencePpm: 500_000,
    detail: { findings: [{ id: "unfetchable", met: "unclear" }] },
  });
  expect(judgement?.reasoning).toContain("could not be fetched");
  expect(judgement?.reasoning).toContain("status 404");
  expect(judgement?.reasoning).toContain("no weight");
});

test("the pre-check fails a document without text, with a confidence that has no weight", () => {
  const judgement = applyTo({
    kind: "unchecked",
    reason: "The document is of type image/png.",
  });
  expect(judgement).toMatchObject({
    judge: { kind: "gate", id: "gate/v3" },
    verdict: "FAILURE",
    confidencePpm: 500_000,
  });
  expect(judgement?.reasoning).toContain("not checked. The document is of type image/png.");
});

describe("the pre-check leaves every text with a visible character to the judge", () => {
  test.each([
    ";",
    ".",
    "...",
    "- - -",
    "!?",
    "###",
    "\u2014",
    "✅",
    "Done",
    "Done.",
    "**Done** ✅",
    "OK",
    "Task completed",
    "See attached",
    "完了",
    "完成",
    "Yes",
    "No",
    "None",
    "42",
    "π",
    "The board met.",
    TASK,
  ])("%j", (text) => expect(applyToText(text)).toBeNull());
});

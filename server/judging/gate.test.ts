import { describe, expect, test } from "vitest";
import { gate } from "./gate";
import type { Deliverable } from "./judge";

const TASK = "Summarise the meeting notes in five sentences for the board.";
const look = (deliverable: Deliverable, task = TASK) =>
  gate({ task, category: "content", deliverable });
const text = (words: string, task?: string) =>
  look({ kind: "text", text: words, source: "content" }, task);

describe("fails by rule, with full confidence,", () => {
  test.each<[string, Deliverable]>([
    ["neither content nor URL", { kind: "missing" }],
    ["nothing", { kind: "text", text: "", source: "content" }],
    ["white space", { kind: "text", text: " \n\t\u00A0", source: "content" }],
    ["only zero-width characters", { kind: "text", text: "\u200B\u2060\uFEFF", source: "url" }],
  ])("%s", (_, deliverable) => {
    expect(look(deliverable)).toMatchObject({
      judge: { kind: "gate", id: "gate/v1" },
      verdict: "FAILURE",
      confidencePpm: 1_000_000,
    });
  });

  test("a URL that could not be fetched, and says so", () => {
    const judgement = look({ kind: "unfetchable", reason: "The server answered with status 404." });
    expect(judgement).toMatchObject({ verdict: "FAILURE", judge: { kind: "gate" } });
    expect(judgement?.reasoning).toContain("could not be fetched");
    expect(judgement?.reasoning).toContain("status 404");
  });
});

describe("fails as contentless", () => {
  test.each(["...", "- - -", "```\n```", "!?", "###", "✅", "👍👍", "—", "\u0301"])(
    "%j",
    (words) => {
      expect(text(words)).toMatchObject({ verdict: "FAILURE", judge: { kind: "gate" } });
    },
  );

  test.each([
    "Done",
    "done!",
    "DONE.",
    "Task completed",
    "It's done.",
    "OK",
    "See attached",
    "完成",
    "**Done** ✅",
  ])("%j", (words) =>
    expect(text(words)).toMatchObject({ verdict: "FAILURE", judge: { kind: "gate" } }),
  );

  test.each([TASK, TASK.toUpperCase(), `  "${TASK}"  `])("an echo of the task: %j", (words) => {
    expect(text(words)).toMatchObject({ verdict: "FAILURE", judge: { kind: "gate" } });
  });
});

describe("leaves to the judge", () => {
  test.each([
    "Yes",
    "No",
    "None",
    "42",
    "4",
    "π",
    "∞",
    "≥",
    "🐙",
    "€",
    "The board met.",
    "Done: the index was rebuilt.",
  ])("%j", (words) => expect(text(words)).toBeNull());

  test("a word that the task asked for", () => {
    expect(text("OK", 'When you have read this, reply with "OK".')).toBeNull();
  });
});

test("never quotes what it judged", () => {
  for (const words of ["Done", TASK]) expect(text(words)?.reasoning).not.toContain(words);
});

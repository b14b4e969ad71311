import { expect, test } from "vitest";
import { extractProse, splitSentences } from "./sentences";

test("sentences are split at punctuation and lines, without list markers", () => {
  expect(
    splitSentences("Write a note.\n\nRules:\n- No commas\n2. Use max. 20 words; be kind."),
  ).toEqual(["Write a note.", "Rules:", "No commas", "Use max. 20 words;", "be kind."]);
});

test("code, block quotations and long quotations are no prose of a task", () => {
  const long = `"${"Never use commas. ".repeat(10)}"`;
  expect(
    extractProse(`Edit this.\n> Use five words.\n\`\`\`\nx = 1\n\`\`\`\n${long} Say "hi".`),
  ).toBe('Edit this.\n\n…\n… Say "hi".');
});

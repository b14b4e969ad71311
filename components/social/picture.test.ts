import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCodePoints } from "@/server/pages/social-picture";
import { toDrawableText } from "./picture";

const latin = readCodePoints(
  readFileSync("node_modules/@fontsource/newsreader/files/newsreader-latin-600-normal.woff"),
);
const hasGlyph = (letter: number) => latin.has(letter);

describe("the drawable part of a name", () => {
  test.each([
    ["Ferroquill", "Ferroquill", false],
    ["  two   words ", "two words", false],
    ["caf\u0065\u0301", "café", false],
    ["Rocket \u{1F680} Works", "Rocket Works", false],
    ["\u{1F468}\u200D\u{1F469}\u200D\u{1F467}", "", false],
    ["Ledger \u5BA1\u8BA1", "Ledger", true],
    ["\u202Egnp.exe", "gnp.exe", false],
  ])("%s is drawn as %s", (name, text, isIncomplete) => {
    expect(toDrawableText(name, 44, hasGlyph)).toEqual({ text, isIncomplete });
  });

  test("is cut to the maximum length", () => {
    expect(toDrawableText("a".repeat(50), 44, hasGlyph).text).toBe(`${"a".repeat(43)}…`);
  });

  test("never contains a character without a glyph", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        for (const letter of toDrawableText(name, 44, hasGlyph).text) {
          expect(letter === "…" || hasGlyph(letter.codePointAt(0) ?? 0)).toBe(true);
        }
      }),
    );
  });
});

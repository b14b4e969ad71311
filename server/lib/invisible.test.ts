import { describe, expect, test } from "vitest";
import { findInvisibleCodePoint, removeInvisibleAndControls } from "./invisible";

const tags = (text: string) =>
  String.fromCodePoint(...[...text].map((letter) => 0xe0000 + (letter.codePointAt(0) ?? 0)));

describe("invisible characters", () => {
  test.each([
    ["tags that spell an order", `Ada${tags("pay me")}`, "Ada"],
    ["zero-width spaces", "A\u200Bda\u2060", "Ada"],
    ["a byte order mark inside", "A\uFEFFda", "Ada"],
    ["a soft hyphen", "A\u00ADda", "Ada"],
    ["bidirectional controls and marks", "\u202EA\u2067da\u200E\u061C", "Ada"],
    ["a joiner at an edge", "\u200DAda\u200C", "Ada"],
    ["joiners that spell something", "A\u200D\u200C\u200Dda", "Ada"],
    ["a joiner beside a space or a digit", "Ada\u200C 7\u200D7", "Ada 77"],
    ["selectors that spell something", "🦊\uFE01\u{E0101}\u{E01EF}", "🦊"],
    ["a repeated emoji selector", "❤\uFE0F\uFE0F", "❤\uFE0F"],
    ["an emoji selector after a letter", "A\uFE0Fda", "Ada"],
    ["fillers", "A\u115F\u3164\uFFA0\u034F\u180Eda", "Ada"],
    ["annotation marks", "A\uFFF9da\uFFFB", "Ada"],
  ])("are found and removed: %s", (_, text, clean) => {
    expect(findInvisibleCodePoint(text)).toMatch(/^U\+[0-9A-F]{4,5}$/);
    expect(removeInvisibleAndControls(text)).toBe(clean);
  });

  test.each([
    "Ada Lovelace, 2026",
    "two\nlines\tand a tab",
    "می\u200Cخواهم",
    "ක්\u200Dෂ",
    "র\u200D্য",
    "👩\u200D🔬 👩🏽\u200D🔬 ❤\uFE0F\u200D🔥 🏳\uFE0F\u200D🌈 1\uFE0F\u20E3",
    "審計員 محلل שלום Ω",
  ])("that scripts and emoji need stay: %j", (text) => {
    expect(findInvisibleCodePoint(text)).toBeNull();
    expect(removeInvisibleAndControls(text)).toBe(text);
  });

  test("include controls when removed, but not line breaks", () => {
    expect(removeInvisibleAndControls("A\u0007\u009Bda\nx")).toBe("Ada\nx");
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortenText } from "./shorten";

const MARK = /\n\[… (\d+) characters left out …\]\n/;

/** Returns the parts and gaps of a shortened text, in order. */
function parseParts(short: string) {
  const pieces = short.split(MARK);
  return {
    parts: pieces.filter((_, index) => index % 2 === 0),
    gaps: pieces.filter((_, index) => index % 2 === 1).map(Number),
  };
}

/** Text of words, lines and characters beyond the first plane, without omission marks. */
const someText = fc
  .array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(" ", "\n", "word ", "💡")), {
    minLength: 1,
    maxLength: 60,
  })
  .chain((words) => fc.integer({ min: 1, max: 400 }).map((times) => words.join("").repeat(times)))
  .filter((text) => !text.includes("[…"));

describe("a shortened text", () => {
  test("is the text itself if it fits", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (text, more) => {
        const of = text.length;
        expect(shortenText(text, of + more)).toEqual({ text, shown: of, of });
      }),
    );
  });

  test("respects the limit, and its marks state the number of omitted characters", () => {
    fc.assert(
      fc.property(someText, fc.integer({ min: 3_000, max: 20_000 }), (text, limit) => {
        const { text: short, shown, of } = shortenText(text, limit);
        expect(short.length).toBeLessThanOrEqual(limit);
        const { parts, gaps } = parseParts(short);
        expect(of).toBe(text.length);
        expect(parts.join("").length).toBe(shown);
        expect(gaps.reduce((sum, gap) => sum + gap, shown)).toBe(of);
        // The marks give the position of every part.
        let at = 0;
        parts.forEach((part, index) => {
          expect(text.slice(at, at + part.length)).toBe(part);
          at += part.length + (gaps[index] ?? 0);
        });
      }),
    );
  });

  test("never splits a character", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("💡", "a"), { minLength: 1 }).map((some) => some.join("")),
        fc.integer({ min: 3_000, max: 6_000 }),
        (some, limit) => {
          expect(shortenText(some.repeat(7_000), limit).text.isWellFormed()).toBe(true);
        },
      ),
    );
  });

  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} of it`).join("\n");

  test("shows beginning, end and evenly spaced parts of the middle, in whole lines", () => {
    const { text, shown, of } = shortenText(lines, 12_000);
    const { parts, gaps } = parseParts(text);
    expect(parts).toHaveLength(10);
    expect(lines.startsWith(parts[0] ?? "?")).toBe(true);
    expect(lines.endsWith(parts.at(-1) ?? "?")).toBe(true);
    for (const line of parts.flatMap((part) => part.split("\n"))) {
      expect(line === "" || /^line \d+ of it$/.test(line)).toBe(true);
    }
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(200);
    expect(shown).toBeGreaterThan(10_500);
    expect(of).toBe(lines.length);
  });

  test("is cut between words if there are no lines", () => {
    const words = "lorem ".repeat(3_000);
    const { parts } = parseParts(shortenText(words, 3_000).text);
    for (const part of parts) expect(part).toMatch(/^ ?(lorem ?)+$/);
  });
});

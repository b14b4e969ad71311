import fc from "fast-check";
import { expect, test } from "vitest";
import { countTerm, findAnswerStart, foldCharacters } from "./terms";

const texts = fc.array(fc.constantFrom("War", "wars", "post-war", "war's", " ", ". ", "**", "”"), {
  maxLength: 30,
});

test("a separate word is also an occurrence, and each passage is one", () => {
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join("");
      const { low, high, passages } = countTerm(text, "war");
      expect(low).toBeLessThanOrEqual(high);
      expect(passages).toHaveLength(Math.min(low, 10));
      for (const { from, to } of passages) expect(text.slice(from, to).toLowerCase()).toBe("war");
    }),
  );
});

test("folding characters keeps offsets", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(foldCharacters(text)).toHaveLength(text.length);
    }),
  );
});

test("the answer begins after a repetition of the task, whatever its layout", () => {
  const task = "Write a note about the tides for young sailors.";
  const repeated = "**Write a note** about the tides\nfor young sailors.";
  expect(repeated.length - findAnswerStart(task, `${repeated}\nHigh tide.`)).toBe(1);
  expect(findAnswerStart(task, "Write a note: the tides")).toBe(0);
});

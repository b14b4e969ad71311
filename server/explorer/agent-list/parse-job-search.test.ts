import fc from "fast-check";
import { expect, test } from "vitest";
import { scaleRuns } from "@/server/testing/scale-runs";
import { parseJobSearch } from "./parse-job-search";

test.each([
  ["code review 300 USDC", "code review", 300],
  ["300 USDC of code review", "code review", 300],
  ["$300 code review", "code review", 300],
  ["code review for $1,250.50", "code review", 1250.5],
  ["research up to 40usdc", "research", 40],
  ["legal $20 USD tomorrow", "legal tomorrow", 20],
  ["300 usdc", "", 300],
  ["$5 then $9", "then $9", 5],
])("%s names a value", (q, text, valueUsdc) => {
  expect(parseJobSearch(q)).toEqual({ text, valueUsdc });
});

test.each([
  "code review",
  "300",
  "agent 300",
  "4USDCoin",
  "x$300",
  "9999999999 USDC",
  "0.1234567 USDC",
  "1,25 USDC",
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0197a3f2-6d1c-7c21-8f3a-0b6d4e9a7c15",
  "",
])("%s names none", (q) => {
  expect(parseJobSearch(q)).toEqual({ text: q, valueUsdc: undefined });
});

/** Words that are no part of an amount. */
const words = fc
  .array(fc.stringMatching(/^[g-z]{3,9}$/), { maxLength: 4 })
  .map((list) => list.join(" "));
const values = fc.integer({ min: 0, max: 10 ** 11 }).map((cents) => cents / 100);

test("an amount is found wherever it is, and the rest is the text", () => {
  fc.assert(
    fc.property(words, values, words, fc.boolean(), fc.boolean(), (...drawn) => {
      const [before, value, after, isSign, isGrouped] = drawn;
      const number = isGrouped ? value.toLocaleString("en") : String(value);
      const q = [before, isSign ? `$${number}` : `${number} USDC`, after].join(" ");
      const text = [before, after].filter(Boolean).join(" ");
      expect(parseJobSearch(q)).toEqual({ text, valueUsdc: value });
    }),
    { numRuns: scaleRuns(200) },
  );
});

test("any text is parsed: without a value it stays as it is, with one it gets shorter", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (q) => {
      const { text, valueUsdc } = parseJobSearch(q);
      if (valueUsdc === undefined) expect(text).toBe(q);
      else expect(text.length).toBeLessThan(q.length);
    }),
    { numRuns: scaleRuns(200) },
  );
});

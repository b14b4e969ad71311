import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { occursInLetters, toLetters } from "./attributed-quotations";

const PAGE =
  "Revenue rose by 12% in 2023, “driven by strong demand in Asia”[4] and by lower costs.";
const occurs = (quotation: string) => occursInLetters(quotation, toLetters(PAGE));

describe("a quotation occurs", () => {
  test.each([
    "revenue ROSE by 12%  in\n2023",
    'Revenue rose by 12% in 2023, "driven by strong demand in Asia" and by lower costs',
    "Revenue rose by 12% … strong demand in Asia",
    "Revenue rose by 12%... and by lower costs.",
    "[The company’s] revenue rose by 12% in 2023",
    "**driven by** strong demand in Asia",
  ])("whatever its typography, and with words left out: %s", (quotation) => {
    expect(occurs(quotation)).toBe(true);
  });

  test.each([
    "Revenue fell by 12% in 2023",
    "Revenue rose by 21% in 2023",
    "strong demand in Asia … Revenue rose by 12%",
    "Revenue rose by 12% … strong demand in Europe",
  ])("only with the same words in the same order: %s", (quotation) => {
    expect(occurs(quotation)).toBe(false);
  });

  test("in doubt, if it is too short to tell", () => expect(occurs("rose … fell")).toBeNull());

  test("if it is any long enough part of the page", () => {
    const text = fc.lorem({ maxCount: 60 });
    fc.assert(
      fc.property(text, fc.nat(), (page, seed) => {
        const words = page.split(" ");
        const from = seed % words.length;
        const quotation = words
          .slice(from, from + 12)
          .join("  ")
          .toUpperCase();
        expect(occursInLetters(quotation, toLetters(page))).not.toBe(false);
      }),
    );
  });
});

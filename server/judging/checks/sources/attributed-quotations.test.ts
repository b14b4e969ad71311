import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listAttributedQuotations, occursInLetters, toLetters } from "./attributed-quotations";

const QUOTE = "the oceans absorbed more heat than in any earlier year";
const PAGE = "https://who.int/report";
const list = (text: string, task = "Write a report.") => listAttributedQuotations({ task, text });

test.each([
  `It says “${QUOTE}” (${PAGE}).`,
  `It says "${QUOTE}" ([WHO](${PAGE})).`,
  `It says "${QUOTE}," [WHO](${PAGE}).`,
  `"${QUOTE}" (WHO, 2023, ${PAGE})`,
  `"${QUOTE}" — ${PAGE}`,
  `"${QUOTE}" (source: ${PAGE})`,
  `According to [WHO](${PAGE}), "${QUOTE}."`,
  `[WHO](${PAGE}) states: "${QUOTE}"`,
  `The [WHO report](${PAGE}) writes that "${QUOTE}".`,
  `It is "${QUOTE}" [1].\n\nReferences\n[1] WHO. ${PAGE}`,
  `It is "${QUOTE}."[^2]\n\n[^2]: WHO. ${PAGE}`,
  `It is "${QUOTE}" [1].\n\n## Sources\n1. WHO, ${PAGE}\n2. https://who.int/other`,
  `> ${QUOTE}\n> — [WHO](${PAGE})`,
  `> "${QUOTE}"\n\n— ${PAGE}`,
  `> ${QUOTE}\nSource: ${PAGE}`,
  `> ${QUOTE}\n\n${PAGE}\n\nSo it was warm.`,
  `It says "${QUOTE}": ${PAGE}`,
  `It reads: "${QUOTE}." Link: ${PAGE}`,
  `"${QUOTE}", says the agency's news page (${PAGE}).`,
  `Per the report at ${PAGE}: "${QUOTE}."`,
])("a quotation is attributed to the page that its sentence cites: %s", (text) => {
  expect(list(text)).toMatchObject([{ quotation: expect.any(String), url: PAGE }]);
  expect(list(text)[0]?.quotation).toContain(QUOTE);
});

test.each([
  ["a title", `"The Oceans Absorbed More Heat Than Ever" (${PAGE})`],
  ["a short phrase", `The "heat of the oceans" (${PAGE})`],
  ["a sentence without a source", `He said "${QUOTE}". More at ${PAGE}.`],
  ["an entry of the references", `## References\n- Smith. "${QUOTE}" ${PAGE}`],
  ["a slogan", `Use "${QUOTE}" as your slogan. Visit ${PAGE}`],
  ["words about a linked page", `Read [this](${PAGE}). The critic called it "${QUOTE}".`],
  ["a sentence that names two pages", `Both ${PAGE} and https://who.int/b say: "${QUOTE}"`],
  ["a number without a reference", `It is "${QUOTE}" [7].\n\n[1] WHO. ${PAGE}`],
  ["a line with an unpaired mark", `A 5" disk: "${QUOTE}" (${PAGE})`],
  ["a block of a list", `> - one\n> - two things that are long enough here\n> — ${PAGE}`],
])("%s is not attributed", (_, text) => {
  expect(list(text)).toEqual([]);
});

test("every quotation belongs to the only page if the task asks for quotations", () => {
  const text = `It says "${QUOTE}." This is new. Docs: ${PAGE}`;
  expect(list(text)).toEqual([]);
  expect(list(text, "What is new? Quote the docs.")).toMatchObject([{ url: PAGE }]);
  expect(list(`${text} https://who.int/b`, "What is new? Quote the docs.")).toEqual([]);
});

const ARTICLE =
  "Revenue rose by 12% in 2023, “driven by strong demand in Asia”[4] and by lower costs.";
const occurs = (quotation: string) => occursInLetters(quotation, toLetters(ARTICLE));

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

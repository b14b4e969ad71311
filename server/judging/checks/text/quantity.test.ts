import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeBounds } from "./bounds";
import { listQuantities } from "./quantity";

/** Writes quantities as "min..max following". */
const read = (sentence: string) =>
  listQuantities(sentence).map(({ min, max, following }) =>
    `${min ?? ""}..${max ?? ""} ${following}`.trim(),
  );

describe("amounts", () => {
  test.each<[string, ...string[]]>([
    ["at least three lines", "3.. lines"],
    ["no fewer than 3 lines", "3.. lines"],
    ["3 or more lines", "3.. lines"],
    ["3 lines or more", "3.. lines or more"],
    ["300+ words", "300.. words"],
    ["more than 3 lines", "4.. lines"],
    ["upwards of a dozen lines", "12.. lines"],
    ["a minimum of five (5) lines", "5.. lines"],
    ["at most 1,200 words", "..1200 words"],
    ["under 200 words", "..199 words"],
    ["less than 200 words", "..199 words"],
    ["no more than two hundred and fifty words", "..250 words"],
    ["should not be more than 200 words", "..200 words"],
    ["must not exceed 200 words", "..200 words"],
    ["don't go over 200 words", "..200 words"],
    ["not less than 4 lines", "4.. lines"],
    ["limit your answer to 200 words", "..200 words"],
    ["keep it to three lines", "..3 lines"],
    ["200 words max", "..200 words max"],
    ["between 100 and 200 words", "100..200 words"],
    ["from 100 to 200 words", "100..200 words"],
    ["100-200 words", "100..200 words"],
    ["100 – 200 words", "100..200 words"],
    ["two or three lines", "2..3 lines"],
    ["at least 100 words but no more than 200 words", "100..200 words"],
    ["minimum 100, maximum 200 words", "100..200 words"],
    ["not more than 3 lines, not fewer than 2", "2..3 lines, not fewer than 2"],
    ["more than 3 but fewer than 7 items", "4..6 items"],
    ["exactly two lines", "2..2 lines"],
    ["a couple of lines", "2..2 lines"],
    ["half a dozen lines", "6..6 lines"],
    ["only one line", "1..1 line"],
    ["a single line", "1..1 line"],
    ["a 200-word note", "200..200 word note"],
    ["twenty-one lines", "21..21 lines"],
    ["one thousand five hundred words", "1500..1500 words"],
    ["mention it twice", "2..2 times"],
    ["at least once", "1.. times"],
    ["around 300 words", "210..390 words"],
    ["~10 lines", "7..13 lines"],
    ["about 100 to 200 words", "70..260 words"],
    ["no commas", "0..0 commas"],
    ["without any headings", "0..0 headings"],
    ["don't use any headings", "0..0 headings"],
    ["3 lines and 4 words", "3..3 lines and 4 words", "4..4 words"],
  ])("%s", (sentence, ...amounts) => expect(read(sentence)).toEqual(amounts));

  test.each([
    "3.5 litres",
    "50% of it",
    "$200",
    "the 3rd line",
    "at 10:30",
    "version 2.0.1",
    "a few",
    "no more",
    "US$1,000.50",
  ])("none in: %s", (sentence) => expect(read(sentence)).toEqual([]));

  test("positions are those of the amount with its comparison", () => {
    const sentence = "Write no more than 200 words.";
    const [{ from, to, preceding } = { from: 0, to: 0, preceding: "" }] = listQuantities(sentence);
    expect(sentence.slice(from, to)).toBe("no more than 200");
    expect(preceding).toBe("Write");
  });
});

test("bounds are described as inclusive", () => {
  expect(describeBounds({ min: 1, max: null }, "line")).toBe("At least 1 line");
  expect(describeBounds({ min: null, max: 0 }, "line")).toBe("No lines");
  expect(describeBounds({ min: null, max: 9 }, "entry", "entries")).toBe("At most 9 entries");
  expect(describeBounds({ min: 2, max: 4 }, "line")).toBe("2 to 4 lines");
});

test("quantities are ordered, do not overlap and have ordered bounds", () => {
  const word = fc.constantFrom(
    "at least",
    "no",
    "more than",
    "3",
    "10",
    "twenty",
    "-",
    "to",
    "and",
    "between",
    "words",
    "or",
    "or more",
    "not",
    "about",
    ",",
    "(5)",
    "a dozen",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 25 }), (parts) => {
      let end = 0;
      for (const { from, to, min, max } of listQuantities(parts.join(" "))) {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(to).toBeGreaterThan(from);
        expect(min ?? 0).toBeLessThanOrEqual(max ?? Number.POSITIVE_INFINITY);
        end = to;
      }
    }),
  );
});

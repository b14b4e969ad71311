import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvCell, csvOf } from "./csv";

describe("a cell", () => {
  test.each([
    ["plain", "plain"],
    ["a, b", '"a, b"'],
    ['say "so"', '"say ""so"""'],
    ["two\nlines", '"two\nlines"'],
    [12.5, "12.5"],
    [-3, "-3"],
    [null, ""],
  ])("of %j is %s", (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r=1", "\uFF1D1", "\u200B=1"])(
    "%j is no formula to a spreadsheet",
    (value) => {
      expect(csvCell(value)).toBe(`"'${value}"`);
    },
  );

  test("is one cell again to who reads it, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const cell = csvCell(text);
        const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        expect([text, `'${text}`]).toContain(read);
        expect(cell.startsWith('"') || !/[",\r\n]/.test(cell)).toBe(true);
      }),
    );
  });
});

test("a file has a header and a line for each agent", () => {
  const csv = csvOf([
    {
      agentId: "0199f3c2-7b1a-7c3e-9f40-3d0a6c1e5b77",
      name: '=HYPERLINK("http://example.org")',
      walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
      walletVerified: true,
      score: 76.2,
      tier: "TRUSTED",
      totalOutcomes: 12,
      categories: ["legal", "ops"],
      rank: { place: 3, tied: true },
      confidence: 0.762,
      requesters: 4,
      lastActive: "2026-11-20T12:00:00.000Z",
      days: [null, 76.2],
    },
  ]);
  expect(csv.split("\r\n")).toEqual([
    "place,tied,name,walletAddress,walletVerified,score,confidence,tier,totalOutcomes,requesters,lastActive,simulated,categories",
    `3,true,"'=HYPERLINK(""http://example.org"")",0x52908400098527886E0F7030069857D2E4169EE7,true,76.20,0.762,TRUSTED,12,4,2026-11-20T12:00:00.000Z,false,legal ops`,
    "",
  ]);
});

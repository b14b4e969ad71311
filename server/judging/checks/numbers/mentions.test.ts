import { describe, expect, it } from "vitest";
import { listLines } from "./data-lines";
import { readTables } from "./data-table";
import { findOperands } from "./mentions";

const TABLE = `| | 2019 | 2018 | Change % |
|---|---|---|---|
| Net sales | 900 | 800 | 12.5 |
| Cost of sales | 600 | 500 | 20.0 |
| Research and development costs | 90 | 70 | 28.6 |
| Change in estimates | 4 | 6 | (33.3) |`;

/** Returns the names of the lines that a question is about, by operand. */
const find = (question: string) =>
  findOperands(question, listLines(readTables(TABLE), "")).map(({ lines }) =>
    lines.map(({ names: [{ label }] }) => label),
  );

describe("findOperands", () => {
  it("finds rows by their words or usual abbreviations", () => {
    expect(find("What was R&D in 2019?")).toEqual([["Research and development costs"]]);
  });

  it("does not take a word of a fully named row for part of another", () => {
    expect(find("What were R&D costs as a percentage of net sales?")).toEqual([
      ["Research and development costs"],
      ["Net sales"],
    ]);
  });

  it("does not find a row or column by what the question asks for", () => {
    expect(find("What was the change in the warranty liability?")).toEqual([]);
    expect(find("What was the change in net sales?")).toEqual([["Net sales"]]);
  });
});

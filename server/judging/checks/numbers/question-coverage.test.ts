import { describe, expect, it } from "vitest";
import { listLines } from "./data-lines";
import { readTables } from "./data-table";
import { findOperands } from "./mentions";
import type { Operation } from "./question";
import { isUnderstood } from "./question-coverage";

const DATED = "| | 2019 | 2018 |\n|---|---|---|\n| Leases | 80 | 70 |\n| Total debt | 120 | 90 |";
const UNDATED = "| | Here | There |\n|---|---|---|\n| Leases | 80 | 70 |\n| Leases | 60 | 30 |";

function isClear(text: string, operation: Operation, data = DATED, prose = "") {
  const tables = readTables(data);
  const operands = findOperands(text, listLines(tables, prose));
  return isUnderstood({ text, operation }, operands, { tables, prose });
}

describe("isUnderstood", () => {
  it.each<[string, Operation]>([
    ["What were leases in 2019?", "value"],
    ["What was the percentage change in total debt from 2018 to 2019?", "percent-change"],
    ["What was the ratio of leases to total debt in 2018?", "ratio"],
  ])("understands: %s", (text, operation) => {
    expect(isClear(text, operation)).toBe(true);
  });

  it.each<[string, Operation]>([
    ["If leases grow by 5%, what will they be in 2020?", "value"],
    ["What were leases within the first two years?", "sum"],
    ["What were leases of aircraft in 2019?", "value"],
    ["What percentage of total debt in 2019 was aged beyond term?", "share"],
    ["What were leases plus 500 in 2019?", "value"],
  ])("does not understand: %s", (text, operation) => {
    expect(isClear(text, operation)).toBe(false);
  });

  it("does not understand a year of a table without years", () => {
    expect(isClear("What was the change in leases there?", "difference", UNDATED)).toBe(true);
    expect(isClear("What was the change in leases there in 2019?", "difference", UNDATED)).toBe(
      false,
    );
  });
});

import { describe, expect, it } from "vitest";
import { listLines } from "./data-lines";
import { readTables } from "./data-table";
import { listLoose } from "./loose-readings";
import { findOperands } from "./mentions";
import { listPlausible } from "./plausible-answers";
import type { Operation } from "./question";

const TABLE = `| | Total | Due in 2020 | Due in 2021 |
|---|---|---|---|
| Leases | 80 | 30 | 50 |
| Debt | 120 | 100 | 20 |
| Total obligations | 200 | 130 | 70 |`;

function read(text: string, operation: Operation) {
  const lines = listLines(readTables(TABLE), "");
  const reading = { question: { text, operation }, operands: findOperands(text, lines), lines };
  const round = ({ value }: { value: { toNumber(): number } }) =>
    Math.round(value.toNumber() * 1_000) / 1_000;
  return { strict: listPlausible(reading).map(round), loose: listLoose(reading).map(round) };
}

describe("listPlausible", () => {
  it("keeps to the periods that the question names", () => {
    const { strict } = read("What was the total due in 2020 and 2021 for leases?", "sum");
    expect(strict).toContain(80);
    expect(strict).not.toContain(130);
  });

  it("divides as a ratio says", () => {
    const { strict } = read("What is the ratio of debt to leases due in 2020?", "ratio");
    expect(strict).toContain(3.333);
    expect(strict).not.toContain(0.3);
  });
});

describe("listLoose", () => {
  it("adds readings over totals, and other operations that the words could ask for", () => {
    const { loose } = read("What share of the total obligations is due for leases?", "share");
    expect(loose).toContain(0.4);
    expect(read("What was the average change in debt due?", "average").loose).toContain(-80);
  });
});

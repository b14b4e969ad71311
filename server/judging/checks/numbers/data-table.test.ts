import { describe, expect, it } from "vitest";
import { readTables } from "./data-table";

const FORMS: Record<string, string> = {
  Markdown:
    "| | 2019 | 2018 |\n|---|---:|---:|\n| Net sales | $1,200 | $1,000 |\n| Costs | (800) | — |",
  "pipes alone": " | 2019 | 2018\nNet sales | $ 1,200 | $ 1,000\nCosts | (800) | —",
  "a column of currency signs":
    "| | | 2019 | | 2018 |\n|---|---|---|---|---|\n| Net sales | $ | 1,200 | $ | 1,000 |\n| Costs | | (800) | | — |",
  tabs: "\t2019\t2018\nNet sales\t1,200\t1,000\nCosts\t(800)\t—",
  CSV: "Item,2019,2018\nNet sales,1200,1000\nCosts,-800,n/a",
  "a list of lists":
    '[["", "2019", "2018"], ["Net sales", "$1,200", "$1,000"], ["Costs", "(800)", "—"]]',
  "aligned text": "(in millions) 2019 2018\nNet sales $ 1,200 $ 1,000\nCosts (800) —",
};

describe("readTables", () => {
  it.each(Object.entries(FORMS))("reads %s", (_, text) => {
    const [table] = readTables(`Some words before.\n\n${text}\n\nSome words after.`);
    expect(table?.columns).toEqual(["2019", "2018"]);
    const rows = table?.rows.map(({ label, cells }) => [
      label,
      ...cells.map(
        (cell) => cell && (cell.isNegative ? -cell.value.toNumber() : cell.value.toNumber()),
      ),
    ]);
    expect(rows).toEqual([
      ["Net sales", 1200, 1000],
      ["Costs", -800, null],
    ]);
  });

  it("keeps headings of rows and joins headings of columns", () => {
    const [table] = readTables(
      "| | Year ended | |\n|---|---|---|\n| | dec 282013 | dec 292012 |\n| Debt | | |\n| Foreign | 5 | 6 |",
    );
    expect(table?.columns).toEqual(["Year ended dec 282013", "Year ended dec 292012"]);
    expect(table?.rows[0]).toMatchObject({ label: "Foreign", section: "Debt" });
  });

  it("finds no table in prose or lists", () => {
    expect(
      readTables("Sales were 5 in 2018.\n- one\n- two, three, four\n\nGrowth was 3%."),
    ).toEqual([]);
  });
});

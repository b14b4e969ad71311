import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatCapacity, splitDocument } from "./capacity";
import type { Figure } from "./measure";
import { describeRun } from "./results-file";

test("the table of capacities follows from the committed figures", () => {
  const text = readFileSync(join(import.meta.dirname, "results/latest.jsonl"), "utf8");
  const [run, ...figures] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(splitDocument()[1]).toBe(`\n${formatCapacity(figures, run)}\n`);
});

test("a capacity is the inverse of the CPU time that an outcome costs", () => {
  const figure = (name: string, value: number): Figure => ({
    name,
    value,
    unit: "ms",
    yardstick: 1,
    ratio: 1,
  });
  const table = formatCapacity(
    [figure("pipeline.cpu_server", 6), figure("pipeline.cpu_postgres", 4)],
    describeRun(),
  );
  expect(table).toContain("| 100 a second | 1,000 ms ÷ (6 ms service + 4 ms PostgreSQL) |");
  expect(table).toContain("| 250 a second | 1,000 ms ÷ 4 ms |");
  expect(table).not.toContain("read.warm");
});

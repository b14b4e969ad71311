import { join } from "node:path";
import { expect, test } from "vitest";
import { formatCapacity, readCapacity } from "./capacity";
import type { Figure } from "./measure";
import { readResults } from "./results-file";

test("the table of capacities follows from the committed figures", () => {
  const { run, figures } = readResults<Figure>(join(import.meta.dirname, "results/latest.jsonl"));
  expect(readCapacity()).toBe(formatCapacity(figures, run));
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
    null,
  );
  expect(table).toContain("| 100 a second | 1,000 ms ÷ (6 ms service + 4 ms PostgreSQL) |");
  expect(table).toContain("| 250 a second | 1,000 ms ÷ 4 ms |");
  expect(table).not.toContain("read.warm");
});

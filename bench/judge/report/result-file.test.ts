import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { BenchRun } from "@/server/judging/bench-result";
import { addRun, reliabilityPath, writeRun } from "./result-file";

const folder = mkdtempSync(join(tmpdir(), "standing-result-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (id: string, measuredOn = "2026-11-21") => ({ judge: { id }, measuredOn }) as BenchRun;

test("replaces the earlier run of the same judge and keeps the others", () => {
  const replaced = addRun({ runs: [run("b", "2026-01-01"), run("c")] }, run("b"));
  expect(replaced.runs).toEqual([run("b"), run("c")]);
  expect(addRun(replaced, run("a")).runs.map(({ judge }) => judge.id)).toEqual(["a", "b", "c"]);
});

test.each([
  ["builtin-checks/v3", "/judge/reliability-builtin-checks-v3.svg"],
  ["Vendor/Model-1.5:free", "/judge/reliability-vendor-model-1.5-free.svg"],
  ["../../../etc/passwd", "/judge/reliability-..-..-..-etc-passwd.svg"],
])("stores the diagram of %s in the folder of diagrams", (id, path) => {
  expect(reliabilityPath(id)).toBe(path);
});

test("does not overwrite results of an unexpected format", () => {
  mkdirSync(join(folder, "bench/results"), { recursive: true });
  writeFileSync(join(folder, "bench/results/judge.json"), '{"runs":[1]}');
  expect(() => writeRun(folder, run("a"), "<svg/>")).toThrow("fix or delete it");
});

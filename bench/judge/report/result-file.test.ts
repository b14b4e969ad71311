import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { BenchRun, FirstContact } from "@/server/pages/bench-result";
import type { Report } from "./report";
import { addRun, reliabilityPath, toContacts, writeRun } from "./result-file";

const folder = mkdtempSync(join(tmpdir(), "standing-result-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (id: string, measuredOn = "2026-11-21") => ({ judge: { id }, measuredOn }) as BenchRun;

test("replaces the earlier run of the same judge and keeps the others", () => {
  const before = { runs: [run("b", "2026-01-01"), run("c")], firstContacts: [] };
  const replaced = addRun(before, run("b"));
  expect(replaced.runs).toEqual([run("b"), run("c")]);
  expect(addRun(replaced, run("a")).runs.map(({ judge }) => judge.id)).toEqual(["a", "b", "c"]);
});

test("keeps what a judge achieved on a blind set when it first met it, also for later versions", () => {
  const meet = (
    kind: "heuristic" | "llm",
    id: string,
    tpr: number,
    set = "jobs",
  ): FirstContact => ({
    ...{ set, judge: { kind, id, version: "1" }, measuredOn: "2026-11-21", n: 50, tpr },
    ...{ tnr: 0.3, decided: 0.4, ece: 0.1 },
  });
  const first = [meet("heuristic", "checks/v2", 0.9), meet("llm", "a", 0.8)];
  const before = addRun({ runs: [], firstContacts: [] }, run("b"), first);
  const again = [
    meet("heuristic", "checks/v3", 1),
    meet("llm", "a", 1),
    meet("llm", "b", 1),
    meet("llm", "a", 1, "others"),
  ];
  expect(addRun(before, run("b"), again).firstContacts).toEqual([...first, ...again.slice(2)]);
});

test("only blind sets are first contacts", () => {
  const figures = { n: 8, tpr: { value: 1 }, tnr: null, decided: 0.25, ece: { value: 0.1 } };
  const report = {
    judge: { kind: "llm", id: "a", version: "panel/v3", calibration: "c/1" },
    measuredOn: "2026-11-24",
    bySet: { starter: figures, "jobs-blind": figures },
  } as unknown as Report;
  expect(toContacts(report, ["jobs-blind", "code-blind"])).toEqual([
    {
      ...{ set: "jobs-blind", judge: { kind: "llm", id: "a", version: "panel/v3" } },
      ...{ measuredOn: "2026-11-24", n: 8, tpr: 1, tnr: null, decided: 0.25, ece: 0.1 },
    },
  ]);
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
  expect(() => writeRun(folder, run("a"), { svg: "<svg/>" })).toThrow("fix or delete it");
});

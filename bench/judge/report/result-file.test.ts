import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { FirstContact, ModelRun } from "@/server/pages/bench-result";
import type { Report } from "./report";
import { addBuiltin, addRun, toContacts, writeReport } from "./result-file";

const folder = mkdtempSync(join(tmpdir(), "standing-result-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (models: string[], set: string, measuredOn = "2026-11-21") =>
  ({ models, set, measuredOn }) as ModelRun;

test("replaces the earlier run of the same models on the same set and keeps the others", () => {
  const before = [run(["a", "b"], "one"), run(["a", "b"], "two"), run(["b", "a"], "one")];
  const again = run(["a", "b"], "one", "2026-11-22");
  expect(addRun(before, again)).toEqual([again, before[1], before[2]]);
});

const figures = { n: 8, tpr: { value: 1 }, tnr: null, decided: 0.25, ece: 0.1 };
const report = {
  judge: { kind: "heuristic", id: "checks/v4", version: "checks/v4", calibration: "c/1" },
  measuredOn: "2026-11-24",
  overall: { tpr: { n: 8, count: 8, value: 1, low: 0, high: 1 }, tnr: null, attacks: null },
  bySet: { starter: figures, "jobs-blind": figures, "code-blind": figures },
  checks: {},
  cases: [],
} as unknown as Report;

test("only blind sets are first contacts", () => {
  expect(toContacts(report, ["jobs-blind"])).toEqual([
    {
      set: "jobs-blind",
      judge: { kind: "heuristic", id: "checks/v4", version: "checks/v4" },
      ...{ measuredOn: "2026-11-24", n: 8, tpr: 1, tnr: null, decided: 0.25, ece: 0.1 },
    },
  ]);
});

test("keeps what the built-in judge achieved on a blind set when it first met it", () => {
  const met: FirstContact = {
    set: "jobs-blind",
    judge: { kind: "heuristic", id: "checks/v2", version: "checks/v2" },
    ...{ measuredOn: "2026-11-21", n: 8, tpr: 0.9, tnr: 0.3, decided: 0.4, ece: 0.1 },
  };
  const { builtin, firstContacts } = addBuiltin({ builtin: null, firstContacts: [met] }, report);
  expect(firstContacts.map(({ set, tpr }) => [set, tpr])).toEqual([
    ["jobs-blind", 0.9],
    ["code-blind", 1],
  ]);
  expect(builtin).toMatchObject({ goodPassed: { n: 8, count: 8 }, badFailed: null });
});

test("does not overwrite results of an unexpected format", () => {
  mkdirSync(join(folder, "bench/results"), { recursive: true });
  writeFileSync(join(folder, "bench/results/judge.json"), '{"runs":[1]}');
  expect(() => writeReport(folder, report)).toThrow("fix or delete it");
});

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { z } from "zod";
import { readText } from "@/bench/judge/labelled-set";
import { MANIFEST } from "@/bench/judge/manifest";
import type { Share } from "@/bench/judge/statistics/figures";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import {
  type BenchResult,
  benchResultSchema,
  type FirstContact,
  type ModelRun,
  modelRunsSchema,
} from "@/server/pages/bench-result";
import type { Report } from "./report";

const BUILTIN = "bench/results/judge.json";
const MODELS = "bench/results/judge-model.json";

/**
 * Adds the report to the results below `root`. Returns the file's path, relative to it. Throws a
 * `CommandError` if cases lack a verdict, since the figures would mislead.
 */
export function writeReport(root: string, report: Report): string {
  const undecided = report.cases.filter(({ verdict }) => verdict === null).length;
  if (undecided > 0) {
    throw new CommandError(
      `${undecided} cases have no verdict, so nothing was written. Run it again to judge them.`,
    );
  }
  const isModel = report.judge.kind === "llm";
  const path = isModel ? MODELS : BUILTIN;
  const file = join(root, path);
  const result = isModel
    ? addRun(read(file, modelRunsSchema, []), toModelRun(report))
    : addBuiltin(read(file, benchResultSchema, { builtin: null, firstContacts: [] }), report);
  writeBelow(root, path, `${JSON.stringify(result, null, 2)}\n`);
  return path;
}

/** Returns the runs with `run` first, in place of an earlier one of the same models on the same set. */
export function addRun(runs: readonly ModelRun[], run: ModelRun): ModelRun[] {
  const isSame = ({ models, set }: ModelRun) =>
    set === run.set && models.join() === run.models.join();
  return [run, ...runs.filter((other) => !isSame(other))];
}

/** Returns `result` with another run of the built-in judge. Its first results on blind sets stay. */
export function addBuiltin({ firstContacts }: BenchResult, report: Report): BenchResult {
  const { judge, measuredOn, overall, checks } = report;
  const isNew = ({ set }: FirstContact) => !firstContacts.some((met) => met.set === set);
  return {
    builtin: { id: judge.id, measuredOn, ...toCounts(overall), checks },
    firstContacts: [...firstContacts, ...toContacts(report, MANIFEST.blind).filter(isNew)],
  };
}

function toModelRun({ measuredOn, models, judge, set, overall, usage }: Report): ModelRun {
  const { callsPerVerdict, roundTripsPerVerdict, tokensPerVerdict, thirdExaminations } = usage;
  return {
    measuredOn,
    models: [...models],
    version: judge.version,
    set,
    ...toCounts(overall),
    calls: callsPerVerdict,
    roundTrips: roundTripsPerVerdict,
    tokens: tokensPerVerdict,
    thirdExaminations,
  };
}

function toCounts({ tpr, tnr, attacks }: Report["overall"]) {
  const toCount = (share: Share | null) => share && { n: share.n, count: share.count };
  return { goodPassed: toCount(tpr), badFailed: toCount(tnr), attacksPassed: toCount(attacks) };
}

/** Returns the results on those sets of the run that are `blind`. */
export function toContacts(
  { judge: { kind, id, version }, measuredOn, bySet }: Report,
  blind: readonly string[],
): FirstContact[] {
  return Object.entries(bySet).flatMap(([set, { n, tpr, tnr, decided, ece }]) =>
    blind.includes(set)
      ? [
          {
            ...{ set, judge: { kind, id, version }, measuredOn, n },
            ...{ tpr: tpr?.value ?? null, tnr: tnr?.value ?? null, decided: decided ?? 0, ece },
          },
        ]
      : [],
  );
}

export function writeBelow(root: string, path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function read<T>(file: string, schema: z.ZodType<T>, empty: T): T {
  if (!existsSync(file)) return empty;
  try {
    return schema.parse(JSON.parse(readText(file)));
  } catch {
    throw new CommandError(`${file} has an unexpected format: fix or delete it.`);
  }
}

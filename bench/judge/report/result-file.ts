import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readText } from "@/bench/judge/labelled-set";
import type { Figures } from "@/bench/judge/statistics/metrics";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import {
  type BenchResult,
  type BenchRun,
  benchResultSchema,
  type FirstContact,
} from "@/server/pages/bench-result";
import type { Report } from "./report";

const RESULT = "bench/results/judge.json";

/** Returns the path of a judge's reliability diagram for pages, below `public/`. */
export function reliabilityPath(judgeId: string): string {
  const name = judgeId.toLowerCase().replace(/[^a-z0-9.]+/g, "-");
  return `/judge/reliability-${name}.svg`;
}

/**
 * Returns `result` with `run` added, or in place of the same judge's earlier run, sorted by id. Of
 * `contacts`, adds those with sets that this judge had not met, whatever its version then.
 */
export function addRun(
  result: BenchResult,
  run: BenchRun,
  contacts: readonly FirstContact[] = [],
): BenchResult {
  const others = result.runs.filter(({ judge }) => judge.id !== run.judge.id);
  // The built-in judge has its version in its id.
  const isSameJudge = (a: FirstContact["judge"], b: FirstContact["judge"]) =>
    a.kind === "heuristic" ? b.kind === "heuristic" : a.id === b.id;
  const isNew = ({ set, judge }: FirstContact) =>
    !result.firstContacts.some((met) => met.set === set && isSameJudge(met.judge, judge));
  return {
    firstContacts: [...result.firstContacts, ...contacts.filter(isNew)],
    runs: [...others, run].toSorted((a, b) => (a.judge.id < b.judge.id ? -1 : 1)),
  };
}

/** Writes the run and its diagram below `root`. Returns their paths, relative to it. */
export function writeRun(
  root: string,
  run: BenchRun,
  { svg, contacts = [] }: { svg: string; contacts?: readonly FirstContact[] },
): string[] {
  const result = addRun(readResult(join(root, RESULT)), run, contacts);
  const diagram = `public${reliabilityPath(run.judge.id)}`;
  writeBelow(root, RESULT, `${JSON.stringify(benchResultSchema.parse(result), null, 2)}\n`);
  writeBelow(root, diagram, svg);
  return [RESULT, diagram];
}

export function writeBelow(root: string, path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function readResult(file: string): BenchResult {
  if (!existsSync(file)) return { runs: [], firstContacts: [] };
  try {
    return benchResultSchema.parse(JSON.parse(readText(file)));
  } catch {
    throw new CommandError(`${file} has an unexpected format: fix or delete it.`);
  }
}

/**
 * Converts the report to its committed form. Throws a `CommandError` if that would mislead: if cases
 * lack a verdict, or a label has no cases.
 */
export function toBenchRun(report: Report): BenchRun {
  const { judge, measuredOn, model, set, overall, coverage, checks, attacks, usage } = report;
  const undecided = report.cases.filter(({ verdict }) => verdict === null).length;
  if (undecided > 0) {
    throw new CommandError(
      `${undecided} cases have no verdict, so nothing was written. Run it again to judge them.`,
    );
  }
  const { tpr, tnr, balancedAccuracy, brier, ece } = overall;
  if (!tpr || !tnr || !balancedAccuracy || !brier || !ece) {
    throw new CommandError("The set lacks good or bad deliverables, so nothing was written.");
  }
  return {
    judge,
    measuredOn,
    model,
    set,
    overall: {
      tpr,
      tnr,
      balancedAccuracy,
      brier,
      ece,
      eceByVerdict: overall.eceByVerdict,
      coverage: coverage ?? 0,
    },
    bySet: mapValues(report.bySet, (figures) => ({
      ...toRates(figures),
      coverage: figures.coverage ?? 0,
    })),
    byCategory: mapValues(report.byCategory, toRates),
    checks,
    accuracyAtCoverage: overall.accuracyAtCoverage,
    attackSuccess: attacks?.success ?? null,
    latencyMs: usage.latencyMs,
    tokens: usage.tokens && { input: usage.tokens.input, output: usage.tokens.output },
    costUsd: usage.calls === 0 ? null : usage.costUsd,
    reliability: reliabilityPath(judge.id),
  };
}

/** Returns the results on those sets of the run that are `blind`. */
export function toContacts(
  { judge, measuredOn, bySet }: Report,
  blind: readonly string[],
): FirstContact[] {
  const { kind, id, version } = judge;
  return Object.entries(bySet).flatMap(([set, { n, tpr, tnr, decided, ece }]) =>
    blind.includes(set)
      ? [
          {
            set,
            judge: { kind, id, version },
            measuredOn,
            n,
            tpr: tpr?.value ?? null,
            tnr: tnr?.value ?? null,
            decided: decided ?? 0,
            ece: ece?.value ?? null,
          },
        ]
      : [],
  );
}

const toRates = ({ n, tpr, tnr, balancedAccuracy }: Figures) => ({
  n,
  tpr: tpr?.value ?? null,
  tnr: tnr?.value ?? null,
  balancedAccuracy: balancedAccuracy?.value ?? null,
});

const mapValues = <From, To>(record: Record<string, From>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** Number of cases, and of those that count. */
const count = z.strictObject({ n: z.int(), count: z.int() });

/** Number of deliverables by their label. */
const counts = z.strictObject({ good: z.int(), bad: z.int() });

/** One run of a judge over language models. */
const modelRunSchema = z.strictObject({
  measuredOn: z.iso.date(),
  /** As requested. */
  models: z.array(z.string()),
  version: z.string(),
  set: z.string(),
  goodPassed: count.nullable(),
  badFailed: count.nullable(),
  /** Attacks that got a `SUCCESS` with confidence above 0.5. */
  attacksPassed: count.nullable(),
  /** The next three are means of a verdict. */
  calls: z.number(),
  roundTrips: z.number(),
  tokens: z.strictObject({ input: z.number(), output: z.number() }).nullable(),
  /** Verdicts that needed one. */
  thirdExaminations: z.int(),
});
export type ModelRun = z.infer<typeof modelRunSchema>;

/** `bench/results/judge-model.json`: for each set, the last run of each pair of models. */
export const modelRunsSchema = z.array(modelRunSchema);

/** The last run of the built-in judge over all sets. */
const builtinRunSchema = z.strictObject({
  id: z.string(),
  measuredOn: z.iso.date(),
  goodPassed: count.nullable(),
  badFailed: count.nullable(),
  /** Attacks that got a `SUCCESS` with confidence above 0.5. */
  attacksPassed: count.nullable(),
  /** By name of the check: its results by label. */
  checks: z.record(z.string(), z.strictObject({ failed: counts, passed: counts })),
});
export type BuiltinRun = z.infer<typeof builtinRunSchema>;

/**
 * What the built-in judge achieved on a blind set, written by people who never saw its checks, when it
 * first met it. Later versions may have learned from the set, so later runs don't replace it.
 */
const firstContactSchema = z.strictObject({
  set: z.string(),
  judge: z.strictObject({
    kind: z.enum(["heuristic", "llm"]),
    id: z.string(),
    version: z.string(),
  }),
  measuredOn: z.iso.date(),
  n: z.int(),
  /** Share of good work that passed. */
  tpr: z.number().nullable(),
  /** Share of bad work that failed. */
  tnr: z.number().nullable(),
  /** Share of verdicts with a confidence above 0.5. */
  decided: z.number(),
  /** Expected calibration error. */
  ece: z.number().nullable(),
});
export type FirstContact = z.infer<typeof firstContactSchema>;

/** `bench/results/judge.json`: the results of the built-in judge. */
export const benchResultSchema = z.strictObject({
  builtin: builtinRunSchema.nullable(),
  firstContacts: z.array(firstContactSchema),
});
export type BenchResult = z.infer<typeof benchResultSchema>;

/** Reads the committed results of the built-in judge; empty if they are missing or invalid. */
export async function readBenchResult(folder = process.cwd()): Promise<BenchResult> {
  try {
    const path = join(/* turbopackIgnore: true */ folder, "bench", "results", "judge.json");
    return benchResultSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return { builtin: null, firstContacts: [] };
  }
}

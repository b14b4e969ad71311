import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** A measured value from 0 to 1 with its 95% confidence interval. */
const estimate = z.strictObject({
  value: z.number(),
  low: z.number(),
  high: z.number(),
});

const rates = z.strictObject({
  n: z.int(),
  /** Share of good work that passed. */
  tpr: z.number().nullable(),
  /** Share of bad work that failed. */
  tnr: z.number().nullable(),
  balancedAccuracy: z.number().nullable(),
});

/** Number of deliverables by their label. */
const counts = z.strictObject({ good: z.int(), bad: z.int() });

/** One measured run of one judge. Null means not measured, or no cases to measure. */
const benchRunSchema = z.strictObject({
  judge: z.strictObject({
    kind: z.enum(["heuristic", "llm"]),
    id: z.string(),
    version: z.string(),
    calibration: z.string().nullable(),
  }),
  measuredOn: z.iso.date(),
  /** As reported by the endpoint; null without a language model. */
  model: z.string().nullable(),
  /** `tasks`: number of deliverables. */
  set: z.strictObject({ name: z.string(), tasks: z.int(), attacks: z.int() }),
  overall: z.strictObject({
    /** Share of good work that passed. */
    tpr: estimate,
    /** Share of bad work that failed. */
    tnr: estimate,
    balancedAccuracy: estimate,
    brier: estimate,
    ece: estimate,
    /** Expected calibration error of the cases with each verdict. */
    eceByVerdict: z.strictObject({
      SUCCESS: z.number().nullable(),
      FAILURE: z.number().nullable(),
    }),
    /** Share of cases in which a check failed, or one that is specific to the task passed. */
    coverage: z.number(),
  }),
  /** By name of the labelled set. */
  bySet: z.record(z.string(), rates.extend({ coverage: z.number() })),
  byCategory: z.record(z.string(), rates),
  /** By name of the check. */
  checks: z.record(
    z.string(),
    z.strictObject({
      failed: counts,
      passed: counts,
      /** Share of bad deliverables among those that failed. */
      precision: z.number().nullable(),
      /** Share of failed deliverables among the bad ones that were checked. */
      recall: z.number().nullable(),
    }),
  ),
  /** Accuracy on the given share of cases with the highest confidence. */
  accuracyAtCoverage: z.array(z.strictObject({ coverage: z.number(), accuracy: z.number() })),
  /** Share of attacks that got a `SUCCESS` with confidence above 0.5. */
  attackSuccess: estimate.extend({ n: z.int() }).nullable(),
  latencyMs: z.strictObject({ p50: z.number(), p95: z.number() }).nullable(),
  /** For the whole run. */
  tokens: z.strictObject({ input: z.int(), output: z.int() }).nullable(),
  costUsd: z.number().nullable(),
  /** Public path of the reliability diagram. */
  reliability: z.string().nullable(),
});
export type BenchRun = z.infer<typeof benchRunSchema>;

/**
 * What a judge achieved on a blind set, written by people who never saw its checks or prompts, when it
 * first met it. Later versions may have learned from the set, so later runs don't replace it.
 */
const firstContactSchema = z.strictObject({
  set: z.string(),
  judge: benchRunSchema.shape.judge.omit({ calibration: true }),
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

/**
 * `bench/results/judge.json`: the last committed bench results of each judge, and its first ones on
 * blind sets.
 */
export const benchResultSchema = z.strictObject({
  runs: z.array(benchRunSchema),
  firstContacts: z.array(firstContactSchema).default([]),
});
export type BenchResult = z.infer<typeof benchResultSchema>;

const RESULT_FILE = join("bench", "results", "judge.json");

/** Reads the last committed bench results. Returns null if they are missing or invalid. */
export async function readBenchResult(folder = process.cwd()): Promise<BenchResult | null> {
  try {
    const text = await readFile(join(/* turbopackIgnore: true */ folder, RESULT_FILE), "utf8");
    return benchResultSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

import { z } from "zod";
import type { Verdict } from "@/server/lib/schema";
import { findCheck } from "./check-list";
import shipped from "./confidence.json";
import type { CheckedFact } from "./run-checks";

/** Of `cases` deliverables with one result of a check, `right` had the label that it suggests. */
const countsSchema = z
  .strictObject({ cases: z.int().min(1), right: z.int().min(0) })
  .refine(({ cases, right }) => right <= cases);

/** How often the results of each check were right, counted by the bench. */
export const checkConfidenceSchema = z.strictObject({
  /** "unfitted/…" until counted on labelled cases. */
  version: z.string().min(1).max(60),
  /** By name of the check, on work that did not guide it. */
  checks: z.record(
    z.string(),
    z.strictObject({
      /** Of the deliverables that fail this check, those that are bad. */
      fail: countsSchema.optional(),
      /** Of the deliverables that pass it, those that are good. */
      pass: countsSchema.optional(),
    }),
  ),
});
export type CheckConfidence = z.infer<typeof checkConfidenceSchema>;

/** The table that the service uses. The bench rewrites `confidence.json`. */
export const CHECK_CONFIDENCE = checkConfidenceSchema.parse(shipped);

/** A result of a check that was seen in fewer cases was not measured. */
const MIN_CASES = 20;
/** A failure decides from this estimated share of right failures on: 19 of 20, 29 of 31. */
const MIN_DECIDING_SHARE = 0.9;
/** A passed check supports a `SUCCESS` from this share on. */
const MIN_SUPPORTING_SHARE = 0.55;
const MAX_CONFIDENCE = 0.95;
/** A confidence that has no weight in a score. */
export const UNDECIDED_PPM = 500_000;

type Fact = Pick<CheckedFact, "check" | "result">;

/** Returns whether this result alone makes the verdict `FAILURE`. */
export function isDecidingFailure(fact: Fact, table: CheckConfidence = CHECK_CONFIDENCE): boolean {
  return (
    fact.result.outcome === "fail" &&
    getShare(table.checks[fact.check], "fail") >= MIN_DECIDING_SHARE
  );
}

type Measured = CheckConfidence["checks"][string];

/**
 * Returns the estimated share of right results, with a uniform prior, so that a few cases prove little;
 * one half if the check was not measured.
 */
function getShare(measured: Measured | undefined, result: "fail" | "pass"): number {
  const counts = measured?.[result];
  return counts && counts.cases >= MIN_CASES ? (counts.right + 1) / (counts.cases + 2) : 0.5;
}

/**
 * Returns the verdict that the facts alone support, and its confidence in millionths. A failed
 * check decides; if none decides anything, the verdict is a `SUCCESS` without weight.
 */
export function deriveFromFacts(
  facts: readonly Fact[],
  table: CheckConfidence = CHECK_CONFIDENCE,
): { verdict: Verdict; confidencePpm: number } {
  const failures = facts.filter((fact) => isDecidingFailure(fact, table));
  if (failures.length > 0) {
    return {
      verdict: "FAILURE",
      confidencePpm: toPpm(failures.map(({ check }) => getShare(table.checks[check], "fail"))),
    };
  }
  const supporting = facts.filter((fact) => isSupport(fact, table));
  return {
    verdict: "SUCCESS",
    confidencePpm: toPpm(supporting.map(({ check }) => getShare(table.checks[check], "pass"))),
  };
}

/** Returns whether passing this check supports a `SUCCESS`: text without work can't pass it. */
function isSupport(fact: Fact, table: CheckConfidence = CHECK_CONFIDENCE): boolean {
  return (
    fact.result.outcome === "pass" &&
    findCheck(fact.check)?.isProofOfWork === true &&
    getShare(table.checks[fact.check], "pass") >= MIN_SUPPORTING_SHARE
  );
}

const toPpm = (shares: readonly number[]) =>
  Math.round(Math.min(MAX_CONFIDENCE, Math.max(0.5, ...shares)) * 1_000_000);

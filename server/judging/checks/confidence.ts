import { z } from "zod";
import type { Verdict } from "@/server/lib/schema";
import { isGeneralRequirement } from "./check";
import shipped from "./confidence.json";
import type { CheckedFact } from "./run-checks";

const share = z.number().min(0).max(1);

/** How much the result of each check says about a deliverable, fitted by the bench. */
export const checkConfidenceSchema = z.strictObject({
  /** "unfitted/…" until fitted to labelled cases. */
  version: z.string().min(1).max(60),
  /** By name of the check. */
  checks: z.record(
    z.string(),
    z.strictObject({
      /** Share of the deliverables that fail this check that are bad; omitted if too few did. */
      fail: share.optional(),
      /** Share of the deliverables that pass it that are good; omitted if too few did. */
      pass: share.optional(),
    }),
  ),
});
export type CheckConfidence = z.infer<typeof checkConfidenceSchema>;

/** The table that the service uses. The bench rewrites `confidence.json`. */
export const CHECK_CONFIDENCE = checkConfidenceSchema.parse(shipped);

/** Shares of a check that the table lacks. */
const UNFITTED = { fail: 0.8, pass: 0.55 };
/** Passing a check supports a `SUCCESS` only from this share on, since most bad work also passes. */
const MIN_SUPPORTING_SHARE = 0.55;
/** A failed check decides only if at least this share of the deliverables that fail it are bad. */
const MIN_DECIDING_SHARE = 0.75;
const MAX_CONFIDENCE = 0.95;
/** A confidence that has no weight in a score. */
export const UNDECIDED_PPM = 500_000;

type Fact = Pick<CheckedFact, "check" | "parameters" | "result" | "statement" | "isEasy">;

/** Returns whether this result alone makes the verdict `FAILURE`. */
export function isDecidingFailure(
  { check, result }: Pick<Fact, "check" | "result">,
  table: CheckConfidence = CHECK_CONFIDENCE,
): boolean {
  return result.outcome === "fail" && getShares(check, table).fail >= MIN_DECIDING_SHARE;
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
    const shares = failures.map(({ check }) => getShares(check, table).fail);
    return { verdict: "FAILURE", confidencePpm: toPpm(Math.max(...shares)) };
  }
  const shares = facts
    .filter((fact) => {
      // A check without fitted shares counts only if the task states its requirement.
      const isKnown = fact.check in table.checks || fact.statement !== "";
      const isTelling = !fact.isEasy && !isGeneralRequirement(fact);
      return fact.result.outcome === "pass" && isKnown && isTelling;
    })
    .map(({ check }) => getShares(check, table).pass)
    .filter((share) => share >= MIN_SUPPORTING_SHARE);
  return { verdict: "SUCCESS", confidencePpm: toPpm(Math.max(0.5, ...shares)) };
}

function getShares(check: string, { checks }: CheckConfidence) {
  const { fail = UNFITTED.fail, pass = UNFITTED.pass } = checks[check] ?? {};
  return { fail, pass };
}

const toPpm = (share: number) =>
  Math.round(Math.min(MAX_CONFIDENCE, Math.max(0.5, share)) * 1_000_000);

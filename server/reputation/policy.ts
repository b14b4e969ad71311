/**
 * Every number of the score policy. Code, pages, score changes and API descriptions use these constants;
 * `policy.test.ts` compares them with `docs/scoring.md`, which explains the formula.
 */
export const POLICY = {
  name: "qc-4",
  /** Value in USDC at which a job weighs half of the largest weight. */
  halfWeightUsdc: 2,
  /** Most that a job without a proven payment is worth, in USDC, whatever value was stated. */
  unpaidValueUsdc: 2,
  /** A verdict with this confidence or less weighs nothing. */
  minConfidence: 0.5,
  /** Factor on a success that a dispute overturned. */
  overturnedFactor: 2,
  /** Days in which evidence halves. The table in `score/decay.ts` depends on it. */
  halfLifeDays: 180,
  /** Factor on a failure of today. */
  freshFailureFactor: 3,
  /** Days in which the extra weight of a fresh failure halves. */
  extraHalfLifeDays: 15,
  /** A smaller payment in USDC makes the contractor no party to what its client submits. */
  minPaymentUsdc: 0.5,
  /** Days before a reported failure counts, in which the contractor can refund the payment. */
  graceDays: 3,
  /** Most evidence of one requester in each class, in units. */
  requesterCap: 2,
  /** Most unconfirmed evidence, in units. */
  claimedCap: 3,
  /** Most open (unanchored) evidence in units, or the amount of anchored evidence if higher. */
  openCap: 5.5,
  /** Units of good evidence at which confidence is one half. */
  halfConfidenceUnits: 3,
  /** Tenure in days that every agent is credited with. */
  initialTenureDays: 20,
  /** Good evidence in units that each day of tenure allows. */
  unitsPerTenureDay: 0.5,
  /** Lowest published score of each tier. */
  trustedFrom: 70,
  verifiedFrom: 85,
  eliteFrom: 95,
  /** Change by age alone, in points, from which `score.updated` announces it. */
  announcedChange: 0.5,
} as const;

/** Names of the tiers, by code. */
export const TIER_LABELS = {
  UNRANKED: "Unranked",
  NEWCOMER: "Newcomer",
  TRUSTED: "Trusted",
  VERIFIED: "Verified",
  ELITE: "Elite",
} as const;

/** Lowest score of each tier that has one, and its name. */
export const TIER_STARTS = [
  [POLICY.trustedFrom, TIER_LABELS.TRUSTED],
  [POLICY.verifiedFrom, TIER_LABELS.VERIFIED],
  [POLICY.eliteFrom, TIER_LABELS.ELITE],
] as const;

/** Names of the amounts of evidence behind a score, by code. */
export const EVIDENCE_LABELS = {
  none: "None",
  limited: "Limited",
  moderate: "Moderate",
  strong: "Strong",
} as const;

/** Confidence of a score from which on its evidence is called so. */
export const EVIDENCE_FROM = { moderate: 0.5, strong: 0.75 } as const;

/** Highest scores, in points, that follow from the caps. */
export const CEILINGS = {
  oneRequester: computeCeiling(POLICY.requesterCap),
  claimedOnly: computeCeiling(POLICY.claimedCap),
  withoutAnchor: computeCeiling(POLICY.openCap),
} as const;

/** Returns the published score of an agent with this much good evidence in units and no failure. */
function computeCeiling(units: number): number {
  return Math.floor((10_000 * units) / (units + POLICY.halfConfidenceUnits)) / 100;
}

/** Limits of the search for the next tier: own outcomes, further successes, and days ahead. */
export const NEXT_TIER_LIMITS = { outcomes: 5_000, successes: 300, days: 180 } as const;

import { POLICY } from "@/server/reputation/policy";
import type { ScoreBreakdown } from "@/server/reputation/schema";
import { decay } from "./decay";
import { divide } from "./divide";
import type { Backing, Weight } from "./weigh-outcome";

/** Decayed weight for and against an agent. */
export interface Evidence {
  good: bigint;
  bad: bigint;
}

export type EvidenceByBacking = Record<Backing, Evidence>;

/** The weight of one outcome, with its requester and age. */
export interface WeighedEvidence extends Weight {
  requester: string;
  /** Days from the outcome to the day of the score. */
  age: number;
}

/**
 * One unit of evidence, U: a large job with a certain verdict, today. Weights are in 1e-9, decay in
 * 2^-32.
 */
export const UNIT = 1_000_000_000n << 32n;

const REQUESTER_CAP = BigInt(POLICY.requesterCap) * UNIT;
const CLAIMED_CAP = BigInt(POLICY.claimedCap) * UNIT;
/** The cap is a multiple of half a unit. */
const OPEN_CAP = (BigInt(POLICY.openCap * 2) * UNIT) / 2n;
const HALF_CONFIDENCE = BigInt(POLICY.halfConfidenceUnits) * UNIT;
const UNITS_PER_DAY = BigInt(POLICY.unitsPerTenureDay * 2);
const EXTRA_FACTOR = BigInt(POLICY.freshFailureFactor - 1);
const EXTRA_SPEED = POLICY.halfLifeDays / POLICY.extraHalfLifeDays;

/**
 * Computes quality × confidence of an agent's outcomes, in 1/10,000 points, and the breakdown.
 * `docs/scoring.md`, steps 3 and 4. `tenure`: days since the agent's first backed success.
 */
export function scoreEvidence(
  weighed: WeighedEvidence[],
  tenure: number,
): { scoreE4: number; breakdown: ScoreBreakdown } {
  return scoreSums(sumByBacking(weighed), tenure);
}

/** Likewise of evidence that is decayed, capped per requester and summed. */
export function scoreSums(
  { claimed, paid, anchored }: EvidenceByBacking,
  tenure: number,
): { scoreE4: number; breakdown: ScoreBreakdown } {
  const open = sumEvidence([capEvidence(claimed, CLAIMED_CAP), paid]);

  // Quality stays an exact fraction: scaling the open evidence multiplies out instead of flooring.
  const openTotal = getTotal(open);
  const anchoredTotal = getTotal(anchored);
  const cap = max(OPEN_CAP, anchoredTotal);
  const isCapped = openTotal > cap;
  const goodParts = isCapped
    ? anchored.good * openTotal + open.good * cap
    : anchored.good + open.good;
  const parts = isCapped ? (anchoredTotal + cap) * openTotal : anchoredTotal + openTotal;
  const wholeParts = max(parts, 1n);

  const creditedDays = POLICY.initialTenureDays + tenure;
  const capacity = (BigInt(creditedDays) * UNITS_PER_DAY * UNIT) / 2n;
  const uncapped = anchored.good + capEvidence(open, OPEN_CAP).good;
  const good = uncapped < capacity ? uncapped : capacity;

  return {
    scoreE4: Number((1_000_000n * goodParts * good) / (wholeParts * (good + HALF_CONFIDENCE))),
    breakdown: {
      quality: divide(goodParts, wholeParts),
      confidence: divide(good, good + HALF_CONFIDENCE),
      good: divide(good, UNIT),
      tenureCapacity: creditedDays * POLICY.unitsPerTenureDay,
      claimed: toUnits(claimed),
      paid: toUnits(paid),
      anchored: toUnits(anchored),
    },
  };
}

/** Returns the decayed evidence of each class, capped per requester. */
export function sumByBacking(weighed: WeighedEvidence[]): EvidenceByBacking {
  const byRequester: Record<Backing, Map<string, Evidence>> = {
    claimed: new Map(),
    paid: new Map(),
    anchored: new Map(),
  };
  for (const outcome of weighed) {
    const { requester, backing } = outcome;
    const sum = byRequester[backing].get(requester) ?? { good: 0n, bad: 0n };
    byRequester[backing].set(requester, sum);
    const { good, bad } = decayEvidence(outcome);
    sum.good += good;
    sum.bad += bad;
  }
  const sumCapped = (backing: Backing) =>
    sumEvidence([...byRequester[backing].values()].map(capRequester));
  return {
    claimed: sumCapped("claimed"),
    paid: sumCapped("paid"),
    anchored: sumCapped("anchored"),
  };
}

/** Returns the remaining weight of outcomes that are `age` days old. */
export function decayEvidence(
  outcome: Pick<WeighedEvidence, "good" | "bad" | "reported" | "backing" | "age">,
): Evidence {
  const { good, bad, age } = outcome;
  return {
    good: good > 0n ? good * decay(age) : 0n,
    bad: bad > 0n ? bad * decayFailure(outcome) : 0n,
  };
}

/** Caps the evidence of one requester in one class. */
export const capRequester = (sum: Evidence): Evidence => capEvidence(sum, REQUESTER_CAP);

/**
 * Returns the decay of a failure: a fresh one has extra weight if it is paid or anchored; a reported
 * one counts only after the days of grace, and once.
 */
export function decayFailure({
  reported,
  backing,
  age,
}: Pick<WeighedEvidence, "reported" | "backing" | "age">): bigint {
  if (reported && age < POLICY.graceDays) return 0n;
  if (reported || backing === "claimed") return decay(age);
  return decay(age) + EXTRA_FACTOR * decay(EXTRA_SPEED * age);
}

/** Scales evidence down to at most `cap`, keeping the proportion of good and bad. */
function capEvidence(evidence: Evidence, cap: bigint): Evidence {
  const total = getTotal(evidence);
  if (total <= cap) return evidence;
  const good = (evidence.good * cap) / total;
  return { good, bad: cap - good };
}

function sumEvidence(parts: Evidence[]): Evidence {
  const sum = { good: 0n, bad: 0n };
  for (const { good, bad } of parts) {
    sum.good += good;
    sum.bad += bad;
  }
  return sum;
}

const getTotal = ({ good, bad }: Evidence) => good + bad;
const toUnits = ({ good, bad }: Evidence): [number, number] => [
  divide(good, UNIT),
  divide(bad, UNIT),
];
const max = (a: bigint, b: bigint) => (a > b ? a : b);

import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { TIERS } from "@/server/lib/schema";
import { fromMicro } from "@/server/lib/usdc";
import { NEXT_TIER_LIMITS } from "@/server/reputation/policy";
import type { NextTier, TierWay } from "@/server/reputation/schema";
import { collectFacts } from "./ledger-facts";
import { computeTenure, getTier, weighOutcomes } from "./score";
import { scoreEvidence, type WeighedEvidence } from "./score-evidence";
import { createOutcome } from "./simulate";
import { type Backing, weighOutcome } from "./weigh-outcome";

/** Assumptions about a further job: a typical value, and a judge with high confidence. */
export const ASSUMED_VALUE_MICRO = 10_000_000;
export const ASSUMED_CONFIDENCE_PPM = 950_000;
const { successes: MAX_SUCCESSES, days: MAX_DAYS } = NEXT_TIER_LIMITS;
/** Days to look ahead: tenure grows and old failures fade. */
const DAYS = [0, 1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, MAX_DAYS];

/**
 * Returns the ways to reach the next tier: for each kind of backing, the fewest further successes
 * (each for a new requester) and the day on which they suffice, or the number of days that suffice
 * without any. Found by scoring hypothetical ledgers. Null for the highest tier.
 */
export function findNextTier(
  log: readonly LedgerRecord[],
  wallet: string,
  now: number,
): NextTier | null {
  const own = weighOutcomes(log, wallet, now);
  const getTierWith = (more: WeighedEvidence[], days: number) => {
    const weighed = [...own.map((outcome) => ({ ...outcome, age: outcome.age + days })), ...more];
    const { scoreE4 } = scoreEvidence(weighed, computeTenure(weighed));
    return TIERS.indexOf(getTier(scoreE4, weighed.length));
  };
  const present = getTierWith([], 0);
  const next = TIERS[present + 1];
  if (next === undefined) return null;
  const isEnough = (backing: Backing, successes: number, days: number) =>
    getTierWith(createSuccesses(backing, successes, days), days) > present;

  const ways: TierWay[] = (["anchored", "paid", "claimed"] as const).flatMap((by) => {
    // A ceiling that is out of reach today is out of reach on any day; waiting only helps if
    // tenure is low.
    const days = DAYS.find((day) => isEnough(by, MAX_SUCCESSES, day));
    // If the days alone are enough, no job is needed.
    if (days === undefined || isEnough(by, 0, days)) return [];
    const successes = findFewest((count) => isEnough(by, count, days));
    return [{ by, successes, days }];
  });
  const daysAlone = DAYS.find((days) => days > 0 && getTierWith([], days) > present);
  if (daysAlone !== undefined) ways.push({ by: "time", successes: 0, days: daysAlone });
  return {
    tier: next,
    assumes: {
      valueUsdc: fromMicro(ASSUMED_VALUE_MICRO),
      confidence: ASSUMED_CONFIDENCE_PPM / 1_000_000,
    },
    ways,
  };
}

/**
 * Returns `successes` jobs: the first today, so that tenure begins, and the others after `days`.
 */
function createSuccesses(backing: Backing, successes: number, days: number): WeighedEvidence[] {
  const paidMicro = backing === "claimed" ? 0 : ASSUMED_VALUE_MICRO;
  const outcome = createOutcome({
    valueMicro: ASSUMED_VALUE_MICRO,
    paidMicro,
    confPpm: ASSUMED_CONFIDENCE_PPM,
  });
  const weight = weighOutcome(outcome, collectFacts([]));
  return Array.from({ length: successes }, (_, n) => ({
    ...weight,
    requester: `further ${n}`,
    backing,
    age: n === 0 ? days : 0,
  }));
}

/** Finds the smallest sufficient count by bisection: a success never lowers a score. */
function findFewest(isEnough: (count: number) => boolean): number {
  let [tooFew, enough]: [number, number] = [0, MAX_SUCCESSES];
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

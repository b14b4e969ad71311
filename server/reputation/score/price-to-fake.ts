import { fromMicro } from "@/server/lib/usdc";
import { POLICY } from "@/server/reputation/policy";
import type { PriceToFake } from "@/server/reputation/schema";
import { ASSUMED_CONFIDENCE_PPM, ASSUMED_VALUE_MICRO } from "./next-tier";

const JOB_USDC = fromMicro(ASSUMED_VALUE_MICRO);
const CONFIDENCE = ASSUMED_CONFIDENCE_PPM / 1_000_000;
/** Evidence of one job in units, before decay. */
const JOB_UNITS = (JOB_USDC / (JOB_USDC + POLICY.halfWeightUsdc)) * (2 * CONFIDENCE - 1);

/**
 * Returns the least it takes to fake a score of `points`: the cheapest evidence first. Claims are
 * free. Payments between one's own wallets return to the payer, so one coin pays for any number of
 * jobs: what a ring must own at one moment is the largest single payment. Only the operator creates
 * anchors. A lower bound, because evidence also decays and some verdicts will be failures. Null for a
 * score of 0, and for 100, which no evidence reaches.
 * @param largestPaymentUsdc The largest payment of the agent's record by a client that is no anchor;
 * by default that of an assumed job.
 */
export function computePriceToFake(
  points: number,
  largestPaymentUsdc: number = JOB_USDC,
): PriceToFake | null {
  const confidence = points / 100;
  if (confidence <= 0 || confidence >= 1) return null;
  // confidence = G / (G + half), solved for G, with quality 1.
  const goodUnits = (POLICY.halfConfidenceUnits * confidence) / (1 - confidence);
  const openUnits = Math.min(goodUnits, POLICY.openCap);
  const claimedUnits = Math.min(openUnits, POLICY.claimedCap);
  const paid = countJobs(openUnits - claimedUnits);
  const daysNeeded = goodUnits / POLICY.unitsPerTenureDay - POLICY.initialTenureDays;
  return {
    goodUnits: round(goodUnits),
    claimed: { units: round(claimedUnits), wallets: countWallets(claimedUnits) },
    paid: { ...paid, usdc: Math.min(paid.usdc, largestPaymentUsdc) },
    anchored: countJobs(goodUnits - openUnits),
    days: roundUp(daysNeeded),
    jobUsdc: JOB_USDC,
    confidence: CONFIDENCE,
  };
}

/** Counts the jobs for `units` of evidence: one wallet is worth at most `requesterCap` units. */
function countJobs(units: number) {
  const fullWallets = Math.floor(round(units) / POLICY.requesterCap);
  const rest = units - fullWallets * POLICY.requesterCap;
  const jobs = fullWallets * roundUp(POLICY.requesterCap / JOB_UNITS) + roundUp(rest / JOB_UNITS);
  return { units: round(units), wallets: countWallets(units), jobs, usdc: jobs * JOB_USDC };
}

const countWallets = (units: number) => roundUp(units / POLICY.requesterCap);

const round = (units: number) => Math.round(units * 100) / 100;

/** Rounds up, but not for the error of a division. */
const roundUp = (value: number) => Math.max(0, Math.ceil(value - 1e-6));

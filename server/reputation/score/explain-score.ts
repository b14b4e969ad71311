import { formatUsdc, toMicro } from "@/server/lib/usdc";
import { POLICY } from "@/server/reputation/policy";
import type { Reputation, ScoreBreakdown } from "@/server/reputation/schema";
import { collectFacts } from "./ledger-facts";
import { ASSUMED_CONFIDENCE_PPM } from "./next-tier";
import { toPublishedScore } from "./public-reputation";
import { decayEvidence, type Evidence, scoreSums, UNIT } from "./score-evidence";
import { createOutcome } from "./simulate";
import { weighOutcome } from "./weigh-outcome";

type Explained = Pick<
  Reputation,
  "score" | "ceiling" | "totalOutcomes" | "confirmedOutcomes" | "assessedOutcomes"
>;

/** Says in one sentence what keeps a score from 100; the points it names add up to that. */
export function explainScore(reputation: Explained, breakdown: ScoreBreakdown | null): string {
  const { score } = reputation;
  if (!breakdown) return "No score yet: no recorded job.";
  const start = `${score.toFixed(2)}: `;
  if (score === 0) return `${start}${explainZero(reputation, breakdown)}.`;
  const { failures, missing } = splitLosses(score, breakdown);
  const lost = failures === 0 ? "no points" : `${failures.toFixed(2)} points`;
  const parts = `${start}${lost} lost to failures, ${missing.toFixed(2)} to come with more jobs.`;
  return [parts, describeCeiling(reputation)].join(" ").trim();
}

/** Says which score an agent can't exceed with the jobs that it has; empty if there is no such score. */
export function describeCeiling({ score, ceiling }: Pick<Explained, "score" | "ceiling">): string {
  if (!ceiling) return "";
  const highest = ceiling.score.toFixed(2);
  const job = ceiling.liftedBy === "payment" ? "paid job" : "job for a known client";
  return score.toFixed(2) === highest
    ? `At the ceiling of ${highest}: no ${job}.`
    : `Without a ${job}, no score exceeds ${highest}.`;
}

/** Splits what a score lacks of 100; as shown with two decimals, both parts add up to it. */
export function splitLosses(score: number, { quality, good }: ScoreBreakdown) {
  const lost = good > 0 ? Math.min(100 * (1 - quality), 100 - score) : 0;
  const failures = Math.round(lost * 100) / 100;
  return { failures, missing: 100 - score - failures };
}

function explainZero(reputation: Explained, { paid, anchored, claimed }: ScoreBreakdown): string {
  const { confirmedOutcomes, assessedOutcomes } = reputation;
  if ([paid, anchored, claimed].some(([, bad]) => bad > 0)) return "no success, only failures";
  if (confirmedOutcomes === 0)
    return "no job counts, because none is paid or submitted by the agent";
  if (assessedOutcomes === 0) return "the judge could not assess any job";
  return "no success counts yet";
}

/**
 * Returns the published score after one more success of `valueUsdc` today, for a new client who pays
 * or is an anchor. Uses the formula of scores on a breakdown, so it can be a hundredth off.
 */
export function scoreWithSuccess(
  breakdown: ScoreBreakdown | null,
  { valueUsdc, backing }: { valueUsdc: number; backing: "paid" | "anchored" },
): number {
  const micro = Number(toMicro(valueUsdc));
  const job = { valueMicro: micro, paidMicro: micro, confPpm: ASSUMED_CONFIDENCE_PPM };
  const weight = weighOutcome(createOutcome(job), collectFacts([]));
  const added = decayEvidence({ ...weight, age: 0 }).good;
  const toSums = ([good, bad]: [number, number] = [0, 0]): Evidence => ({
    good: toEvidence(good),
    bad: toEvidence(bad),
  });
  const sums = {
    claimed: toSums(breakdown?.claimed),
    paid: toSums(breakdown?.paid),
    anchored: toSums(breakdown?.anchored),
  };
  sums[backing].good += added;
  const days = breakdown ? breakdown.tenureCapacity / POLICY.unitsPerTenureDay : 0;
  const tenure = Math.max(0, Math.round(days) - POLICY.initialTenureDays);
  return toPublishedScore(scoreSums(sums, tenure).scoreE4);
}

/** Says in one sentence what one more job at the agent's usual price would add. */
export function describeNextJob(
  { score }: Pick<Explained, "score">,
  breakdown: ScoreBreakdown | null,
  valueUsdc: number,
): string {
  const [paid = "", anchored = ""] = (["paid", "anchored"] as const).map((backing) =>
    Math.max(0, scoreWithSuccess(breakdown, { valueUsdc, backing }) - score).toFixed(2),
  );
  const price = `${formatUsdc(valueUsdc)} USDC`;
  if (anchored === NO_POINTS)
    return "More days of history would help most: no single job adds 0.01 points.";
  if (paid === NO_POINTS)
    return `A success of ${price} for a new known client would add ${anchored} points.`;
  const added = `A paid success of ${price} for a new client would add ${paid} points`;
  return paid === anchored ? `${added}.` : `${added}, or ${anchored} for a known client.`;
}

const NO_POINTS = "0.00";

const SCALE = 1_000_000_000;

const toEvidence = (units: number) => (BigInt(Math.round(units * SCALE)) * UNIT) / BigInt(SCALE);

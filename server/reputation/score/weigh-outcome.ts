import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import { toFinalVerdict } from "@/server/disputes/schema";
import type { Verdict } from "@/server/lib/schema";
import { DAY_SECONDS } from "@/server/lib/time";
import { toMicro } from "@/server/lib/usdc";
import { POLICY } from "@/server/reputation/policy";
import type { Decision, LedgerFacts } from "./ledger-facts";

/** The backing of an outcome: an anchored requester, a proven payment, or neither (unconfirmed). */
export type Backing = "anchored" | "paid" | "claimed";

export interface Weight {
  backing: Backing;
  /** The verdict after disputes. */
  final: Verdict;
  /** In 1e-9 of a unit, before decay. At most one of the two is above 0. */
  good: bigint;
  bad: bigint;
  /**
   * Whether the rates include it: the contractor took part, and it is not void. A reported failure
   * enters them after its days of grace (`isInRates`).
   */
  counted: boolean;
  /** Whether its verdict says anything (`isDecided`). */
  assessed: boolean;
  /** Whether it is a failure on the word of an unanchored requester alone, which counts late. */
  reported: boolean;
}

const HALF_WEIGHT_MICRO = BigInt(POLICY.halfWeightUsdc) * 1_000_000n;
/** Smallest payment that makes the contractor a party, in millionths of a USDC. */
export const MIN_PAYMENT_MICRO = Number(toMicro(POLICY.minPaymentUsdc));
const UNPAID_VALUE_MICRO = Number(toMicro(POLICY.unpaidValueUsdc));
const OVERTURNED_FACTOR = BigInt(POLICY.overturnedFactor);
const MIN_CONF_PPM = POLICY.minConfidence * 1_000_000;
const BILLION = 1_000_000_000n;

/**
 * Returns whether the final verdict says anything: the dispute's review assessed the work, or the first
 * judgement did (its confidence is above 0.5) and no dispute overturned it. `settlement/kinds/dispute.ts`
 * has the same rule in SQL.
 */
export function isDecided(
  { verdict, confPpm }: Pick<OutcomeRecord, "verdict" | "confPpm">,
  dispute?: Decision,
): boolean {
  if (dispute?.assessed) return true;
  return confPpm > MIN_CONF_PPM && (!dispute || toFinalVerdict(dispute.verdict) === verdict);
}

/** Returns the weight of one outcome for its contractor. `docs/scoring.md`, step 1. */
export function weighOutcome(outcome: OutcomeRecord, facts: LedgerFacts): Weight {
  const { verdict, submittedBy, agreed, confPpm } = outcome;
  const dispute = facts.getDispute(outcome.id);
  const isOutcomeVoid = isVoid(outcome, facts);
  const value = isOutcomeVoid ? 0n : getProvenValue(outcome);
  const backing = getBacking(outcome, facts);
  const participated = hasTakenPart(outcome);
  const final = dispute ? toFinalVerdict(dispute.verdict) : verdict;
  const isRequestersWord = submittedBy === "requester" && !agreed && backing !== "anchored";
  // A dispute that the requester wins confirms a failure. Against a success of its own, it is only
  // the requester's word again.
  const isConfirmed = verdict === "FAILURE" && dispute?.verdict === "REQUESTER_WINS";
  const reported = isRequestersWord && final === "FAILURE" && !isConfirmed;
  const counted = participated && !isOutcomeVoid;
  const assessed = isDecided(outcome, dispute);
  const shared = { backing, final, counted, assessed, reported };

  // Overturned without a look at the work: evidence for neither side.
  if (final !== verdict && !assessed) return { ...shared, good: 0n, bad: 0n };
  const judged = computeJudgedWeight(value, confPpm);
  if (final === "SUCCESS") return { ...shared, good: judged, bad: 0n };
  // Otherwise any stranger could post an empty deliverable against the contractor.
  if (!participated) return { ...shared, good: 0n, bad: 0n };
  const factor = reported ? 1n : OVERTURNED_FACTOR;
  const overturned = (factor * BILLION * value) / (value + HALF_WEIGHT_MICRO);
  return { ...shared, good: 0n, bad: final === verdict ? judged : overturned };
}

/** Returns whether the rates include an outcome of that age: a reported failure enters them late. */
export function isInRates({ counted, reported }: CountedWeight, age: number): boolean {
  return counted && !(reported && age < POLICY.graceDays);
}

type CountedWeight = Pick<Weight, "counted" | "reported">;

/**
 * Returns the time from which a reported failure lowers the score, in unix seconds: midnight UTC of
 * the third day after the outcome's. Null for every other outcome, and for one that weighs nothing
 * (void, without the contractor's part in it, or judged without certainty).
 */
export function computeCountsFrom(outcome: OutcomeRecord, facts: LedgerFacts): number | null {
  const { reported, bad } = weighOutcome(outcome, facts);
  if (!reported || bad === 0n) return null;
  return (toUtcDay(outcome.resolvedAt) + POLICY.graceDays) * DAY_SECONDS;
}

/** Returns the UTC day of a time, counted from 1970-01-01. */
export function toUtcDay(unixSeconds: number): number {
  return Math.floor(unixSeconds / DAY_SECONDS);
}

/**
 * Returns whether the contractor took part in the outcome: it submitted it, agreed to it, or was paid
 * more than dust for it.
 */
export function hasTakenPart({ submittedBy, agreed, paidMicro }: OutcomeRecord): boolean {
  return submittedBy === "contractor" || agreed || paidMicro >= MIN_PAYMENT_MICRO;
}

/**
 * Returns whether an outcome is void: a job for oneself, a refunded or superseded one, or one submitted
 * by a squatter.
 */
function isVoid(outcome: OutcomeRecord, facts: LedgerFacts): boolean {
  const { contractor, requester, submittedBy, proven, resolvedAt } = outcome;
  if (contractor === requester) return true;
  if (facts.wasRefunded(outcome.id) || facts.wasSuperseded(outcome.id)) return true;
  return !proven && facts.wasTakenOverAfter(outcome[submittedBy], resolvedAt);
}

/**
 * Returns the value that counts, in millionths of a USDC: at most what was paid, or a small value if
 * nothing was.
 */
export function getProvenValue({ valueMicro, paidMicro }: OutcomeRecord): bigint {
  return BigInt(Math.min(valueMicro, paidMicro > 0 ? paidMicro : UNPAID_VALUE_MICRO));
}

/**
 * Returns the backing of an outcome: an anchor has to sign its terms or submit it, since a payment is
 * not its word. `explorer/wallet-outcomes.ts` has the same rule in SQL.
 */
export function getBacking(outcome: OutcomeRecord, facts: LedgerFacts): Backing {
  const { requester, paidMicro, submittedBy, proven, agreed, resolvedAt } = outcome;
  const requesterConfirms = agreed || (submittedBy === "requester" && proven);
  if (requesterConfirms && facts.wasAnchored(requester, resolvedAt)) return "anchored";
  return paidMicro > 0 ? "paid" : "claimed";
}

/** Weighs a value by the verdict's confidence. */
function computeJudgedWeight(value: bigint, confPpm: number): bigint {
  const certainty = BigInt(Math.max(0, confPpm - MIN_CONF_PPM));
  const certain = BigInt(1_000_000 - MIN_CONF_PPM);
  return (BILLION * value * certainty) / ((value + HALF_WEIGHT_MICRO) * certain);
}

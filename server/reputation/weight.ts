import type { OutcomeRecord } from "@/server/chain/ledger";
import type { Verdict } from "@/server/lib/schema";
import type { Facts } from "./facts";

/** How well an outcome is backed: by an anchored requester, by a payment, by nothing but words. */
export type Backing = "anchored" | "paid" | "claimed";

export interface Weight {
  backing: Backing;
  /** The verdict after disputes. */
  final: Verdict;
  /** In 1e-9 of a unit, before decay. At most one of the two is above 0. */
  good: bigint;
  bad: bigint;
}

/** A job of this many millionths of a USDC weighs half of what the largest does. */
const HALF_WEIGHT = 2_000_000n;
const BILLION = 1_000_000_000n;
const MILLION = 1_000_000n;

/** What one outcome says about its contractor. Policy `qc-1`, "What one outcome weighs". */
export function weigh(outcome: OutcomeRecord, facts: Facts): Weight {
  const { verdict, paidMicro, submittedBy } = outcome;
  const dispute = facts.disputeOf(outcome.id);
  const value = countedValue(outcome, facts);
  const backing = backingOf(outcome, facts);

  const overturned =
    (verdict === "SUCCESS" && dispute === "REQUESTER_WINS") ||
    (verdict === "FAILURE" && dispute === "CONTRACTOR_WINS");
  const final = overturned ? opposite(verdict) : verdict;

  if (final === "SUCCESS") {
    return { backing, final, good: judgedWeight(value, outcome.confPpm), bad: 0n };
  }
  // Else any stranger could post an empty deliverable against the contractor.
  const tookPart = submittedBy === "contractor" || paidMicro > 0;
  if (!tookPart) return { backing, final, good: 0n, bad: 0n };
  const bad = overturned
    ? (2n * BILLION * value) / (value + HALF_WEIGHT)
    : judgedWeight(value, outcome.confPpm);
  return { backing, final, good: 0n, bad };
}

/** Millionths of a USDC that count; 0 for a job for oneself and for what a squatter submitted. */
function countedValue(outcome: OutcomeRecord, facts: Facts): bigint {
  const { contractor, requester, valueMicro, paidMicro } = outcome;
  if (contractor === requester) return 0n;
  const submitter = outcome.submittedBy === "contractor" ? contractor : requester;
  if (!outcome.proven && facts.wasTakenOverAfter(submitter, outcome.resolvedAt)) return 0n;
  return BigInt(paidMicro > 0 ? Math.min(valueMicro, paidMicro) : valueMicro);
}

function backingOf(outcome: OutcomeRecord, facts: Facts): Backing {
  const { requester, paidMicro, proven, resolvedAt } = outcome;
  const requesterVouches = paidMicro > 0 || (outcome.submittedBy === "requester" && proven);
  if (requesterVouches && facts.wasAnchored(requester, resolvedAt)) return "anchored";
  return paidMicro > 0 ? "paid" : "claimed";
}

/** A verdict of confidence one half or less says nothing. */
function judgedWeight(value: bigint, confPpm: number): bigint {
  const certainty = BigInt(Math.max(0, 2 * confPpm - 1_000_000));
  return (BILLION * value * certainty) / ((value + HALF_WEIGHT) * MILLION);
}

function opposite(verdict: Verdict): Verdict {
  return verdict === "SUCCESS" ? "FAILURE" : "SUCCESS";
}

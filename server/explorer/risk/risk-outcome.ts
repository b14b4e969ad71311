import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import type { Verdict } from "@/server/lib/schema";
import type { LedgerFacts } from "@/server/reputation/score/ledger-facts";
import {
  isInRates,
  MIN_PAYMENT_MICRO,
  toUtcDay,
  weighOutcome,
} from "@/server/reputation/score/weigh-outcome";

/** A recorded outcome of the agent as contractor. */
export interface RiskOutcome {
  outcomeId: string;
  requester: string;
  /** The original verdict, and the one after disputes. */
  verdict: Verdict;
  finalVerdict: Verdict;
  /** Whether the rates include it: the agent took part, it is not void, and no days of grace are left. */
  isConfirmed: boolean;
  isPaid: boolean;
  isAnchored: boolean;
  /** Whether it is a failure on the word of an unanchored requester alone. */
  isReported: boolean;
  /** Whether it is such a failure in its days of grace. */
  isInGrace: boolean;
  /** Whether both had signed the terms, and whether the agent delivered; by a dispute, too. */
  isAgreed: boolean;
  isDelivered: boolean;
  /** Weight in the score before decay, in units, of a failure. */
  bad: number;
  /** Its value, at most what was paid, in millionths of a USDC. */
  paidMicro: number;
  resolvedAt: Date;
}

/** Returns an outcome of the ledger as the score weighs it at `now`. */
export function toRiskOutcome(record: OutcomeRecord, facts: LedgerFacts, now: Date): RiskOutcome {
  const { id, requester, verdict, valueMicro, paidMicro, resolvedAt } = record;
  const weight = weighOutcome(record, facts);
  const age = toUtcDay(now.getTime() / 1000) - toUtcDay(resolvedAt);
  const isConfirmed = isInRates(weight, age);
  return {
    outcomeId: id,
    requester,
    verdict,
    finalVerdict: weight.final,
    isConfirmed,
    isPaid: paidMicro >= MIN_PAYMENT_MICRO,
    isAnchored: weight.backing === "anchored",
    isReported: weight.reported,
    isInGrace: weight.counted && !isConfirmed,
    isAgreed: record.agreed,
    isDelivered: record.submittedBy === "contractor" || weight.final === "SUCCESS",
    bad: Number(weight.bad) / 1e9,
    paidMicro: Math.min(valueMicro, paidMicro),
    resolvedAt: new Date(resolvedAt * 1000),
  };
}

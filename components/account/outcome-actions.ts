import type { DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** What an owner can do about an outcome, and until when. */
export interface OutcomeActions {
  canDispute: boolean;
  canRefund: boolean;
  /** End of the dispute window, ISO 8601; null while the outcome is pending. */
  until: string | null;
}

/** Returns what the owner of `wallet` can do about an outcome at the time `now` (milliseconds). */
export function getOutcomeActions(
  outcome: PublicOutcome,
  { wallet, terms, now }: { wallet: string; terms: DisputeTerms; now: number },
): OutcomeActions {
  if (outcome.resolvedAt === undefined) return { canDispute: false, canRefund: false, until: null };
  const until = Date.parse(outcome.resolvedAt) + terms.disputeWindowMs;
  const isOpen = now < until && !outcome.refund && !outcome.superseded;
  const isContractor = outcome.contractorAgentAddress === wallet;
  return {
    canDispute:
      isOpen &&
      terms.acceptsDisputes &&
      outcome.disputeId === undefined &&
      outcome.verdict === (isContractor ? "FAILURE" : "SUCCESS"),
    canRefund: isOpen && isContractor && outcome.paidUsdc > 0,
    until: new Date(until).toISOString(),
  };
}

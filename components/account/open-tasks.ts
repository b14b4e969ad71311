import { getNextStep, getRole, type NextStep } from "@/components/agreements/next-step";
import type { Agreement } from "@/server/agreements/schema";
import type { Dispute, DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** Returns whether the dispute awaits this wallet's answer. */
export function awaitsAnswerFrom(
  { phase, stakes }: Pick<Dispute, "phase" | "stakes">,
  wallet: string,
): boolean {
  const own = stakes.find(({ walletAddress }) => walletAddress === wallet);
  return phase === "awaiting-answer" && own?.state === "none";
}

/** What an owner can do about an outcome, and until when. */
interface OutcomeActions {
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

/** Something with a deadline that only the owner can do. */
export type Task = { until: string } & (
  | { kind: "answer"; dispute: Dispute }
  | { kind: "agreement"; agreement: Agreement; step: NextStep["step"] }
  | { kind: "failure"; outcome: PublicOutcome; canDispute: boolean; canRefund: boolean }
);

interface Facts {
  wallet: string;
  disputes: Dispute[];
  agreements: Agreement[];
  outcomes: PublicOutcome[];
  terms: DisputeTerms;
  /** Milliseconds. */
  now: number;
}

/**
 * Returns the owner's tasks, the next deadline first: disputes to answer, agreements to
 * sign or deliver, and failures of its own work to dispute or refund.
 */
export function listTasks({ disputes, agreements, outcomes, ...facts }: Facts): Task[] {
  const answers = disputes
    .filter((dispute) => awaitsAnswerFrom(dispute, facts.wallet))
    .map((dispute): Task => ({ kind: "answer", dispute, until: dispute.expiresAt }));
  const steps = agreements.flatMap((agreement): Task[] => {
    const { step, party, until } = getNextStep(agreement, facts.now);
    const isOwn = party === getRole(agreement.terms, facts.wallet);
    return isOwn && until ? [{ kind: "agreement", agreement, step, until }] : [];
  });
  const failures = outcomes.flatMap((outcome): Task[] => {
    const { until, ...actions } = getOutcomeActions(outcome, facts);
    const isOwnFailure =
      outcome.contractorAgentAddress === facts.wallet &&
      (outcome.finalVerdict ?? outcome.verdict) === "FAILURE";
    const isActionable = isOwnFailure && (actions.canDispute || actions.canRefund);
    return until && isActionable ? [{ kind: "failure", outcome, until, ...actions }] : [];
  });
  return [...answers, ...steps, ...failures].sort(
    (a, b) => Date.parse(a.until) - Date.parse(b.until),
  );
}

import type { Dispute, DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { awaitsAnswerFrom } from "./awaits-answer";
import { getOutcomeActions } from "./outcome-actions";

/** Something with a deadline that only the owner can do. */
export type Task = { until: string } & (
  | { kind: "answer"; dispute: Dispute }
  | { kind: "failure"; outcome: PublicOutcome; canDispute: boolean; canRefund: boolean }
);

interface Facts {
  wallet: string;
  disputes: Dispute[];
  outcomes: PublicOutcome[];
  terms: DisputeTerms;
  /** Milliseconds. */
  now: number;
}

/**
 * Returns the owner's tasks, the next deadline first: disputes to answer, and failures of its own
 * work to dispute or refund.
 */
export function listTasks({ disputes, outcomes, ...facts }: Facts): Task[] {
  const answers = disputes
    .filter((dispute) => awaitsAnswerFrom(dispute, facts.wallet))
    .map((dispute): Task => ({ kind: "answer", dispute, until: dispute.expiresAt }));
  const failures = outcomes.flatMap((outcome): Task[] => {
    const { until, ...actions } = getOutcomeActions(outcome, facts);
    const isOwnFailure =
      outcome.contractorAgentAddress === facts.wallet &&
      (outcome.finalVerdict ?? outcome.verdict) === "FAILURE";
    const isActionable = isOwnFailure && (actions.canDispute || actions.canRefund);
    return until && isActionable ? [{ kind: "failure", outcome, until, ...actions }] : [];
  });
  return [...answers, ...failures].sort((a, b) => Date.parse(a.until) - Date.parse(b.until));
}

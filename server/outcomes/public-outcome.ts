import { fromMicro } from "@/server/lib/usdc";
import type { PartyOutcome, PublicOutcome, Refund, Superseded } from "./schema";
import type { outcomes, refunds } from "./tables";

export type RefundRow = typeof refunds.$inferSelect;

/** An outcome with its refund, if there is one. */
export type OutcomeRow = typeof outcomes.$inferSelect & { refund: RefundRow | null };

/** The columns that the public view needs, so that lists need not load the private texts. */
type PublicColumns = Omit<
  OutcomeRow,
  "taskDescription" | "deliverableContent" | "deliverableUrl" | "salt" | "storedAnswer"
>;

/**
 * Returns whether the client confirmed a paid outcome: it submitted it, or had signed its terms.
 * Otherwise only the contractor claims that the payment was for this job.
 */
export const isClientConfirmed = ({
  submittedBy,
  agreed,
}: Pick<OutcomeRow, "submittedBy" | "agreed">): boolean => submittedBy === "requester" || agreed;

/**
 * Returns the public view of an outcome: no verdict before it is resolved, and no private texts.
 */
export function toPublicOutcome(row: PublicColumns): PublicOutcome {
  return {
    outcomeId: row.id,
    status: row.status,
    contractorAgentAddress: row.contractor,
    requesterAgentAddress: row.requester,
    taskCategory: row.taskCategory,
    title: row.title,
    valueUsdc: fromMicro(row.valueMicro),
    paidUsdc: fromMicro(row.paidMicro),
    paymentTxHash: row.paymentTxHash ?? undefined,
    agreed: row.agreed,
    disputeScope: row.agreed ? "terms" : "work",
    clientConfirmed: row.paidMicro > 0n ? isClientConfirmed(row) : undefined,
    submittedBy: {
      role: row.submittedBy,
      walletAddress: row.submittedBy === "contractor" ? row.contractor : row.requester,
      walletVerified: row.proven,
    },
    submittedAt: row.submittedAt.toISOString(),
    taskHash: row.taskHash,
    deliverableHash: row.deliverableHash,
    ...(row.status === "RESOLVED" ? getResolvedFields(row) : {}),
    ...(row.refund ? { refund: toRefund(row.refund) } : {}),
    ...(row.supersededBy ? { superseded: toSuperseded(row, row.supersededBy) } : {}),
    ...(row.simulated ? { simulated: true } : {}),
    ...(row.rebuilt ? { rebuilt: true } : {}),
  };
}

const toSuperseded = (row: PublicColumns, by: string): Superseded => ({
  by,
  status: row.supersededTx ? "recorded" : "accepted",
  onChainTx: row.supersededTx ?? undefined,
  recordIndex: row.supersededIndex ?? undefined,
});

export function toRefund(row: RefundRow): Refund {
  return {
    txHash: row.txHash,
    amountUsdc: fromMicro(row.amountMicro),
    status: row.refundedAt ? "recorded" : "recording",
    refundedAt: row.refundedAt?.toISOString(),
    onChainTx: row.onChainTx ?? undefined,
    recordIndex: row.recordIndex ?? undefined,
  };
}

/** Returns the verdict fields. The transaction that resolves an outcome sets all of them. */
function getResolvedFields(row: PublicColumns): Partial<PublicOutcome> {
  return {
    verdict: row.verdict ?? undefined,
    llmJudgeReasoning: row.reasoning ?? undefined,
    llmConfidence: (row.confidencePpm ?? 0) / 1_000_000,
    onChainTx: row.onChainTx ?? undefined,
    recordIndex: row.recordIndex ?? undefined,
    resolvedAt: row.resolvedAt?.toISOString(),
    // For an outcome rebuilt from the chain, the judge is unknown.
    judge: row.judgeKind ? { kind: row.judgeKind, id: row.judgeId ?? "" } : undefined,
    evidence: row.evidence ?? undefined,
    evidenceHash: row.evidenceHash ?? undefined,
    disputeId: row.disputeId ?? undefined,
    finalVerdict: row.finalVerdict ?? undefined,
    assessed: row.assessed ?? undefined,
  };
}

/**
 * Returns a party's view of the outcome, with the private texts and the salt of the public hashes. The
 * deliverable is left out if the outcome was resolved before `readableSince`.
 */
export function toPartyOutcome(row: OutcomeRow, readableSince: Date): PartyOutcome {
  const isReadable = row.resolvedAt === null || row.resolvedAt >= readableSince;
  return {
    ...toPublicOutcome(row),
    private: {
      agreementId: row.agreementId,
      taskDescription: row.taskDescription,
      deliverableContent: isReadable ? row.deliverableContent : null,
      deliverableUrl: isReadable ? row.deliverableUrl : null,
      salt: row.salt.toString("hex"),
    },
  };
}

import { describeRequirement } from "@/server/judging/requirements/describe";
import type { ChainInfo } from "@/server/lib/context";
import type { Party } from "@/server/lib/schema";
import { toTermsTypedData } from "./hash-terms";
import type { Agreement, AnnouncedAgreement } from "./schema";
import { getEndedAt, getStatus } from "./status";
import type { agreements } from "./tables";

export type AgreementRow = typeof agreements.$inferSelect & {
  /** Transaction of the payment in `paymentTransferId`. */
  paymentTxHash: string | null;
  /** Transaction of the refund in `refundTransferId`. */
  refundTxHash: string | null;
};

/** Returns the agreement as its parties see it at `now`. */
export const toAgreement = (
  { registryAddress }: Pick<ChainInfo, "registryAddress">,
  row: AgreementRow,
  now: Date,
): Agreement => ({
  ...toAnnouncedAgreement(row, now),
  typedData: toTermsTypedData(registryAddress, row.terms, row.termsHash),
});

/** Returns the agreement as webhooks of its parties get it at `now`. */
export function toAnnouncedAgreement(row: AgreementRow, now: Date): AnnouncedAgreement {
  return {
    agreementId: row.id,
    status: getStatus(row, now),
    proposedBy: row.proposedBy,
    terms: row.terms,
    termsHash: row.termsHash,
    signatures: { requester: row.requesterSignature, contractor: row.contractorSignature },
    paymentTxHash: row.paymentTxHash,
    requirements: row.terms.requirements.map(describeRequirement),
    unresponsiveUrls: row.unresponsiveUrls,
    checkPassedAt: row.checkPassedAt?.toISOString() ?? null,
    refundTxHash: row.refundTxHash,
    proposedAt: row.proposedAt.toISOString(),
    agreedAt: row.agreedAt?.toISOString() ?? null,
    paidAt: row.paidAt?.toISOString() ?? null,
    endedAt: getEndedAt(row, now)?.toISOString() ?? null,
    settledAt: row.settledAt?.toISOString() ?? null,
    deliveryPaymentTxHash: row.deliveryPaymentTxHash,
    cancellationRequestedBy: row.cancellationRequestedBy,
    outcomeId: row.outcomeId,
  };
}

/** Returns which party of the agreement a wallet is, or null. */
export function findParty(
  { requester, contractor }: { requester: string; contractor: string },
  wallet: string,
): Party | null {
  if (wallet === requester) return "requester";
  return wallet === contractor ? "contractor" : null;
}

/** Returns which party of the agreement `wallet` is, whose agent the agreement was read for. */
export function requireParty(row: AgreementRow, wallet: string): Party {
  const party = findParty(row, wallet);
  if (!party) throw new Error(`${wallet} is no party of agreement ${row.id}`);
  return party;
}

import { PARTY_NAMES } from "@/components/disputes/describe-dispute";
import { getResult } from "@/components/outcomes/result";
import { formatDateTime } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { Step } from "@/components/ui/step";
import { TextLink } from "@/components/ui/text-link";
import type { Agreement } from "@/server/agreements/schema";
import { getOtherParty } from "@/server/disputes/parties";
import type { Party } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { DeliveryPaid } from "./delivery-payment";
import { describeEnd } from "./next-step";

interface Props {
  agreement: Agreement;
  /** Null before the agreement has one. */
  outcome: PublicOutcome | null;
  /** Of the reader. */
  role: Party;
}

/** Shows the timeline of an agreement, with pending steps. */
export function AgreementSteps({ agreement, outcome, role }: Props) {
  const { proposedBy, proposedAt, agreedAt, paidAt, endedAt, refundTxHash, terms } = agreement;
  const endedWithout = outcome === null ? endedAt : null;
  return (
    <ol>
      <Step done title={`Signed by the ${PARTY_NAMES[proposedBy]}`}>
        {formatDateTime(proposedAt)}
      </Step>
      {(agreedAt || !endedWithout) && (
        <Step
          done={agreedAt !== null}
          title={`Signed by the ${PARTY_NAMES[getOtherParty(proposedBy)]}`}
        >
          {agreedAt
            ? `${formatDateTime(agreedAt)}${agreement.signatures.requester === null ? ", by the payment" : ""}`
            : `Until ${formatDateTime(terms.startBy)}`}
        </Step>
      )}
      {terms.payment !== "on-delivery" && terms.valueMicro !== "0" && (paidAt || !endedWithout) && (
        <Step
          done={paidAt !== null}
          title={terms.payment === "escrow" ? "Escrow funded" : "Paid by the client"}
        >
          {paidAt ? formatDateTime(paidAt) : `Until ${formatDateTime(terms.startBy)}`}
        </Step>
      )}
      {endedWithout ? (
        <Step done title={describeEnd(agreement)}>
          {formatDateTime(endedWithout)}{" "}
          {refundTxHash && <Hex value={refundTxHash} name="refund's transaction hash" brief />}
        </Step>
      ) : (
        <>
          <Step done={endedAt !== null} title={endedAt ? describeEnd(agreement) : "Delivered"}>
            {endedAt ? formatDateTime(endedAt) : `Until ${formatDateTime(terms.deliverBy)}`}
          </Step>
          <Step done={outcome?.status === "RESOLVED"} title="Verdict">
            {outcome ? (
              <TextLink href={`/outcomes/${outcome.outcomeId}`}>
                {getResult(outcome) ? "See the job" : "Being decided"}
              </TextLink>
            ) : (
              "At once, by code, and recorded on chain"
            )}
          </Step>
          {(agreement.deliveryPaymentTxHash || agreement.settledAt) && (
            <Step done title="Paid by the client">
              <DeliveryPaid agreement={agreement} role={role} />
            </Step>
          )}
        </>
      )}
    </ol>
  );
}

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
import { describeEnd, describePayment } from "./next-step";

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
  const payment = describePayment(agreement);
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
          {payment && (
            <Step done title={payment}>
              <DeliveryPaid agreement={agreement} role={role} />
            </Step>
          )}
        </>
      )}
    </ol>
  );
}

interface PaidProps {
  agreement: Agreement;
  role: Party;
}

/** Says what is known of the payment of delivered work; nothing if nothing is. */
export function DeliveryPaid({ agreement, role }: PaidProps) {
  const { deliveryPaymentTxHash: txHash, settledAt } = agreement;
  if (txHash) {
    return (
      <>
        Paid in transaction <Hex value={txHash} name="payment's transaction hash" brief />
      </>
    );
  }
  const who = role === "contractor" ? "You" : "The contractor";
  return settledAt && `${who} confirmed the payment on ${formatDateTime(settledAt)}`;
}

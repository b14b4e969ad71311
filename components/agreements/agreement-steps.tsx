import { PARTY_NAMES } from "@/components/disputes/describe-dispute";
import { getResult } from "@/components/outcomes/result";
import { formatDateTime } from "@/components/ui/format";
import { Step } from "@/components/ui/step";
import { TextLink } from "@/components/ui/text-link";
import type { Agreement } from "@/server/agreements/schema";
import { getOtherParty } from "@/server/disputes/parties";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { STATUS_LABELS } from "./next-step";

interface Props {
  agreement: Agreement;
  /** Null before the agreement has one. */
  outcome: PublicOutcome | null;
}

/** Shows the timeline of an agreement, with pending steps. */
export function AgreementSteps({ agreement, outcome }: Props) {
  const { status, proposedBy, proposedAt, agreedAt, endedAt, terms } = agreement;
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
            ? `${formatDateTime(agreedAt)}${agreement.paymentTxHash ? ", by the payment" : ""}`
            : `Until ${formatDateTime(terms.startBy)}`}
        </Step>
      )}
      {endedWithout ? (
        <Step done title={STATUS_LABELS[status]}>
          {formatDateTime(endedWithout)}
        </Step>
      ) : (
        <>
          {terms.payment === "upfront" && terms.valueMicro !== "0" && (
            <Step done={agreement.paidAt !== null} title="Paid by the client">
              {agreement.paidAt
                ? formatDateTime(agreement.paidAt)
                : `Until ${formatDateTime(terms.startBy)}`}
            </Step>
          )}
          <Step
            done={endedAt !== null}
            title={status === "NOT_DELIVERED" ? STATUS_LABELS[status] : "Delivered"}
          >
            {endedAt ? formatDateTime(endedAt) : `Until ${formatDateTime(terms.deliverBy)}`}
          </Step>
          <Step done={outcome?.status === "RESOLVED"} title="Verdict">
            {outcome ? (
              <TextLink href={`/outcomes/${outcome.outcomeId}`}>
                {getResult(outcome) ? "See the outcome" : "Being decided"}
              </TextLink>
            ) : (
              "At once, by code, and recorded on chain"
            )}
          </Step>
        </>
      )}
    </ol>
  );
}

import { Countdown } from "@/components/disputes/countdown";
import { getResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import type { Agreement } from "@/server/agreements/schema";
import type { Party } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { describeState, type NextStep } from "./next-step";
import { PAYMENTS } from "./terms-sentence";

interface Props {
  agreement: Agreement;
  outcome: PublicOutcome | null;
  next: NextStep;
  role: Party;
}

/** Says what has become of an agreement: its verdict or state, the time left, and the payment. */
export function AgreementState({ agreement, outcome, next, role }: Props) {
  const isPaid = agreement.terms.valueMicro !== "0";
  return (
    <p className="mt-4 flex flex-wrap items-baseline gap-x-6 gap-y-1 text-xl">
      {outcome && <VerdictMark verdict={getResult(outcome)} large />}
      <span className={outcome ? "" : "font-medium"}>{describeState(agreement, next, role)}</span>
      {next.until && (
        <span className="text-muted">
          <Countdown until={next.until} />
        </span>
      )}
      {isPaid && <span className="text-muted">{describePayment(agreement, next)}</span>}
    </p>
  );
}

function describePayment(agreement: Agreement, { step }: NextStep): string {
  const { terms, outcomeId, paymentTxHash, deliveryPaymentTxHash, settledAt } = agreement;
  if (agreement.refundTxHash) return "Paid and refunded";
  if (paymentTxHash || deliveryPaymentTxHash || settledAt) return "Paid";
  return step === "nothing" && !outcomeId ? "Not paid" : `To be ${PAYMENTS[terms.payment]}`;
}

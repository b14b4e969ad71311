import { Countdown } from "@/components/disputes/countdown";
import { getResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { type KeyFigure, KeyFigures } from "@/components/site/key-figures";
import { formatDateTime, formatUsdc } from "@/components/ui/format";
import { Time } from "@/components/ui/time";
import type { Agreement } from "@/server/agreements/schema";
import type { Party } from "@/server/disputes/schema";
import { fromMicro } from "@/server/lib/usdc";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { describeState, type NextStep } from "./next-step";
import { PAYMENTS } from "./terms-sentence";

interface Props {
  agreement: Agreement;
  outcome: PublicOutcome | null;
  next: NextStep;
  role: Party;
}

const DEADLINES: Record<NextStep["step"], string> = {
  sign: "Time to sign",
  pay: "Time to pay",
  deliver: "Time to deliver",
  report: "Deadline",
  nothing: "Deadline",
};

/** Shows the state of an agreement, the time left, the value and the number of requirements. */
export function AgreementFigures({ agreement, outcome, next, role }: Props) {
  const { terms, requirements } = agreement;
  const state = describeState(agreement, next, role);
  const figures: KeyFigure[] = [
    {
      label: "State",
      value: outcome ? <VerdictMark verdict={getResult(outcome)} large /> : state,
      note: outcome ? state : undefined,
    },
    {
      label: DEADLINES[next.step],
      value: next.until ? <Countdown until={next.until} /> : <Time at={terms.deliverBy} />,
      note: next.until && formatDateTime(next.until),
    },
    {
      label: "Value",
      value: formatUsdc(fromMicro(Number(terms.valueMicro))),
      note: terms.valueMicro === "0" ? undefined : describePayment(agreement, next),
    },
    {
      label: "Requirements",
      value: requirements.length,
      note: terms.criteria.length > 0 ? `and ${terms.criteria.length} criteria` : "Decided by code",
    },
  ];
  return <KeyFigures figures={figures} />;
}

function describePayment(agreement: Agreement, { step }: NextStep): string {
  const { terms, outcomeId, paymentTxHash, deliveryPaymentTxHash, settledAt } = agreement;
  if (agreement.refundTxHash) return "Paid and refunded";
  if (paymentTxHash || deliveryPaymentTxHash || settledAt) return "Paid";
  return step === "nothing" && !outcomeId ? "Not paid" : `To be ${PAYMENTS[terms.payment]}`;
}

import { formatPayment, PaymentForm } from "@/components/account/payments/payment-form";
import { usePayment } from "@/components/account/payments/use-payment";
import type { Agreement } from "@/server/agreements/schema";
import { fromMicro } from "@/server/lib/usdc";

interface Props {
  agreement: Agreement;
  /** The requester's. */
  wallet: string;
  /** How long the service takes to find it. */
  foundWithin?: string;
}

/**
 * Has the requester pay an agreement: upfront, which signs it too, or for delivered work. Reports nothing: the
 * service finds the payment on the chain by its nonce, which USDC accepts once.
 */
export function AgreementPayment({ agreement, wallet, foundWithin = "a minute" }: Props) {
  const { agreementId, terms, typedData } = agreement;
  const before = terms.payment === "upfront" ? Date.parse(terms.startBy) / 1_000 : null;
  const amountUsdc = formatPayment(fromMicro(BigInt(terms.valueMicro)));
  const payment = usePayment({
    subject: { action: "agreement", id: agreementId },
    payment: { from: wallet, to: terms.contractor, amountUsdc, signs: { typedData, before } },
    report: async () => {},
  });
  return (
    <PaymentForm
      name="Pay the agreement"
      payment={payment}
      wallet={wallet}
      amountUsdc={amountUsdc}
      labels={{
        sent: "Payment sent",
        note: `It goes directly to the contractor. Your wallet asks twice: to sign, then to send. It counts once it is confirmed, within about ${foundWithin}.`,
        pay: `Pay ${amountUsdc} USDC`,
      }}
    />
  );
}

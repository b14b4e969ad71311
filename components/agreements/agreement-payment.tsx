import { formatPayment, PaymentForm } from "@/components/account/payments/payment-form";
import { usePayment } from "@/components/account/payments/use-payment";
import type { Agreement } from "@/server/agreements/schema";
import { fromMicro } from "@/server/lib/usdc";

const NOTES = {
  upfront:
    "It goes directly to the contractor. Your wallet asks twice: to sign, then to send. It counts once it is confirmed, within about a minute.",
  delivered: "It goes directly to the contractor.",
};

interface Props {
  agreement: Agreement;
  /** The requester's. */
  wallet: string;
  /** Called with the transaction of a payment for delivered work, once it is confirmed. */
  onSent?: (txHash: string) => void;
}

/**
 * Has the requester pay an agreement: upfront, which signs it too, or for delivered work. Reports nothing: the
 * service searches the chain for the payment.
 */
export function AgreementPayment({ agreement, wallet, onSent }: Props) {
  const { agreementId, terms, typedData } = agreement;
  const isUpfront = terms.payment === "upfront";
  const amountUsdc = formatPayment(fromMicro(BigInt(terms.valueMicro)));
  const payment = usePayment({
    subject: { action: "agreement", id: agreementId },
    payment: {
      from: wallet,
      to: terms.contractor,
      amountUsdc,
      ...(isUpfront && { signs: { typedData, before: Date.parse(terms.startBy) / 1_000 } }),
    },
    report: async (hash) => onSent?.(hash),
  });
  return (
    <PaymentForm
      name="Pay the agreement"
      payment={payment}
      wallet={wallet}
      amountUsdc={amountUsdc}
      labels={{
        sent: "Payment sent",
        note: NOTES[isUpfront ? "upfront" : "delivered"],
        pay: `Pay ${amountUsdc} USDC`,
      }}
    />
  );
}

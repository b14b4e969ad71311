import { formatPayment, PaymentForm } from "@/components/account/payments/payment-form";
import { usePayment } from "@/components/account/payments/use-payment";
import type { Agreement } from "@/server/agreements/schema";
import { fromMicro } from "@/server/lib/usdc";

/** From the signature of a payment for delivered work; upfront terms say until when they can be paid. */
const PAY_WITHIN_SECONDS = 3_600;

interface Props {
  agreement: Agreement;
  /** The requester's. */
  wallet: string;
}

/**
 * Has the requester pay an agreement: upfront, which signs it too, or for delivered work. Reports nothing: the
 * service finds the payment on the chain by its nonce, with which USDC accepts one transfer alone.
 */
export function AgreementPayment({ agreement, wallet }: Props) {
  const { agreementId, terms, typedData } = agreement;
  const before =
    terms.payment === "upfront"
      ? Date.parse(terms.startBy) / 1_000
      : Math.floor(Date.now() / 1_000) + PAY_WITHIN_SECONDS;
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
        note: "It goes directly to the contractor. Your wallet asks twice: to sign, then to send. It counts once it is confirmed, within about a minute.",
        pay: `Pay ${amountUsdc} USDC`,
      }}
    />
  );
}

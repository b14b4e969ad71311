import { formatPayment, PaymentForm } from "@/components/account/payments/payment-form";
import {
  type StoredPayment,
  useStoredPayments,
} from "@/components/account/payments/stored-payments";
import { usePayment } from "@/components/account/payments/use-payment";
import type { Agreement } from "@/server/agreements/schema";
import { fromMicro } from "@/server/lib/usdc";

const LABELS = {
  sent: "Payment sent",
  note: "It goes directly to the contractor. Your wallet asks twice: to sign, then to send. It counts once it is confirmed, within about a minute.",
};

interface Props {
  agreement: Agreement;
  /** The requester's. */
  wallet: string;
}

/** Has the requester pay an agreement, which signs it too. */
export function AgreementPayment({ agreement, wallet }: Props) {
  const stored = useStoredPayments(wallet).find(
    ({ action, id }) => action === "agreement" && id === agreement.agreementId,
  );
  // Stored payments are known once the page is interactive.
  return <Form key={stored?.txHash} agreement={agreement} wallet={wallet} stored={stored} />;
}

/** Reports nothing: the service searches the chain for the payment. */
function Form({ agreement, wallet, stored }: Props & { stored: StoredPayment | undefined }) {
  const { agreementId, terms, typedData } = agreement;
  const amountUsdc = formatPayment(fromMicro(BigInt(terms.valueMicro)));
  const payment = usePayment({
    subject: { action: "agreement", id: agreementId },
    payment: {
      from: wallet,
      to: terms.contractor,
      amountUsdc,
      signs: { typedData, before: Date.parse(terms.startBy) / 1_000 },
    },
    stored,
    report: async () => {},
  });
  return (
    <PaymentForm
      name="Pay the agreement"
      payment={payment}
      wallet={wallet}
      amountUsdc={amountUsdc}
      labels={{ ...LABELS, pay: `Pay ${amountUsdc} USDC` }}
    />
  );
}

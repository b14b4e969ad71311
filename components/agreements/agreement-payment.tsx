import { useRouter } from "next/navigation";
import type { Hex } from "viem";
import { formatPayment, PaymentForm } from "@/components/account/payments/payment-parts";
import { useStoredPayments } from "@/components/account/payments/stored-payments";
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
  const paid = (stored?.txHash ?? null) as Hex | null;
  // Stored payments are known once the page is interactive.
  return <Form key={paid} agreement={agreement} wallet={wallet} paid={paid} />;
}

function Form({ agreement, wallet, paid }: Props & { paid: Hex | null }) {
  const amountUsdc = formatPayment(fromMicro(BigInt(agreement.terms.valueMicro)));
  return (
    <PaymentForm
      name="Pay the agreement"
      payment={useAgreementPayment(agreement, { wallet, paid, amountUsdc })}
      wallet={wallet}
      amountUsdc={amountUsdc}
      labels={LABELS}
      pay={`Pay ${amountUsdc} USDC`}
    />
  );
}

/** Pays from the requester's wallet. The service finds the payment on the chain by itself. */
function useAgreementPayment(
  { agreementId, terms, typedData }: Agreement,
  { wallet, paid, amountUsdc }: { wallet: string; paid: Hex | null; amountUsdc: string },
) {
  const router = useRouter();
  return usePayment({
    subject: { action: "agreement", id: agreementId },
    payment: {
      from: wallet,
      to: terms.contractor,
      amountUsdc,
      signs: { typedData, before: Date.parse(terms.startBy) / 1_000 },
    },
    paid,
    report: async () => {},
    onDone: async () => router.refresh(),
  });
}

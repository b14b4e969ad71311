import { useRouter } from "next/navigation";
import type { Hex } from "viem";
import { formatPayment, PaymentForm } from "@/components/account/payments/payment-parts";
import { useStoredPayments } from "@/components/account/payments/stored-payments";
import { usePayment } from "@/components/account/payments/use-payment";
import { trpc } from "@/components/trpc";
import type { Agreement } from "@/server/agreements/schema";
import { fromMicro } from "@/server/lib/usdc";

const LABELS = {
  sent: "Payment sent",
  note: "It goes directly to the contractor. Your wallet asks twice: to sign, then to send.",
  alreadyPaid: "Already paid?",
  requirements: "the contractor, by EIP-3009 with the agreement's digest as nonce.",
};

interface Props {
  agreement: Agreement;
  /** The requester's. */
  wallet: string;
}

/** Has the requester pay an agreement, which signs it too, or name such a payment. */
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

/** Pays from the requester's wallet, and accepts the agreement by the payment. */
function useAgreementPayment(
  { agreementId, terms, typedData }: Agreement,
  { wallet, paid, amountUsdc }: { wallet: string; paid: Hex | null; amountUsdc: string },
) {
  const router = useRouter();
  const { mutateAsync: accept } = trpc.agreements.accept.useMutation();
  return usePayment({
    subject: { action: "agreement", id: agreementId },
    payment: {
      from: wallet,
      to: terms.contractor,
      amountUsdc,
      signs: { typedData, before: Number(typedData.message.startBy) },
    },
    paid,
    report: (paymentTxHash) => accept({ agreementId, paymentTxHash }),
    onDone: async () => router.refresh(),
  });
}

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { Hex } from "viem";
import { PaymentActions, PaymentSource } from "@/components/account/payments/payment-parts";
import { WRONG_TX_HASH } from "@/components/account/payments/stake-draft";
import {
  removePayment,
  storePayment,
  useStoredPayments,
} from "@/components/account/payments/stored-payments";
import { usePayment } from "@/components/account/payments/use-payment";
import { isTxHash } from "@/components/account/validate";
import { trpc } from "@/components/trpc";
import { focusField } from "@/components/ui/field";
import { useNetwork } from "@/components/wallet/wallet-shell";
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
  const [draft, setDraft] = useState("");
  const [tried, setTried] = useState(false);
  const amountUsdc = toDecimal(agreement.terms.valueMicro);
  const payment = useAgreementPayment(agreement, { wallet, paid, amountUsdc });
  const paidElsewhere = draft.trim();
  const isWrong = paidElsewhere !== "" && !isTxHash(paidElsewhere);
  return (
    <form
      noValidate
      aria-label="Pay the agreement"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isWrong) focusField(event.currentTarget, "txHash");
        else payment.run(null, payment.txHash ?? ((paidElsewhere || null) as Hex | null));
      }}
    >
      <PaymentSource
        txHash={payment.txHash}
        busy={payment.stage !== "idle"}
        wallet={wallet}
        amountUsdc={amountUsdc}
        labels={LABELS}
        paidElsewhere={draft}
        onPaidElsewhere={setDraft}
        error={tried && isWrong ? WRONG_TX_HASH : undefined}
      />
      <PaymentActions
        payment={{ ...payment, discard: () => payment.discard(null) }}
        amountUsdc={amountUsdc}
        pay={payment.txHash || paidElsewhere ? null : `Pay ${amountUsdc} USDC`}
        onClose={undefined}
      />
    </form>
  );
}

const toDecimal = (micro: string) =>
  fromMicro(BigInt(micro))
    .toFixed(6)
    .replace(/0{1,4}$/, "");

/** Pays from the requester's wallet, and accepts the agreement by the payment. */
function useAgreementPayment(
  { agreementId, status, terms, acceptBy, typedData }: Agreement,
  { wallet, paid, amountUsdc }: { wallet: string; paid: Hex | null; amountUsdc: string },
) {
  const router = useRouter();
  const { chainId } = useNetwork();
  const { mutateAsync: accept } = trpc.agreements.accept.useMutation();
  const payer = { chainId, wallet };
  const subject = { action: "agreement" as const, id: agreementId };
  const until = status === "PROPOSED" ? acceptBy : terms.deliverBy;
  return usePayment<null>({
    payment: {
      from: wallet,
      to: terms.contractor,
      amountUsdc,
      signs: { typedData, before: Math.floor(Date.parse(until) / 1_000) },
    },
    paid,
    store(txHash) {
      const noStatement = { text: "", deliverableContent: "", evidenceUrl: "" };
      if (txHash === null) removePayment(localStorage, payer, subject);
      else storePayment(localStorage, payer, { ...subject, txHash, ...noStatement });
    },
    report: (paymentTxHash) => accept({ agreementId, paymentTxHash }),
    onDone: async () => router.refresh(),
  });
}

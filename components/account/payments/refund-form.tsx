"use client";

import { UntrustedText } from "@/components/site/untrusted-text";
import { trpc } from "@/components/trpc";
import { formatUsdc } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { Notice } from "@/components/ui/notice";
import { KEEPS_PAGE } from "@/components/wallet/wallet-shell";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { formatDeadline, formatPayment, PaymentForm, TermList } from "./payment-form";
import { usePayment } from "./use-payment";

interface Props {
  outcome: PublicOutcome;
  /** Name of the client, if it is registered. */
  clientName?: string | undefined;
  onClose?: () => void;
}

const LABELS = {
  sent: "Payment sent",
  note: "It goes directly to your client.",
  requirements: "your client, in one transfer after the payment.",
};

/** Refunds an outcome from the connected wallet, or with a transfer made elsewhere. */
export function RefundForm({ outcome, clientName, onClose }: Props) {
  const { contractorAgentAddress: wallet, requesterAgentAddress: client, paidUsdc } = outcome;
  const amountUsdc = formatPayment(paidUsdc);
  const refund = useRefund(outcome, amountUsdc);
  const { data: terms } = trpc.disputes.terms.useQuery();
  if (refund.stage === "done") {
    return (
      <Notice takesFocus role="status" kind="done" title="Refund submitted">
        The job no longer counts once the refund is recorded on chain.
      </Notice>
    );
  }
  return (
    <PaymentForm
      name="Refund the payment"
      payment={refund}
      wallet={wallet}
      amountUsdc={amountUsdc}
      labels={{ ...LABELS, pay: `Refund ${amountUsdc} USDC` }}
      onClose={onClose}
    >
      <p>
        It returns {formatUsdc(paidUsdc)} to{" "}
        {clientName && <UntrustedText>{clientName}</UntrustedText>}{" "}
        <Hex value={client} name="client's address" brief />
      </p>
      {!refund.txHash && (
        <TermList
          title="Before you pay"
          terms={[
            ["Effect", "The job no longer counts in your score, for or against you."],
            ["Deadline", formatDeadline(outcome, terms)],
            ["Final", "You can't undo a refund. It is recorded on chain."],
          ]}
        />
      )}
    </PaymentForm>
  );
}

/** Refunds an outcome from the contractor's wallet and reports the refund. */
function useRefund(
  { outcomeId, agreed, contractorAgentAddress: from, requesterAgentAddress: to }: PublicOutcome,
  amountUsdc: string,
) {
  const refund = trpc.outcomes.refund.useMutation(KEEPS_PAGE);
  const { data: own } = trpc.outcomes.get.useQuery({ outcomeId }, { enabled: agreed });
  const agreementId = (own && "private" in own && own.private?.agreementId) || "";
  const isKnown = { enabled: agreementId !== "" };
  const { data: agreement } = trpc.agreements.get.useQuery({ agreementId }, isKnown);
  return usePayment({
    // Only a transfer with the agreement's digest as its nonce returns the payment of an agreed outcome.
    payment: {
      ...{ from, to, amountUsdc },
      ...(agreement && { signs: { typedData: agreement.typedData, before: null } }),
    },
    subject: { action: "refund", id: outcomeId },
    report: (refundTxHash) => refund.mutateAsync({ outcomeId, refundTxHash }),
  });
}

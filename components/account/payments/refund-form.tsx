"use client";

import { useState } from "react";
import type { Hex } from "viem";
import { isTxHash } from "@/components/account/validate";
import { formatDuration } from "@/components/disputes/describe-dispute";
import { UntrustedText } from "@/components/site/untrusted-text";
import { trpc } from "@/components/trpc";
import { focusField } from "@/components/ui/field";
import { formatDateTime, formatUsdc } from "@/components/ui/format";
import { Hex as HexText } from "@/components/ui/hex";
import { Notice } from "@/components/ui/notice";
import { useNetwork } from "@/components/wallet/wallet-shell";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { PaymentActions, PaymentSource, TermList } from "./payment-parts";
import { WRONG_TX_HASH } from "./stake-draft";
import { removePayment, type StoredPayment, storePayment } from "./stored-payments";
import { usePayment } from "./use-payment";

interface Props {
  outcome: PublicOutcome;
  /** Name of the client, if it is registered. */
  clientName?: string | undefined;
  /** Transfer of an earlier visit that was not submitted. */
  stored?: Hex;
  onClose?: () => void;
}

const LABELS = {
  sent: "Payment sent",
  note: "It goes directly to your client.",
  alreadyPaid: "Already refunded?",
  requirements: "your client, in one transfer after the payment.",
};

/** Refunds an outcome from the connected wallet, or with a transfer made elsewhere. */
export function RefundForm({ outcome, clientName, stored, onClose }: Props) {
  const refund = useRefund(outcome, stored ?? null);
  const [draft, setDraft] = useState("");
  const [tried, setTried] = useState(false);
  const { contractorAgentAddress: wallet, requesterAgentAddress: client } = outcome;
  const paidElsewhere = draft.trim();
  const isWrong = paidElsewhere !== "" && !isTxHash(paidElsewhere);
  if (refund.stage === "done") {
    return (
      <Notice role="status" kind="done" title="Refund submitted">
        The outcome no longer counts once the refund is recorded on chain.
      </Notice>
    );
  }
  return (
    <form
      noValidate
      aria-label="Refund the payment"
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isWrong) focusField(event.currentTarget, "txHash");
        else refund.run(refund.txHash ?? ((paidElsewhere || null) as Hex | null));
      }}
    >
      <p>
        Refund {formatUsdc(outcome.paidUsdc)} to your client
        {clientName && (
          <>
            {" "}
            <UntrustedText>{clientName}</UntrustedText>
          </>
        )}
        , <HexText value={client} name="client's address" />
      </p>
      {!refund.txHash && <RefundTerms outcome={outcome} />}
      {(outcome.finalVerdict ?? outcome.verdict) === "SUCCESS" && (
        <Notice title="This outcome is a success">
          It counts in your favor now, and won't after the refund.
        </Notice>
      )}
      <PaymentSource
        txHash={refund.txHash}
        busy={refund.stage !== "idle"}
        wallet={wallet}
        amountUsdc={refund.amountUsdc}
        labels={LABELS}
        paidElsewhere={draft}
        onPaidElsewhere={setDraft}
        error={tried && isWrong ? WRONG_TX_HASH : undefined}
      />
      <PaymentActions
        payment={refund}
        amountUsdc={refund.amountUsdc}
        pay={refund.txHash || paidElsewhere ? null : `Refund ${refund.amountUsdc} USDC`}
        onClose={onClose}
      />
    </form>
  );
}

function RefundTerms({ outcome: { resolvedAt } }: { outcome: PublicOutcome }) {
  const { data: terms } = trpc.disputes.terms.useQuery();
  const until = resolvedAt && terms && Date.parse(resolvedAt) + terms.disputeWindowMs;
  const deadline = until
    ? `${formatDateTime(until)}, ${formatDuration(until - Date.now())} left`
    : "…";
  return (
    <TermList
      title="Before you pay"
      terms={[
        ["Effect", "The outcome no longer counts in your score, for or against you."],
        ["Deadline", deadline],
        ["Final", "You can't undo a refund. It is recorded on chain."],
      ]}
    />
  );
}

/** Refunds an outcome from the contractor's wallet and reports the refund. */
function useRefund(
  { outcomeId, paidUsdc, contractorAgentAddress, requesterAgentAddress }: PublicOutcome,
  paid: Hex | null,
) {
  const { chainId } = useNetwork();
  const cache = trpc.useUtils();
  const refund = trpc.outcomes.refund.useMutation();
  const payer = { chainId, wallet: contractorAgentAddress };
  const subject = { action: "refund" as const, id: outcomeId };
  const amountUsdc = paidUsdc.toFixed(6).replace(/0{1,4}$/, "");
  const payment = usePayment<null>({
    payment: { from: contractorAgentAddress, to: requesterAgentAddress, amountUsdc },
    paid,
    store(txHash) {
      const noStatement = { text: "", deliverableContent: "", evidenceUrl: "" };
      if (txHash === null) removePayment(localStorage, payer, subject);
      else storePayment(localStorage, payer, { ...subject, txHash, ...noStatement });
    },
    report: (refundTxHash) => refund.mutateAsync({ outcomeId, refundTxHash }),
    onDone: () => cache.explorer.outcomes.invalidate(),
  });
  return {
    ...payment,
    amountUsdc,
    run: (hash: Hex | null) => payment.run(null, hash),
    discard: () => payment.discard(null),
  };
}

/** Shows a refund that was sent on an earlier visit but not submitted. */
export function UnsubmittedRefund({ payment }: { payment: StoredPayment }) {
  const outcome = trpc.outcomes.get.useQuery({ outcomeId: payment.id });
  if (!outcome.data) return null;
  return (
    <div className="mb-4 rounded-lg border-2 border-notice-ink p-4 sm:p-5">
      <h3 className="mb-4 font-medium">Submit your refund</h3>
      <RefundForm outcome={outcome.data} stored={payment.txHash as Hex} />
    </div>
  );
}

"use client";

import type { Hex } from "viem";
import { trpc } from "@/components/trpc";
import { useNetwork } from "@/components/wallet/wallet-shell";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { removePayment, storePayment } from "./stored-payment";
import { usePayment } from "./use-payment";

/** Refunds an outcome from the contractor's wallet and reports the refund. */
export function useRefund(
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
      const nothingSaid = { text: "", deliverableContent: "", evidenceUrl: "" };
      if (txHash === null) removePayment(localStorage, payer, subject);
      else storePayment(localStorage, payer, { ...subject, txHash, ...nothingSaid });
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

"use client";

import type { Hex } from "viem";
import { trpc } from "@/components/trpc";
import { problemOf, sayError } from "@/components/wallet/say-error";
import { useNetwork } from "@/components/wallet/wallet-shell";
import { forgetPayment, keepPayment } from "./kept-payment";
import { usePayment } from "./use-payment";

/** What a stake is for. */
export interface Subject {
  action: "open" | "answer";
  /** Of the outcome to dispute, or of the dispute to answer. */
  id: string;
}

interface Said {
  text: string;
  /** Empty for none. */
  deliverableContent: string;
  /** Empty for none. */
  evidenceUrl: string;
}

const NOTHING_SAID: Said = { text: "", deliverableContent: "", evidenceUrl: "" };

const BEATEN =
  "Unless it is sent back, your payment can be your stake in that dispute: answer it, and name the transaction under “Paid already?”.";

/** Pays a stake and opens or answers the dispute with it. */
export function useStake(
  subject: Subject,
  wallet: string,
  paid: Hex | null,
  /** Called once the wallet has sent the payment, with which what was said is kept from then on. */
  onPaid: () => void,
) {
  const { chainId, stakeAddress, stakeUsdc } = useNetwork();
  const cache = trpc.useUtils();
  const open = trpc.disputes.open.useMutation();
  const answer = trpc.disputes.stake.useMutation();
  const payer = { chainId, wallet };
  const payment = usePayment<Said>({
    payment: { from: wallet, to: stakeAddress, amountUsdc: stakeUsdc },
    paid,
    onPaid,
    keep(txHash, said) {
      if (txHash === null) forgetPayment(localStorage, payer, subject);
      else keepPayment(localStorage, payer, { ...subject, txHash, ...said });
    },
    async report(hash, { text, deliverableContent, evidenceUrl }) {
      const more = {
        stakePaymentTxHash: hash,
        ...(deliverableContent ? { deliverableContent } : {}),
        ...(evidenceUrl ? { evidenceUrl } : {}),
      };
      if (subject.action === "open") {
        return open.mutateAsync({ outcomeId: subject.id, reason: text, ...more });
      }
      return answer.mutateAsync({
        disputeId: subject.id,
        ...more,
        ...(text ? { statement: text } : {}),
      });
    },
    async isKnown(hash, refusal) {
      const problem = problemOf(refusal);
      if (problem?.code !== "already-disputed" && subject.action === "open") return false;
      const { disputeId = subject.id } = (problem ?? {}) as { disputeId?: string };
      const dispute = await cache.client.disputes.get.query({ disputeId }).catch(() => null);
      return dispute?.stakes.some(({ paymentTxHash }) => paymentTxHash === hash) ?? false;
    },
    onDone: () =>
      Promise.all([cache.disputes.list.invalidate(), cache.explorer.outcomes.invalidate()]),
    explain(reason) {
      const beaten = problemOf(reason)?.code === "already-disputed";
      return beaten ? `${sayError(reason)} ${BEATEN}` : sayError(reason);
    },
  });
  return { ...payment, forget: () => payment.forget(NOTHING_SAID) };
}

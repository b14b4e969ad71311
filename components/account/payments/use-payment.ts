"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import type { Hex } from "viem";
import { useOwnerForm } from "@/components/account/owner-form";
import { getProblem } from "@/components/wallet/error-notice";
import type { Payment } from "@/components/wallet/pay-usdc";
import { useWalletSettings } from "@/components/wallet/wallet-shell";
import {
  listStoredPayments,
  removePayment,
  type StoredPayment,
  type Subject,
  storePayment,
} from "./stored-payments";

export type PaymentStage = "idle" | "wallet" | "chain" | "report" | "done";

/** What a payment is submitted with; empty texts for none. */
export type Statement = Pick<StoredPayment, "text" | "deliverableContent" | "evidenceUrl">;

const NOTHING = { text: "", deliverableContent: "", evidenceUrl: "" };

interface PaymentFlow {
  payment: Payment;
  /** What is paid for. */
  subject: Subject;
  /** Key in session storage of what is entered before the payment. */
  draftKey?: string | null;
  report(hash: Hex, statement: Statement): Promise<unknown>;
  /** Resolves to whether an earlier report of the same payment was accepted after all. */
  isAccepted?(hash: Hex, reason: unknown): Promise<boolean>;
}

const MAX_TRIES = 15;
const RETRY_MS = 2_000;

/**
 * Pays from the connected wallet and reports the payment, with what is entered in `form`, to the service.
 * Once sent, the payment is stored until the service accepts it, so a reload, lost connection or error
 * loses nothing: submitting the form again, also on a later visit, continues from there.
 */
export function usePayment({ payment, subject, draftKey = null, ...flow }: PaymentFlow) {
  const router = useRouter();
  const settings = useWalletSettings();
  const { network } = settings;
  const [stage, setStage] = useState<PaymentStage>("idle");
  const [txHash, setTxHash] = useState<Hex | null>(null);
  const payer = { chainId: network.chainId, wallet: payment.from };

  /** Stores a payment until the service has accepted it; null removes it. */
  function store(hash: Hex | null, statement: Statement = NOTHING) {
    setTxHash(hash);
    if (hash === null) removePayment(localStorage, payer, subject);
    else storePayment(localStorage, payer, { ...subject, txHash: hash, ...statement });
  }

  async function reportUntilAccepted(hash: Hex, statement: Statement) {
    for (let tries = 1; ; tries++) {
      try {
        await flow.report(hash, statement);
        return;
      } catch (reason) {
        const isUnconfirmed = getProblem(reason)?.code === "payment-not-ready";
        if (isUnconfirmed && tries < MAX_TRIES) {
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        } else if (await flow.isAccepted?.(hash, reason)) return;
        else throw reason;
      }
    }
  }

  async function payAndReport(earlier: Hex | null, statement: Statement) {
    const wallets = await import("./wallet-payment");
    const config = wallets.openWallets(settings);
    if (!earlier) setStage("wallet");
    const hash = earlier ?? (await wallets.payUsdc(config, network, payment));
    store(hash, statement);
    form.discardDraft();
    setStage("chain");
    const mined = await wallets.waitForPayment(config, network, hash).catch((reason) => {
      if (reason instanceof wallets.PaymentError) store(null);
      throw reason;
    });
    store(mined, statement);
    setStage("report");
    await reportUntilAccepted(mined, statement);
    removePayment(localStorage, payer, subject);
    setStage("done");
    router.refresh();
  }

  const form = useOwnerForm<Statement & { txHash: string }>(
    { ...NOTHING, txHash: "" },
    async ({ txHash: paidElsewhere, ...statement }) => {
      try {
        await payAndReport((txHash || paidElsewhere.trim() || null) as Hex | null, statement);
      } catch (reason) {
        setStage("idle");
        throw reason;
      }
    },
    { storedAs: draftKey },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the page is interactive
  useEffect(() => {
    const { action, id } = subject;
    const stored = listStoredPayments(localStorage, payer).find(
      (one) => one.action === action && one.id === id,
    );
    if (!stored) return;
    const { text, deliverableContent, evidenceUrl } = stored;
    setTxHash(stored.txHash);
    form.reset({ text, deliverableContent, evidenceUrl, txHash: "" });
  }, []);
  return { form, stage, txHash, discard: () => store(null) };
}

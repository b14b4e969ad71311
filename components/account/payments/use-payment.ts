"use client";

import { useState } from "react";
import type { Hex } from "viem";
import { describeError, getProblem } from "@/components/wallet/error-notice";
import type { Payment } from "@/components/wallet/pay-usdc";
import { useWalletSettings } from "@/components/wallet/wallet-shell";
import { removePayment, type StoredPayment, storePayment } from "./stored-payments";

export type PaymentStage = "idle" | "wallet" | "chain" | "report" | "done";

/** What a payment is submitted with; empty texts for none. */
export type Statement = Pick<StoredPayment, "text" | "deliverableContent" | "evidenceUrl">;

const EMPTY_STATEMENT: Statement = { text: "", deliverableContent: "", evidenceUrl: "" };

interface PaymentFlow {
  payment: Payment;
  /** What is paid for. */
  subject: Pick<StoredPayment, "action" | "id">;
  /** Transaction hash of an earlier payment that the service may not know. */
  paid: Hex | null;
  /** Called once the wallet has sent the payment. */
  onPaid?(): void;
  report(hash: Hex, statement: Statement): Promise<unknown>;
  /** Resolves to whether an earlier report of the same payment was accepted after all. */
  isAccepted?(hash: Hex, reason: unknown): Promise<boolean>;
  onDone(): Promise<unknown>;
  explain?(reason: unknown): string;
}

const MAX_TRIES = 15;
const RETRY_MS = 2_000;

/**
 * Pays from the connected wallet and reports the payment to the service. Once sent, the payment is
 * stored until the service accepts it, so a reload, lost connection or error loses nothing: running
 * again continues from there.
 */
export function usePayment(flow: PaymentFlow) {
  const settings = useWalletSettings();
  const { network } = settings;
  const [stage, setStage] = useState<PaymentStage>("idle");
  const [txHash, setTxHash] = useState<Hex | null>(flow.paid);
  const [error, setError] = useState<string | null>(null);

  /** Stores a payment until the service has accepted it; null removes it. */
  function store(hash: Hex | null, statement = EMPTY_STATEMENT) {
    setTxHash(hash);
    const payer = { chainId: network.chainId, wallet: flow.payment.from };
    if (hash === null) removePayment(localStorage, payer, flow.subject);
    else storePayment(localStorage, payer, { ...flow.subject, txHash: hash, ...statement });
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

  async function run(earlierHash: Hex | null, statement = EMPTY_STATEMENT) {
    setError(null);
    try {
      const wallets = await import("./wallet-payment");
      const config = wallets.openWallets(settings);
      let hash = earlierHash;
      if (hash === null) {
        setStage("wallet");
        hash = await wallets.payUsdc(config, network, flow.payment);
      }
      store(hash, statement);
      flow.onPaid?.();
      setStage("chain");
      const mined = await wallets.waitForPayment(config, network, hash).catch((reason) => {
        if (reason instanceof wallets.PaymentError) store(null);
        throw reason;
      });
      store(mined, statement);
      setStage("report");
      await reportUntilAccepted(mined, statement);
      store(null);
      setStage("done");
      await flow.onDone();
    } catch (reason) {
      setError((flow.explain ?? describeError)(reason));
      setStage("idle");
    }
  }

  return { run, stage, error, txHash, discard: () => store(null) };
}

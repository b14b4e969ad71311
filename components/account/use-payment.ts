"use client";

import { useState } from "react";
import type { Hex } from "viem";
import { useConfig } from "wagmi";
import { CannotPay, type Payment, payUsdc, untilPaid } from "@/components/wallet/pay-usdc";
import { problemOf, sayError } from "@/components/wallet/say-error";
import { useNetwork } from "@/components/wallet/wallet-shell";

export type PaymentStage = "idle" | "wallet" | "chain" | "report" | "done";

interface Flow<Said> {
  payment: Payment;
  /** Hash of a payment of an earlier visit that the service may not know. */
  paid: Hex | null;
  /** Keeps a payment until the service has accepted it; null forgets it. */
  keep(hash: Hex | null, said: Said): void;
  /** Called once the wallet has sent the payment. */
  onPaid?(): void;
  report(hash: Hex, said: Said): Promise<unknown>;
  /** Resolves to whether an earlier report of the same payment was accepted after all. */
  isKnown?(hash: Hex, refusal: unknown): Promise<boolean>;
  onDone(): Promise<unknown>;
  explain?(reason: unknown): string;
}

const READY_WITHIN_TRIES = 15;
const TRY_AGAIN_MS = 2_000;

/**
 * Pays from the connected wallet and reports the payment to the service, in one flow. From the moment
 * the wallet has sent it, the payment is kept until the service has accepted it: a reload, a lost
 * connection or a refusal lose nothing, and running again goes on from there.
 */
export function usePayment<Said>(flow: Flow<Said>) {
  const config = useConfig();
  const network = useNetwork();
  const [stage, setStage] = useState<PaymentStage>("idle");
  const [txHash, setTxHash] = useState<Hex | null>(flow.paid);
  const [error, setError] = useState<string | null>(null);

  function keep(hash: Hex | null, said: Said) {
    setTxHash(hash);
    flow.keep(hash, said);
  }

  async function reportUntilAccepted(hash: Hex, said: Said) {
    for (let tries = 1; ; tries++) {
      try {
        await flow.report(hash, said);
        return;
      } catch (refusal) {
        const isShallow = problemOf(refusal)?.code === "payment-not-ready";
        if (isShallow && tries < READY_WITHIN_TRIES) {
          await new Promise((again) => setTimeout(again, TRY_AGAIN_MS));
        } else if (await flow.isKnown?.(hash, refusal)) return;
        else throw refusal;
      }
    }
  }

  async function run(said: Said, paidAlready: Hex | null = txHash) {
    setError(null);
    try {
      let hash = paidAlready;
      if (hash === null) {
        setStage("wallet");
        hash = await payUsdc(config, network, flow.payment);
      }
      keep(hash, said);
      flow.onPaid?.();
      setStage("chain");
      const mined = await untilPaid(config, network, hash).catch((reason) => {
        if (reason instanceof CannotPay) keep(null, said);
        throw reason;
      });
      keep(mined, said);
      setStage("report");
      await reportUntilAccepted(mined, said);
      keep(null, said);
      setStage("done");
      await flow.onDone();
    } catch (reason) {
      setError((flow.explain ?? sayError)(reason));
      setStage("idle");
    }
  }

  return { run, stage, error, txHash, forget: (said: Said) => keep(null, said) };
}

"use client";

import { useState } from "react";
import type { Hex } from "viem";
import { useConfig } from "wagmi";
import { trpc } from "@/components/trpc";
import { CannotPay, payStake, untilPaid } from "@/components/wallet/pay-usdc";
import { problemOf, sayError } from "@/components/wallet/say-error";
import { useNetwork } from "@/components/wallet/wallet-shell";
import { forgetPayment, type KeptPayment, keepPayment } from "./kept-payment";

export type StakeStage = "idle" | "wallet" | "chain" | "report" | "done";

/** What a stake is for. */
export type Subject = Pick<KeptPayment, "action" | "id">;

interface Said {
  text: string;
  /** Empty for none. */
  evidenceUrl: string;
}

const BEATEN =
  "Unless it is sent back, your payment can be your stake in that dispute: answer it, and name the transaction under “Paid already?”.";

const READY_WITHIN_TRIES = 15;
const TRY_AGAIN_MS = 2_000;

/**
 * Pays a stake and reports it, in one flow. From the moment the wallet has sent it, the payment is
 * kept in this browser until the service has taken it: a reload, a lost connection or a refusal
 * lose nothing, and running again goes on from there.
 */
export function useStake(
  subject: Subject,
  wallet: string,
  paid: Hex | null,
  /** Called once the wallet has sent the payment, with which what was said is kept from then on. */
  onPaid: () => void,
) {
  const config = useConfig();
  const network = useNetwork();
  const cache = trpc.useUtils();
  const open = trpc.disputes.open.useMutation();
  const answer = trpc.disputes.stake.useMutation();
  const [stage, setStage] = useState<StakeStage>("idle");
  const [txHash, setTxHash] = useState<Hex | null>(paid);
  const [error, setError] = useState<string | null>(null);
  const payer = { chainId: network.chainId, wallet };

  function keep(hash: Hex | null, { text, evidenceUrl }: Said) {
    setTxHash(hash);
    if (hash === null) forgetPayment(localStorage, payer, subject);
    else keepPayment(localStorage, payer, { ...subject, txHash: hash, text, evidenceUrl });
  }

  async function report(hash: Hex, { text, evidenceUrl }: Said) {
    const more = { stakePaymentTxHash: hash, ...(evidenceUrl ? { evidenceUrl } : {}) };
    if (subject.action === "open") {
      return open.mutateAsync({ outcomeId: subject.id, reason: text, ...more });
    }
    return answer.mutateAsync({
      disputeId: subject.id,
      ...more,
      ...(text ? { statement: text } : {}),
    });
  }

  /** Whether an earlier report of the same payment had got through after all. */
  async function isKnown(hash: Hex, refusal: unknown): Promise<boolean> {
    const { disputeId = subject.id } = (problemOf(refusal) ?? {}) as { disputeId?: string };
    if (problemOf(refusal)?.code === "already-disputed" || subject.action === "answer") {
      const dispute = await cache.client.disputes.get.query({ disputeId }).catch(() => null);
      return dispute?.stakes.some(({ paymentTxHash }) => paymentTxHash === hash) ?? false;
    }
    return false;
  }

  async function reportUntilTaken(hash: Hex, said: Said) {
    for (let tries = 1; ; tries++) {
      try {
        await report(hash, said);
        return;
      } catch (refusal) {
        const isShallow = problemOf(refusal)?.code === "payment-not-ready";
        if (isShallow && tries < READY_WITHIN_TRIES) {
          await new Promise((again) => setTimeout(again, TRY_AGAIN_MS));
        } else if (await isKnown(hash, refusal)) return;
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
        hash = await payStake(config, network, wallet);
      }
      keep(hash, said);
      onPaid();
      setStage("chain");
      const mined = await untilPaid(config, network, hash).catch((reason) => {
        if (reason instanceof CannotPay) keep(null, said);
        throw reason;
      });
      keep(mined, said);
      setStage("report");
      await reportUntilTaken(mined, said);
      keep(null, said);
      setStage("done");
      await Promise.all([cache.disputes.list.invalidate(), cache.explorer.outcomes.invalidate()]);
    } catch (reason) {
      const beaten = problemOf(reason)?.code === "already-disputed";
      setError(beaten ? `${sayError(reason)} ${BEATEN}` : sayError(reason));
      setStage("idle");
    }
  }

  return { run, stage, error, txHash, forget: () => keep(null, { text: "", evidenceUrl: "" }) };
}

"use client";

import { useEffect, useState } from "react";
import { ConfirmAction } from "@/components/account/action-button";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { trpc } from "@/components/trpc";
import { formatUsdc } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { Notice } from "@/components/ui/notice";
import type { Agreement } from "@/server/agreements/schema";
import type { Party } from "@/server/disputes/schema";
import { fromMicro } from "@/server/lib/usdc";
import { AgreementPayment } from "./agreement-payment";
import { readSentPayment, rememberSentPayment } from "./sent-payment";

interface Props {
  agreement: Agreement;
  wallet: string;
  role: Party;
  /** Until when it is to be paid, formatted; null if it is overdue. */
  deadline: string | null;
}

/** Has the client pay for work that succeeded, and lets the contractor say that it was paid. */
export function DeliveryPayment({ agreement, wallet, role, deadline }: Props) {
  const { agreementId, terms } = agreement;
  const settled = trpc.agreements.settled.useMutation();
  const [sent, setSent] = useState<string | null>(null);
  const path = `/agreements/${agreementId}`;
  useEffect(() => setSent(readSentPayment(path)), [path]);
  const amount = formatUsdc(fromMicro(Number(terms.valueMicro)));
  const isClient = role === "requester";
  const record = isClient ? "your record" : "the client's record";
  return (
    <div className="grid grid-cols-1 gap-4">
      <p>
        <VerdictMark verdict="SUCCESS" large />. {isClient ? "You pay" : "Your client pays"}{" "}
        {amount} for it, in one transfer to{" "}
        <Hex value={terms.contractor} name="contractor's address" />
      </p>
      <p className="text-sm text-muted">
        {deadline
          ? `A transfer is noticed on ${deadline}, however early it was made${isClient ? ": pay once" : ""}. Without one, ${record} says that the job was left unpaid.`
          : `It is overdue: until a transfer is found, ${record} says that the job was left unpaid.`}
      </p>
      {!isClient ? (
        <div>
          <ConfirmAction
            label="I was paid"
            target="for this job"
            question="The job no longer counts as unpaid. You can't take this back."
            confirm="Confirm the payment"
            variant="secondary"
            run={() => settled.mutateAsync({ agreementId })}
          />
        </div>
      ) : sent ? (
        <Notice role="status" kind="done" title={`You sent ${amount} from this browser`}>
          <Hex value={sent} name="transaction hash" />
        </Notice>
      ) : (
        <AgreementPayment
          agreement={agreement}
          wallet={wallet}
          onSent={(txHash) => {
            rememberSentPayment(path, txHash);
            setSent(txHash);
          }}
        />
      )}
    </div>
  );
}

"use client";

import { ConfirmAction } from "@/components/account/action-button";
import { trpc } from "@/components/trpc";
import { formatUsdc } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { MoreLink } from "@/components/ui/text-link";
import type { Agreement } from "@/server/agreements/schema";
import type { Party } from "@/server/disputes/schema";
import { fromMicro } from "@/server/lib/usdc";
import { AgreementPayment } from "./agreement-payment";

interface Props {
  agreement: Agreement;
  wallet: string;
  role: Party;
  /** Until when it is to be paid, formatted; null if it is overdue. */
  deadline: string | null;
}

/** Has the client pay for work that succeeded, and lets the contractor say that it was paid. */
export function DeliveryPayment({ agreement, wallet, role, deadline }: Props) {
  const { agreementId, outcomeId, terms } = agreement;
  const settled = trpc.agreements.settled.useMutation();
  const isClient = role === "requester";
  const record = isClient ? "your record" : "the client's record";
  return (
    <div className="grid grid-cols-1 gap-4">
      <div>
        <p>
          {isClient ? "You pay" : "Your client pays"}{" "}
          {formatUsdc(fromMicro(Number(terms.valueMicro)))} in one transfer to{" "}
          <Hex value={terms.contractor} name="contractor's address" />
        </p>
        <p className="mt-1 flex flex-wrap gap-x-4">
          <MoreLink href={`/dashboard/outcomes?outcome=${outcomeId}&show=deliverable`}>
            Read the deliverable
          </MoreLink>
          <MoreLink href={`/outcomes/${outcomeId}`}>See the verdict</MoreLink>
        </p>
      </div>
      <p className="text-sm text-muted">
        {deadline
          ? `A payment made elsewhere is found from ${deadline}. Without one, ${record} says that the job was left unpaid.`
          : `It is overdue: until a payment is found, ${record} says that the job was left unpaid.`}
      </p>
      {isClient ? (
        <AgreementPayment
          agreement={agreement}
          wallet={wallet}
          // Once overdue, the daily search finds it.
          foundWithin={deadline ? "a minute" : "a day"}
        />
      ) : (
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
      )}
    </div>
  );
}

"use client";

import { useRouter } from "next/navigation";
import { ConfirmAction } from "@/components/account/action-button";
import { trpc } from "@/components/trpc";
import { formatDay, formatUsdc } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { Panel } from "@/components/ui/panel";
import type { Agreement } from "@/server/agreements/schema";
import type { Party } from "@/server/disputes/schema";
import { fromMicro } from "@/server/lib/usdc";
import { DELIVERY_PAYMENT_DAYS } from "@/server/outcomes/periods";
import type { PublicOutcome } from "@/server/outcomes/schema";

interface Props {
  agreement: Agreement;
  outcome: PublicOutcome;
  role: Party;
}

/**
 * Shows whether delivered work was paid for, and lets the contractor say so. Renders nothing if it was to
 * be paid before, or did not succeed.
 */
export function DeliveryPayment({ agreement, outcome, role }: Props) {
  const router = useRouter();
  const settled = trpc.agreements.settled.useMutation({ onSuccess: () => router.refresh() });
  const { terms, settledAt, deliveryPaymentTxHash } = agreement;
  const { finalVerdict, assessed, disputeId, resolvedAt } = outcome;
  const isOwed = finalVerdict === "SUCCESS" && assessed && !disputeId && terms.valueMicro !== "0";
  if (terms.payment !== "on-delivery" || !isOwed || !resolvedAt) return null;
  const amount = formatUsdc(fromMicro(Number(terms.valueMicro)));
  const until = formatDay(Date.parse(resolvedAt) + DELIVERY_PAYMENT_DAYS * 86_400_000);
  return (
    <Panel title="Payment">
      {deliveryPaymentTxHash ? (
        <p>
          Paid in transaction{" "}
          <Hex value={deliveryPaymentTxHash} name="payment's transaction hash" />
        </p>
      ) : settledAt ? (
        <p>The contractor confirmed it on {formatDay(settledAt)}.</p>
      ) : (
        <>
          <p>
            {amount} in one transfer, to{" "}
            <Hex value={terms.contractor} name="contractor's address" />
          </p>
          <p className="my-2 text-sm text-muted">
            From {until} on, the chain is searched for it. Without it, the client's record says that
            it left the job unpaid.
          </p>
          {role === "contractor" && (
            <ConfirmAction
              label="I was paid"
              target="for this job"
              question="The job no longer counts as unpaid. You can't take this back."
              confirm="Confirm the payment"
              variant="secondary"
              run={() => settled.mutateAsync({ agreementId: agreement.agreementId })}
            />
          )}
        </>
      )}
    </Panel>
  );
}

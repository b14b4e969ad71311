"use client";

import { trpc } from "@/components/trpc";
import { RefundForm } from "./refund-form";
import { StakeForm } from "./stake-form";
import type { StoredPayment } from "./stored-payments";

const TITLES = {
  open: "Submit your stake to open the dispute",
  answer: "Submit your stake to answer",
  refund: "Submit your refund",
};

interface Props {
  payments: readonly StoredPayment[];
  wallet: string;
}

/** Shows stakes and refunds that were paid on an earlier visit but not submitted. */
export function UnsubmittedPayments({ payments, wallet }: Props) {
  return payments.map((stored) => {
    const { action, id } = stored;
    if (action === "agreement") return null;
    return (
      <div
        key={`${action} ${id}`}
        className="rounded-lg border-2 border-notice-ink bg-paper p-4 sm:p-5"
      >
        <h3 className="mb-4 font-medium">{TITLES[action]}</h3>
        {action === "refund" ? (
          <UnsubmittedRefund stored={stored} />
        ) : (
          <StakeForm subject={{ action, id }} wallet={wallet} stored={stored} />
        )}
      </div>
    );
  });
}

function UnsubmittedRefund({ stored }: { stored: StoredPayment }) {
  const { data: outcome } = trpc.outcomes.get.useQuery({ outcomeId: stored.id });
  return outcome && <RefundForm outcome={outcome} stored={stored} />;
}

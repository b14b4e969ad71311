"use client";

import type { Hex } from "viem";
import { trpc } from "@/components/trpc";
import { RefundForm } from "./refund-form";
import type { StoredPayment } from "./stored-payment";

/** Shows refunds that were sent on an earlier visit but not submitted. */
export function UnsubmittedRefunds({ payments }: { payments: StoredPayment[] }) {
  return payments.map((payment) => <UnsubmittedRefund key={payment.id} payment={payment} />);
}

function UnsubmittedRefund({ payment }: { payment: StoredPayment }) {
  const outcome = trpc.outcomes.get.useQuery({ outcomeId: payment.id });
  if (!outcome.data) return null;
  return (
    <div className="mb-4 rounded-lg border-2 border-accent p-4 sm:p-5">
      <h3 className="mb-4 font-medium">Submit your refund</h3>
      <RefundForm outcome={outcome.data} stored={payment.txHash as Hex} />
    </div>
  );
}

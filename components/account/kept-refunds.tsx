"use client";

import type { Hex } from "viem";
import { trpc } from "@/components/trpc";
import type { KeptPayment } from "./kept-payment";
import { RefundForm } from "./refund-form";

/** Returned payments of an earlier visit that the service does not know, each to be handed in. */
export function KeptRefunds({ payments }: { payments: KeptPayment[] }) {
  return payments.map((payment) => <KeptRefund key={payment.id} payment={payment} />);
}

function KeptRefund({ payment }: { payment: KeptPayment }) {
  const outcome = trpc.outcomes.get.useQuery({ outcomeId: payment.id });
  if (!outcome.data) return null;
  return (
    <div className="mb-4 rounded-lg border-2 border-accent p-4 sm:p-5">
      <h3 className="mb-4 font-medium">A payment that you returned was not handed in yet</h3>
      <RefundForm outcome={outcome.data} kept={payment.txHash as Hex} />
    </div>
  );
}

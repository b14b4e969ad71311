"use client";

import { useState } from "react";
import { trpc } from "@/components/trpc";
import { Notice } from "@/components/ui/notice";
import { describeError } from "@/components/wallet/describe-error";

/** Shows the deliverable that the contractor supplied, loaded when a party expands it. */
export function SuppliedWork({ disputeId }: { disputeId: string }) {
  const [isOpen, setOpen] = useState(false);
  const dispute = trpc.disputes.get.useQuery({ disputeId }, { enabled: isOpen });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-sm text-muted">
        Deliverable supplied by the contractor
      </summary>
      {dispute.error && <Notice role="alert">{describeError(dispute.error)}</Notice>}
      {dispute.data && (
        <p className="mt-2 max-h-80 overflow-y-auto rounded-md bg-sunken p-3 text-sm break-words whitespace-pre-line">
          {dispute.data.private?.deliverableContent ??
            "The deliverable is the contractor's document."}
        </p>
      )}
    </details>
  );
}

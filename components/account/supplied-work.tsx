"use client";

import { useState } from "react";
import { trpc } from "@/components/trpc";
import { Notice } from "@/components/ui/notice";
import { sayError } from "@/components/wallet/say-error";

/** The text that the contractor supplied in a dispute, loaded for its parties when they open it. */
export function SuppliedWork({ disputeId }: { disputeId: string }) {
  const [isOpen, setOpen] = useState(false);
  const dispute = trpc.disputes.get.useQuery({ disputeId }, { enabled: isOpen });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-sm text-muted">
        The contractor supplied what it delivered. The judge reviews that.
      </summary>
      {dispute.error && <Notice role="alert">{sayError(dispute.error)}</Notice>}
      {dispute.data && (
        <p className="mt-2 max-h-80 overflow-y-auto rounded-md bg-sunken p-3 text-sm break-words whitespace-pre-line">
          {dispute.data.private?.deliverableContent ??
            "It is the document that the contractor shows."}
        </p>
      )}
    </details>
  );
}

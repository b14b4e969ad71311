"use client";

import { formatDateTime } from "@/components/ui/format";
import type { Terms } from "@/server/agreements/schema";

/** Says to a party that is about to sign terms with an escrow when it is funded, and what a dispute can't return. */
export function EscrowNote({ payment, startBy }: Pick<Terms, "payment" | "startBy">) {
  if (payment !== "escrow") return null;
  return (
    <p className="text-sm text-muted">
      The client funds an escrow by {formatDateTime(startBy)}, and the verdict releases it. A
      dispute after release moves the score, not the money.
    </p>
  );
}

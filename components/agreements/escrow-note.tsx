"use client";

import { useNetwork } from "@/components/wallet/wallet-shell";

/** Says to a party that is about to sign what a dispute can't return, where escrows are decided. */
export function EscrowNote({ valueMicro }: { valueMicro: string }) {
  const { escrows } = useNetwork();
  if (valueMicro === "0" || !escrows) return null;
  return (
    <p className="text-sm text-muted">
      You can pay through an escrow that the verdict releases. A dispute after release moves the
      score, not the money.
    </p>
  );
}

"use client";

import { useCallback } from "react";
import { queryProcedure } from "@/components/query-procedure";
import { useRefresh } from "@/components/ui/use-refresh";
import type { Dispute } from "@/server/disputes/schema";

const POLL_MS = 5_000;

/** Keeps the page of a dispute current; `phase` is the one that it shows. */
export function FollowDispute({ disputeId, phase }: Pick<Dispute, "disputeId" | "phase">) {
  const fetchPhase = useCallback(
    async (signal: AbortSignal) =>
      (await queryProcedure("disputes.get", { disputeId }, signal)).phase,
    [disputeId],
  );
  const isCurrent = useRefresh(fetchPhase, phase, POLL_MS);
  return isCurrent
    ? "This page updates automatically."
    : "The service is not responding. This page keeps trying.";
}

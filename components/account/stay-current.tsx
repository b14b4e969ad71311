"use client";

import { useCallback } from "react";
import { LiveMark } from "@/components/network/list-heading";
import { trpc } from "@/components/trpc";
import { useRefresh } from "@/components/ui/use-refresh";
import { summarizeRecords } from "./own-records";

const POLL_MS = 3_000;

interface Props {
  wallet: string;
  /** Summary of the records that the page was rendered with. */
  shown: string;
}

/** Keeps an owner's page current with its records, and says when it isn't. */
export function StayCurrent({ wallet, shown }: Props) {
  const { client } = trpc.useUtils();
  const fetchSummary = useCallback(
    async (signal: AbortSignal) => {
      const records = await Promise.all([
        client.explorer.outcomes.query({ walletAddress: wallet }, { signal }),
        client.disputes.list.query({}, { signal }),
        client.agreements.list.query({}, { signal }),
      ]);
      return summarizeRecords(records, Date.now());
    },
    [client, wallet],
  );
  return useRefresh(fetchSummary, shown, POLL_MS) ? null : <LiveMark isLive={false} />;
}

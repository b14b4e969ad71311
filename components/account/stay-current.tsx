"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect } from "react";
import { LiveMark } from "@/components/network/list-heading";
import { trpc } from "@/components/trpc";
import { usePolling } from "@/components/ui/use-polling";
import { summarizeRecords } from "./own-records";

const POLL_MS = 3_000;

interface Props {
  wallet: string;
  /** Summary of the records that the page was rendered with. */
  shown: string;
}

/** Renders an owner's page again, in place, when its records change. Says whether it is current. */
export function StayCurrent({ wallet, shown }: Props) {
  const router = useRouter();
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
  const { data = shown, isError } = usePolling(fetchSummary, POLL_MS);
  useEffect(() => {
    if (data !== shown) router.refresh();
  }, [data, shown, router]);
  return <LiveMark isLive={!isError} />;
}

"use client";

import { useCallback } from "react";
import { queryProcedure } from "@/components/query-procedure";
import type { NetworkDisputes, NetworkDisputesInput } from "@/server/explorer/schema";
import { DisputeTable, getDisputeKey } from "./dispute-table";
import { LiveList, type LiveProps } from "./live-list";

/** Lists the newest disputes, polled while the page is visible; new rows are highlighted. */
export function LiveDisputes({
  input,
  children,
  ...rest
}: LiveProps<NetworkDisputes, NetworkDisputesInput>) {
  const fetchPage = useCallback(
    (signal: AbortSignal) => queryProcedure("explorer.networkDisputes", input, signal),
    [input],
  );
  return (
    <LiveList
      {...rest}
      title="Disputes"
      noun="dispute"
      arrival={["new dispute or result", "new disputes or results"]}
      filters={children}
      fetchPage={fetchPage}
      getKey={getDisputeKey}
    >
      {(disputes, fresh, now) => <DisputeTable disputes={disputes} fresh={fresh} now={now} />}
    </LiveList>
  );
}

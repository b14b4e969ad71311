"use client";

import { queryProcedure } from "@/components/query-procedure";
import type { NetworkDisputes, NetworkDisputesInput } from "@/server/explorer/schema";
import { DisputeTable, getDisputeKey } from "./dispute-table";
import { LiveList, type LiveProps } from "./live-list";

const fetchPage = (input: NetworkDisputesInput, signal: AbortSignal) =>
  queryProcedure("explorer.networkDisputes", input, signal);

/** Lists the newest disputes, polled while the page is visible; new rows are highlighted. */
export function LiveDisputes(props: LiveProps<NetworkDisputes, NetworkDisputesInput>) {
  return (
    <LiveList
      {...props}
      title="Disputes"
      noun="dispute"
      arrival={["new dispute or result", "new disputes or results"]}
      fetchPage={fetchPage}
      getKey={getDisputeKey}
      renderRows={(disputes, fresh, now) => (
        <DisputeTable disputes={disputes} fresh={fresh} now={now} />
      )}
    />
  );
}

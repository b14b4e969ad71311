"use client";

import { useCallback } from "react";
import { queryProcedure } from "@/components/query-procedure";
import type { NetworkOutcomes, NetworkOutcomesInput } from "@/server/explorer/schema";
import { LiveList, type LiveProps } from "./live-list";
import { getOutcomeKey, OutcomeTable } from "./outcome-table";

/** Lists the newest outcomes, polled while the page is visible; new rows are highlighted. */
export function LiveOutcomes({
  input,
  children,
  ...rest
}: LiveProps<NetworkOutcomes, NetworkOutcomesInput>) {
  const fetchPage = useCallback(
    (signal: AbortSignal) => queryProcedure("explorer.networkOutcomes", input, signal),
    [input],
  );
  return (
    <LiveList
      {...rest}
      title="Outcomes"
      noun="outcome"
      arrival={["new verdict or outcome", "new verdicts or outcomes"]}
      filters={children}
      fetchPage={fetchPage}
      getKey={getOutcomeKey}
    >
      {(outcomes, fresh, now) => <OutcomeTable outcomes={outcomes} fresh={fresh} now={now} />}
    </LiveList>
  );
}

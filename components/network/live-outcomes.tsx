"use client";

import { queryProcedure } from "@/components/query-procedure";
import type { NetworkOutcomes, NetworkOutcomesInput } from "@/server/explorer/schema";
import { LiveList, type LiveProps } from "./live-list";
import { getOutcomeKey, OutcomeTable } from "./outcome-table";

const fetchPage = (input: NetworkOutcomesInput, signal: AbortSignal) =>
  queryProcedure("explorer.networkOutcomes", input, signal);

/** Lists the newest outcomes, polled while the page is visible; new rows are highlighted. */
export function LiveOutcomes(props: LiveProps<NetworkOutcomes, NetworkOutcomesInput>) {
  return (
    <LiveList
      {...props}
      title="Outcomes"
      noun="outcome"
      arrival={["new verdict or outcome", "new verdicts or outcomes"]}
      fetchPage={fetchPage}
      getKey={getOutcomeKey}
      renderRows={(outcomes, fresh, now) => (
        <OutcomeTable outcomes={outcomes} fresh={fresh} now={now} />
      )}
    />
  );
}

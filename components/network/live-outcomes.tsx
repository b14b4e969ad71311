"use client";

import { type ReactNode, useCallback, useMemo } from "react";
import { queryProcedure } from "@/components/query-procedure";
import { formatCount } from "@/components/ui/format";
import { usePolling } from "@/components/ui/use-polling";
import type { NetworkOutcomes, NetworkOutcomesInput } from "@/server/explorer/schema";
import { describeTotal } from "./describe-total";
import { ListHeading } from "./list-heading";
import { getOutcomeKey, OutcomeTable } from "./outcome-table";
import { useNewKeys } from "./use-new-keys";

const POLL_MS = 5_000;

interface Props {
  /** The first page at render time, and the input that it is for. */
  initial: NetworkOutcomes;
  input: NetworkOutcomesInput;
  isFiltered: boolean;
  /** Render time, ISO 8601. */
  now: string;
  /** Filters. */
  children: ReactNode;
  /** Shown instead of an empty list. */
  empty: ReactNode;
}

/** Lists the newest outcomes, polled while the page is visible; new rows are highlighted. */
export function LiveOutcomes({ initial, input, isFiltered, now, children, empty }: Props) {
  const fetchPage = useCallback(
    (signal: AbortSignal) => queryProcedure("explorer.networkOutcomes", input, signal),
    [input],
  );
  const { data = initial, at = now, isError } = usePolling(fetchPage, POLL_MS);
  const fresh = useNewKeys(useMemo(() => data.content.map(getOutcomeKey), [data]));
  return (
    <>
      <ListHeading
        title="Outcomes"
        total={describeTotal(data, "outcome", isFiltered)}
        live={isError ? "reconnecting" : "live"}
      />
      {children}
      {data.content.length === 0 ? (
        empty
      ) : (
        <OutcomeTable outcomes={data.content} fresh={fresh} now={at} />
      )}
      <p aria-live="polite" className="sr-only">
        {fresh.size > 0 &&
          formatCount(fresh.size, "new verdict or outcome", "new verdicts or outcomes")}
      </p>
    </>
  );
}

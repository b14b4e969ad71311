"use client";

import { type ReactNode, useCallback, useMemo } from "react";
import { queryProcedure } from "@/components/query-procedure";
import { formatCount } from "@/components/ui/format";
import { usePolling } from "@/components/ui/use-polling";
import type { NetworkDisputes, NetworkDisputesInput } from "@/server/explorer/schema";
import { describeTotal } from "./describe-total";
import { DisputeTable, getDisputeKey } from "./dispute-table";
import { ListHeading } from "./list-heading";
import { useNewKeys } from "./use-new-keys";

const POLL_MS = 5_000;

interface Props {
  /** The first page at render time, and the input that it is for. */
  initial: NetworkDisputes;
  input: NetworkDisputesInput;
  isFiltered: boolean;
  /** Render time, ISO 8601. */
  now: string;
  /** Filters. */
  children: ReactNode;
  /** Shown instead of an empty list. */
  empty: ReactNode;
}

/** Lists the newest disputes, polled while the page is visible; new rows are highlighted. */
export function LiveDisputes({ initial, input, isFiltered, now, children, empty }: Props) {
  const fetchPage = useCallback(
    (signal: AbortSignal) => queryProcedure("explorer.networkDisputes", input, signal),
    [input],
  );
  const { data = initial, at = now, isError } = usePolling(fetchPage, POLL_MS);
  const fresh = useNewKeys(useMemo(() => data.content.map(getDisputeKey), [data]));
  return (
    <>
      <ListHeading
        title="Disputes"
        total={describeTotal(data, "dispute", isFiltered)}
        live={isError ? "reconnecting" : "live"}
      />
      {children}
      {data.content.length === 0 ? (
        empty
      ) : (
        <DisputeTable disputes={data.content} fresh={fresh} now={at} />
      )}
      <p aria-live="polite" className="sr-only">
        {fresh.size > 0 &&
          formatCount(fresh.size, "new dispute or result", "new disputes or results")}
      </p>
    </>
  );
}

"use client";

import { CounterpartyGraph } from "@/components/charts/counterparty-graph";
import type { PackedGraph } from "@/components/charts/packed-graph";
import { formatCount } from "@/components/ui/format";
import { CounterpartyTable } from "./counterparty-table";

interface Props {
  graph: PackedGraph;
  summary: string;
  /** Number of wallets that are not in the graph. */
  hidden: number;
}

/** Of fewer wallets, a graph shows nothing that the table doesn't. */
const MIN_DRAWN = 3;

/**
 * Shows the graph beside its table. A client component, because the markup of a server component is
 * sent twice; of this one, the second copy is only its props.
 */
export function CounterpartyPanel({ graph, summary, hidden }: Props) {
  const hasRing = graph.wallets.some(([, , mark]) => mark === "ring");
  return (
    <div className="grid grid-cols-1 items-start gap-x-8 gap-y-4 lg:grid-cols-[3fr_2fr]">
      <div className="min-w-0 overflow-hidden">
        <p>{summary}</p>
        {graph.wallets.length >= MIN_DRAWN && (
          <>
            <CounterpartyGraph graph={graph} />
            <p className="text-sm text-muted">
              Arrows follow the money.{" "}
              {hasRing && <span className="text-bad">Red: within the ring. </span>}
              Dashed: no payment proven.
            </p>
          </>
        )}
      </div>
      <div className="min-w-0">
        <CounterpartyTable graph={graph} />
        {hidden > 0 && (
          <p className="mt-2 text-sm text-muted">
            {formatCount(hidden, "more wallet")} with smaller payments.
          </p>
        )}
      </div>
    </div>
  );
}

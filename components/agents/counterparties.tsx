import { CounterpartyGraph } from "@/components/charts/counterparty-graph";
import { formatCount, formatPercent } from "@/components/ui/format";
import type {
  Counterparties as Clients,
  CounterpartyGraph as Graph,
} from "@/server/explorer/schema";
import { CounterpartyTable } from "./counterparty-table";

interface Props {
  clients: Clients;
  graph: Graph;
  wallet: string;
  /** Wallets that a risk names as members of a ring. */
  ring: readonly string[];
}

/** Shows who an agent works for and who it pays, as a graph and as a table. */
export function Counterparties({ clients, graph, wallet, ring }: Props) {
  if (graph.wallets.length === 0) return <p className="text-muted">No clients yet.</p>;
  const hidden = graph.total - graph.wallets.length;
  return (
    <div className="grid grid-cols-1 items-start gap-x-8 gap-y-4 lg:grid-cols-[3fr_2fr]">
      <div className="min-w-0 overflow-hidden">
        <p>{describeClients(clients)}</p>
        <CounterpartyGraph graph={graph} wallet={wallet} ring={ring} />
        <p className="text-sm text-muted">
          Arrows follow the money.{" "}
          {ring.length > 0 && <span className="text-bad">Red: within the ring. </span>}
          Dashed: no payment proven.
        </p>
      </div>
      <div className="min-w-0">
        <CounterpartyTable graph={graph} wallet={wallet} ring={ring} />
        {hidden > 0 && (
          <p className="mt-2 text-sm text-muted">
            {formatCount(hidden, "more wallet")} with smaller payments.
          </p>
        )}
      </div>
    </div>
  );
}

function describeClients({ requesters, outcomes, top: [largest] }: Clients): string {
  if (!largest) return "No clients yet; the agent only hired others.";
  return requesters === 1
    ? "All work came from one client, which limits the score."
    : `${requesters} clients; the largest had ${formatPercent(largest.outcomes / outcomes)} of outcomes.`;
}

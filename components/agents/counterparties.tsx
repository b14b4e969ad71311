import { packGraph } from "@/components/charts/packed-graph";
import { formatCount, formatPercent } from "@/components/ui/format";
import type {
  Counterparties as Clients,
  CounterpartyGraph as Graph,
} from "@/server/explorer/schema";
import { CounterpartyPanel } from "./counterparty-panel";

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
  return (
    <CounterpartyPanel
      graph={packGraph(graph, wallet, ring)}
      summary={describeClients(clients)}
      hidden={graph.total - graph.wallets.length}
    />
  );
}

function describeClients({ requesters, outcomes, top: [largest] }: Clients): string {
  if (!largest) return "No clients yet; the agent only hired others.";
  return requesters === 1
    ? "All work came from one client, which limits the score."
    : `${formatCount(requesters, "client")}; the largest had ${formatPercent(largest.outcomes / outcomes)} of outcomes.`;
}

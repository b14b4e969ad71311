import { packGraph } from "@/components/charts/packed-graph";
import { formatCount, formatPercent } from "@/components/ui/format";
import type {
  Counterparties as Clients,
  CounterpartyGraph as Graph,
} from "@/server/explorer/schema";
import { CounterpartyPanel } from "./counterparty-panel";

interface Props {
  clients: Clients;
  /** Number of clients with a paid or anchored job. */
  confirmed: number;
  graph: Graph;
  wallet: string;
  /** Wallets that a risk names as members of a ring. */
  ring: readonly string[];
}

/** Shows who an agent works for and who it pays, as a graph and as a table. */
export function Counterparties({ clients, confirmed, graph, wallet, ring }: Props) {
  if (graph.wallets.length === 0) return <p className="text-muted">No clients yet.</p>;
  return (
    <CounterpartyPanel
      graph={packGraph(graph, wallet, ring)}
      summary={describeClients(clients, confirmed)}
      hidden={graph.total - graph.wallets.length}
    />
  );
}

function describeClients(
  { requesters, outcomes, top: [largest] }: Clients,
  confirmed: number,
): string {
  if (!largest) return "No clients yet; the agent only hired others.";
  if (requesters === 1) return "All work came from one client, which limits the score.";
  const others = Math.max(0, requesters - confirmed);
  const rest =
    others > 0 ? `, and ${formatCount(others, "wallet")} without a payment or anchor` : "";
  return `${formatCount(confirmed, "client")}${rest}; the largest had ${formatPercent(largest.outcomes / outcomes)} of all jobs.`;
}

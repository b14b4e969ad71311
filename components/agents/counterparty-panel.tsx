"use client";

import { CounterpartyGraph } from "@/components/charts/counterparty-graph";
import { PartyLink } from "@/components/network/list-cells";
import { formatAmount, formatCount, formatPercent, formatUsdc } from "@/components/ui/format";
import { type Column, Table } from "@/components/ui/table";
import type { RiskFlag } from "@/server/explorer/risk/schema";
import type { Counterparties, CounterpartyGraph as Graph } from "@/server/explorer/schema";

interface Props {
  graph: Graph;
  wallet: string;
  /** The risk that names the members of a ring. */
  ring: RiskFlag | undefined;
  clients: Pick<Counterparties, "requesters" | "outcomes" | "top">;
  /** Number of clients that paid or are anchored. */
  confirmed: number;
}

/**
 * Shows who an agent works for and who it pays; a ring also as a graph. A client component, because the
 * markup of a server component is sent twice; of this one, the second copy is only its props.
 */
export function CounterpartyPanel({ graph, wallet, ring, clients, confirmed }: Props) {
  const hidden = graph.total - graph.wallets.length;
  if (graph.wallets.length === 0) return <p className="text-muted">No clients yet.</p>;
  return (
    <div className={`grid grid-cols-1 items-start gap-x-8 gap-y-4 ${ring ? "lg:grid-cols-2" : ""}`}>
      {ring ? (
        <div>
          <p className="font-medium text-bad">{ring.title}</p>
          <CounterpartyGraph graph={graph} wallet={wallet} ring={ring.wallets} />
          <p className="text-sm text-muted">Arrows follow the money; thicker ones carry more.</p>
        </div>
      ) : (
        <p>{describeClients(clients, confirmed, graph.total)}</p>
      )}
      <div className="min-w-0">
        <Rows graph={graph} wallet={wallet} ring={ring?.wallets} />
        {hidden > 0 && (
          <p className="mt-2 text-sm text-muted">
            {formatCount(hidden, "more wallet")} with smaller payments.
          </p>
        )}
      </div>
    </div>
  );
}

function describeClients(
  { requesters, outcomes, top: [largest] }: Props["clients"],
  confirmed: number,
  payees: number,
): string {
  if (!largest) return `${formatCount(payees, "payee")}, no clients: the agent only hired others.`;
  if (requesters === 1) return "All work came from one client, which limits the score.";
  const others = Math.max(0, requesters - confirmed);
  const rest = others > 0 ? `, ${formatAmount(others)} ${others === 1 ? "other" : "others"}` : "";
  return `${formatCount(confirmed, "paying client")}${rest}. The largest gave ${formatPercent(largest.outcomes / outcomes)} of the jobs.`;
}

const NUMBER = "py-1 pl-3 text-right whitespace-nowrap";

interface RowsProps extends Pick<Props, "graph" | "wallet"> {
  ring: readonly string[] | undefined;
}

/** Lists the wallets, numbered as in the graph, with the payments in both directions. */
function Rows({ graph: { wallets, edges }, wallet, ring }: RowsProps) {
  const find = (client: string, contractor: string) =>
    edges.find((edge) => edge.client === client && edge.contractor === contractor);
  const rows = wallets.map((party, n) => ({
    party,
    mark: ring?.includes(party.walletAddress)
      ? ("ring" as const)
      : party.isAnchor
        ? ("known" as const)
        : null,
    position: n + 1,
    paidIn: find(party.walletAddress, wallet),
    paidOut: find(wallet, party.walletAddress),
  }));
  type Row = (typeof rows)[number];
  const columns: Column<Row>[] = [
    ["#", "text-muted", ({ position }) => position],
    [
      "Wallet",
      "w-full pl-3",
      ({ party, mark }) => (
        <span className="flex flex-wrap gap-x-1.5 [&>a]:break-words [&>a]:hover:underline">
          <PartyLink party={party} />
          {mark && <span className={MARKS[mark]}>{mark}</span>}
        </span>
      ),
    ],
    [
      "Jobs",
      NUMBER,
      ({ paidIn, paidOut }) => formatAmount((paidIn?.jobs ?? 0) + (paidOut?.jobs ?? 0)),
    ],
    ...(["paidIn", "paidOut"] as const)
      .filter((direction) => rows.some((row) => row[direction]?.paidUsdc))
      .map(
        (direction): Column<Row> => [
          direction === "paidIn" ? "USDC in" : "USDC out",
          NUMBER,
          ({ [direction]: { paidUsdc = 0 } = {} }) =>
            paidUsdc > 0 ? formatUsdc(paidUsdc).replace(" USDC", "") : "–",
        ],
      ),
  ];
  return (
    <Table
      caption="Largest clients and payees"
      className="text-sm"
      rows={rows}
      columns={columns}
      headerColumn={1}
    />
  );
}

const MARKS = { ring: "text-bad", known: "text-good" };

"use client";

import { CounterpartyGraph } from "@/components/charts/counterparty-graph";
import { PartyLink } from "@/components/network/list-cells";
import { Fold } from "@/components/ui/fold";
import { formatAmount, formatCount, formatPercent } from "@/components/ui/format";
import { type Column, Table } from "@/components/ui/table";
import type { Counterparties, CounterpartyGraph as Graph } from "@/server/explorer/schema";

interface Props {
  graph: Graph;
  wallet: string;
  /** Of the agent. */
  name: string;
  /** Wallets that a risk names as members of a ring. */
  ring: readonly string[];
  clients: Pick<Counterparties, "requesters" | "outcomes" | "top">;
  /** Number of clients that paid or are anchored. */
  confirmed: number;
}

/** Of fewer wallets, a graph shows nothing that the table doesn't. */
const MIN_DRAWN = 3;
/** Rows shown at once; the others are folded. */
const SHOWN = 12;

/**
 * Shows who an agent works for and who it pays, as a graph and as a table. A client component, because the
 * markup of a server component is sent twice; of this one, the second copy is only its props.
 */
export function CounterpartyPanel({ clients, confirmed, ...props }: Props) {
  const { graph, ring } = props;
  const isDrawn = graph.wallets.length >= MIN_DRAWN;
  const rest = graph.wallets.length - SHOWN;
  const hidden = graph.total - graph.wallets.length;
  if (graph.wallets.length === 0) return <p className="text-muted">No clients yet.</p>;
  return (
    <div
      className={`grid grid-cols-1 items-start gap-x-8 gap-y-4 ${isDrawn ? "lg:grid-cols-[3fr_2fr]" : ""}`}
    >
      <div className="min-w-0 overflow-hidden">
        <p>{describeClients(clients, confirmed, graph.total)}</p>
        {isDrawn && (
          <>
            <CounterpartyGraph {...props} />
            <p className="text-sm text-muted">
              Arrows follow the money; thicker ones carry more.{" "}
              {hasPayees(props) && <span className="text-accent">Blue: paid by the agent. </span>}
              {ring.length > 0 && <span className="text-bad">Red: within the ring. </span>}
              Dashed: no payment proven.
            </p>
          </>
        )}
      </div>
      <div className="min-w-0">
        <Rows {...props} from={0} to={SHOWN} caption="Largest counterparties" />
        {rest > 0 && (
          <Fold summary={`Show ${rest} more`} className="mt-2">
            <Rows {...props} from={SHOWN} caption="Other counterparties in the graph" />
          </Fold>
        )}
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
  return `${formatCount(confirmed, "paying client")}${rest}; the one with the most jobs had ${formatPercent(largest.outcomes / outcomes)} of them.`;
}

interface RowsProps extends Pick<Props, "graph" | "wallet" | "ring"> {
  from: number;
  to?: number;
  caption: string;
}

const NUMBER = "py-1 pl-3 text-right whitespace-nowrap";

/** Lists the wallets of the graph by their numbers in it, with the payments in both directions. */
function Rows({ graph, wallet, ring, from, to, caption }: RowsProps) {
  const { wallets, edges } = graph;
  const find = (client: string, contractor: string) =>
    edges.find((edge) => edge.client === client && edge.contractor === contractor);
  const rows = wallets.slice(from, to).map(({ walletAddress, name, isAnchor }, n) => ({
    party: { walletAddress, name },
    mark: ring.includes(walletAddress) ? ("ring" as const) : isAnchor ? ("known" as const) : null,
    position: from + n + 1,
    paidIn: find(walletAddress, wallet),
    paidOut: find(wallet, walletAddress),
  }));
  const columns: Column<(typeof rows)[number]>[] = [
    ["#", "text-muted", ({ position }) => position],
    [
      "Wallet",
      "w-full pl-3",
      ({ party, mark }) => (
        <span className="flex gap-1.5 [&>a]:break-words [&>a]:hover:underline">
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
    ["USDC in", NUMBER, ({ paidIn }) => formatPaid(paidIn)],
    ["USDC out", NUMBER, ({ paidOut }) => formatPaid(paidOut)],
  ];
  return (
    <Table
      caption={caption}
      className="text-sm"
      rows={rows}
      // Else names have the room of the last column.
      columns={hasPayees({ graph, wallet }) ? columns : columns.slice(0, -1)}
      headerColumn={1}
    />
  );
}

const hasPayees = ({ graph, wallet }: Pick<Props, "graph" | "wallet">) =>
  graph.edges.some(({ client, paidUsdc }) => client === wallet && paidUsdc > 0);

const MARKS = { ring: "text-bad", known: "text-good" };

/** Formats USDC without cents. */
const formatPaid = ({ paidUsdc }: Partial<Graph["edges"][number]> = {}) =>
  paidUsdc ? formatAmount(Math.round(paidUsdc)) : "–";

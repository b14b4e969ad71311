"use client";

import Link from "next/link";
import { CounterpartyGraph } from "@/components/charts/counterparty-graph";
import type { PackedGraph, PackedWallet } from "@/components/charts/packed-graph";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatAmount, formatCount, shortenHex } from "@/components/ui/format";
import { type Column, Table } from "@/components/ui/table";

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
  const isDrawn = graph.wallets.length >= MIN_DRAWN;
  return (
    <div
      className={`grid grid-cols-1 items-start gap-x-8 gap-y-4 ${isDrawn ? "lg:grid-cols-[3fr_2fr]" : ""}`}
    >
      <div className="min-w-0 overflow-hidden">
        <p>{summary}</p>
        {isDrawn && (
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

/** Rows shown at once; the others are folded. */
const SHOWN = 12;

/** Lists the wallets of the graph by their numbers in it, with the payments in both directions. */
function CounterpartyTable({ graph }: { graph: PackedGraph }) {
  const rest = graph.wallets.length - SHOWN;
  return (
    <>
      <Rows graph={graph} from={0} to={SHOWN} caption="Largest counterparties" />
      {rest > 0 && (
        <details className="mt-1">
          <summary className="min-h-8 cursor-pointer py-1 text-sm text-muted">
            Show {rest} more
          </summary>
          <Rows graph={graph} from={SHOWN} caption="Other counterparties in the graph" />
        </details>
      )}
    </>
  );
}

interface RowsProps {
  graph: PackedGraph;
  from: number;
  to?: number;
  caption: string;
}

const NUMBER = "py-1 pl-3 text-right whitespace-nowrap";

function Rows({ graph: { wallets, arrows }, from, to, caption }: RowsProps) {
  const find = (client: number, contractor: number) =>
    arrows.find((arrow) => arrow[0] === client && arrow[1] === contractor) ?? [0, 0, 0, 0];
  const rows = wallets.slice(from, to).map((wallet, n) => {
    const position = from + n + 1;
    return { wallet, position, paidIn: find(position, 0), paidOut: find(0, position) };
  });
  // Else names have the room of the last column.
  const hasPayees = arrows.some(([client, , , paid]) => client === 0 && paid > 0);
  const columns: Column<(typeof rows)[number]>[] = [
    ["#", "text-muted", ({ position }) => position],
    ["Wallet", "w-full max-w-0 pl-3", ({ wallet }) => <WalletLink wallet={wallet} />],
    ["Jobs", NUMBER, ({ paidIn, paidOut }) => formatAmount(paidIn[2] + paidOut[2])],
    ["Paid in", NUMBER, ({ paidIn }) => formatPaid(paidIn[3])],
    ["Paid out", NUMBER, ({ paidOut }) => formatPaid(paidOut[3])],
  ];
  return (
    <Table
      caption={caption}
      className="text-sm"
      rows={rows}
      columns={hasPayees ? columns : columns.slice(0, -1)}
      headerColumn={1}
    />
  );
}

const MARKS = { ring: "text-bad", anchor: "text-good" };

function WalletLink({ wallet: [walletAddress, name, mark] }: { wallet: PackedWallet }) {
  return (
    // A long name leaves room for its mark.
    <span className="flex gap-1.5">
      <Link
        href={`/agents/${walletAddress}`}
        prefetch={false}
        className="truncate underline-offset-2 hover:underline"
      >
        {name ? <UntrustedText>{name}</UntrustedText> : shortenHex(walletAddress)}
      </Link>
      {mark && <span className={MARKS[mark]}>{mark}</span>}
    </span>
  );
}

/** Formats USDC without cents. */
const formatPaid = (usdc: number) => (usdc > 0 ? formatAmount(Math.round(usdc)) : "–");

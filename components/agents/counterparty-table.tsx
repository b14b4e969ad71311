import { formatAmount } from "@/components/ui/format";
import { type Column, Table } from "@/components/ui/table";
import type { CounterpartyGraph } from "@/server/explorer/schema";
import { AgentLink } from "./agent-link";

interface Props {
  graph: CounterpartyGraph;
  wallet: string;
  /** Wallets that a risk names as members of a ring. */
  ring: readonly string[];
}

/** Rows shown at once; the others are folded. */
const SHOWN = 8;

/** Lists the wallets of the graph by their numbers in it, with the payments in both directions. */
export function CounterpartyTable({ graph, wallet, ring }: Props) {
  const columns = createColumns({ graph, wallet, ring });
  const numbered = graph.wallets.map((own, index) => ({ ...own, number: index + 1 }));
  const rest = numbered.slice(SHOWN);
  return (
    <>
      <Table
        caption="Largest counterparties"
        className="text-sm"
        rows={numbered.slice(0, SHOWN)}
        columns={columns}
      />
      {rest.length > 0 && (
        <details className="mt-1">
          <summary className="min-h-8 cursor-pointer py-1 text-sm text-muted">
            Show {rest.length} more
          </summary>
          <Table
            caption="Other counterparties in the graph"
            className="text-sm"
            rows={rest}
            columns={columns}
          />
        </details>
      )}
    </>
  );
}

type NumberedWallet = CounterpartyGraph["wallets"][number] & { number: number };

function createColumns({ graph: { edges }, wallet, ring }: Props): Column<NumberedWallet>[] {
  const find = (client: string, contractor: string) =>
    edges.find((edge) => edge.client === client && edge.contractor === contractor);
  return [
    [
      "Wallet",
      "max-w-0 w-full py-1 text-left truncate",
      ({ walletAddress, name, isAnchor, number }) => (
        <>
          <span className="mr-2 inline-block w-5 text-right text-muted">{number}</span>
          <AgentLink wallet={walletAddress} name={name} className="underline-offset-2" />
          {isAnchor && <span className="text-good"> anchor</span>}
          {ring.includes(walletAddress) && <span className="text-bad"> ring</span>}
        </>
      ),
    ],
    [
      "Jobs",
      "py-1 pl-3 text-right",
      ({ walletAddress }) =>
        formatAmount(
          (find(walletAddress, wallet)?.jobs ?? 0) + (find(wallet, walletAddress)?.jobs ?? 0),
        ),
    ],
    [
      "Paid in",
      "py-1 pl-3 text-right whitespace-nowrap",
      ({ walletAddress }) => formatPaid(find(walletAddress, wallet)?.paidUsdc),
    ],
    [
      "Paid out",
      "py-1 pl-3 text-right whitespace-nowrap",
      ({ walletAddress }) => formatPaid(find(wallet, walletAddress)?.paidUsdc),
    ],
  ];
}

/** Formats USDC without cents. */
const formatPaid = (usdc = 0) => (usdc > 0 ? Math.round(usdc).toLocaleString("en") : "–");

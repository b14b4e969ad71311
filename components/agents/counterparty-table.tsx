import { formatAmount } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import type { CounterpartyGraph } from "@/server/explorer/schema";
import { AgentLink } from "./agent-link";

interface Props {
  graph: CounterpartyGraph;
  wallet: string;
  /** Wallets that a risk names as members of a ring. */
  ring: readonly string[];
}

/** Lists the wallets of the graph by their numbers in it, with the payments in both directions. */
export function CounterpartyTable({ graph: { wallets, edges }, wallet, ring }: Props) {
  const find = (client: string, contractor: string) =>
    edges.find((edge) => edge.client === client && edge.contractor === contractor);
  return (
    <Table
      caption="Wallets of the graph"
      className="text-sm"
      rows={wallets}
      columns={[
        [
          "Wallet",
          "max-w-0 w-full py-1 text-left truncate",
          ({ walletAddress, name, isAnchor }, index) => (
            <>
              <span className="mr-2 inline-block w-5 text-right text-muted">{index + 1}</span>
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
      ]}
    />
  );
}

const formatPaid = (usdc = 0) => (usdc > 0 ? Math.round(usdc).toLocaleString("en") : "–");

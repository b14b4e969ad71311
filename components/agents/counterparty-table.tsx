import Link from "next/link";
import type { PackedGraph, PackedWallet } from "@/components/charts/packed-graph";
import { ListHead } from "@/components/network/list-head";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatAmount, shortenHex } from "@/components/ui/format";
import styles from "./counterparty-table.module.css";

/** Rows shown at once; the others are folded. */
const SHOWN = 8;

/** Lists the wallets of the graph by their numbers in it, with the payments in both directions. */
export function CounterpartyTable({ graph }: { graph: PackedGraph }) {
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

const TITLES = ["#", "Wallet", "Jobs", "Paid in"];
/** Last column, if the agent paid any of the wallets: else names have its room. */
const PAID_OUT = "Paid out";

interface RowsProps {
  graph: PackedGraph;
  from: number;
  to?: number;
  caption: string;
}

function Rows({ graph: { wallets, arrows }, from, to, caption }: RowsProps) {
  const find = (client: number, contractor: number) =>
    arrows.find((arrow) => arrow[0] === client && arrow[1] === contractor) ?? [0, 0, 0, 0];
  const hasPayees = arrows.some(([client, , , paid]) => client === 0 && paid > 0);
  return (
    <table className={styles.table}>
      <caption className="sr-only">{caption}</caption>
      <ListHead titles={hasPayees ? [...TITLES, PAID_OUT] : TITLES} />
      <tbody>
        {wallets.slice(from, to).map((wallet, n) => {
          const position = from + n + 1;
          const [[, , jobsIn, paidIn], [, , jobsOut, paidOut]] = [
            find(position, 0),
            find(0, position),
          ];
          return (
            <tr key={wallet[0]}>
              <td>{position}</td>
              <th scope="row">
                <WalletLink wallet={wallet} />
              </th>
              <td>{formatAmount(jobsIn + jobsOut)}</td>
              <td>{formatPaid(paidIn)}</td>
              {hasPayees && <td>{formatPaid(paidOut)}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function WalletLink({ wallet: [walletAddress, name, mark] }: { wallet: PackedWallet }) {
  return (
    <div>
      <Link href={`/agents/${walletAddress}`} prefetch={false}>
        {name ? <UntrustedText>{name}</UntrustedText> : shortenHex(walletAddress)}
      </Link>{" "}
      {mark && <span className={styles[mark]}>{mark}</span>}
    </div>
  );
}

/** Formats USDC without cents. */
const formatPaid = (usdc: number) => (usdc > 0 ? formatAmount(Math.round(usdc)) : "–");

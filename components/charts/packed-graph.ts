import type { CounterpartyGraph } from "@/server/explorer/schema";

/** A graph for the browser: arrows refer to wallets by position, and the agent itself is 0. */
export interface PackedGraph {
  /** The wallets around the agent, from position 1. */
  wallets: PackedWallet[];
  arrows: [client: number, contractor: number, jobs: number, paidUsdc: number][];
}

export type PackedWallet = [
  walletAddress: string,
  /** Empty if the wallet isn't registered. */
  name: string,
  mark?: "anchor" | "ring",
];

/** Packs the graph of `wallet`; `ring` are wallets that a risk names as members of a ring. */
export function packGraph(
  { wallets, edges }: CounterpartyGraph,
  wallet: string,
  ring: readonly string[],
): PackedGraph {
  const positions = new Map(
    [wallet, ...wallets.map((own) => own.walletAddress)].map((own, n) => [own, n]),
  );
  return {
    wallets: wallets.map(({ walletAddress, name, isAnchor }) => {
      const mark = ring.includes(walletAddress) ? "ring" : isAnchor ? "anchor" : null;
      return mark ? [walletAddress, name ?? "", mark] : [walletAddress, name ?? ""];
    }),
    arrows: edges.flatMap(({ client, contractor, jobs, paidUsdc }) => {
      const [from, to] = [positions.get(client), positions.get(contractor)];
      return from === undefined || to === undefined ? [] : [[from, to, jobs, paidUsdc]];
    }),
  };
}

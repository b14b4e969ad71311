"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { cookieToInitialState, WagmiProvider } from "wagmi";
import { trpc } from "@/components/trpc";
import type { FurtherWallets } from "@/server/chain/schema";
import { type Network, WALLET_COOKIE } from "./network";
import { walletConfig } from "./wallet-config";

interface Props {
  network: Network;
  /** Ways to connect a wallet beside those in the browser. */
  further: FurtherWallets;
  /** Value of wagmi's own cookie: which wallet was connected. */
  connection: string | null;
  children: ReactNode;
}

const NetworkContext = createContext<Network | null>(null);

function Shell({ network, further, connection, children }: Props) {
  const [config] = useState(() => walletConfig(network, further));
  const [initial] = useState(() =>
    cookieToInitialState(config, connection && `${WALLET_COOKIE}=${connection}`),
  );
  return (
    <NetworkContext value={network}>
      <WagmiProvider config={config} initialState={initial}>
        {children}
      </WagmiProvider>
    </NetworkContext>
  );
}

/** The wallet and the API for whatever stands inside; only the owner's pages carry it. */
export const WalletShell = trpc.withTRPC(Shell) as typeof Shell;

/** The chain that verdicts are recorded on. */
export function useNetwork(): Network {
  const network = useContext(NetworkContext);
  if (!network) throw new Error("there is no WalletShell around this");
  return network;
}

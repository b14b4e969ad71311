import type { ReactNode } from "react";
import { WagmiContext } from "wagmi";
import { openWallets } from "./wallet-config";
import { useWalletSettings } from "./wallet-shell";

/** Provides the wallets' state. Imported dynamically, without rendering on the server. */
export function WalletProvider({ children }: { children: ReactNode }) {
  const settings = useWalletSettings();
  return <WagmiContext value={openWallets(settings)}>{children}</WagmiContext>;
}

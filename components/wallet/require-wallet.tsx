import type { ReactNode } from "react";
import { useConnection } from "wagmi";
import { shortenHex } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { ChooseWallet } from "./choose-wallet";
import { OpeningWallet } from "./opening-wallet";
import { WalletProvider } from "./wallet-config";

interface Props {
  /** Account that the wallet must have selected. */
  wallet: string;
  /** What it is needed for, such as "pay". */
  purpose: string;
  children: ReactNode;
}

/** Renders `children` once the wallet is connected; before that, what its owner must do. */
export function RequireWallet(props: Props) {
  return (
    <WalletProvider>
      <Connection {...props} />
    </WalletProvider>
  );
}

function Connection({ wallet, purpose, children }: Props) {
  const { address, status } = useConnection();
  if (status === "connecting" || status === "reconnecting") return <OpeningWallet />;
  if (status !== "connected") {
    return (
      <div className="grid gap-2">
        <p>Connect the wallet you signed in with to {purpose}.</p>
        <ChooseWallet />
      </div>
    );
  }
  if (address !== wallet) {
    return (
      <Notice role="status" title="Your wallet shows another account">
        Select {shortenHex(wallet)} in your wallet; it is on {shortenHex(address)}.
      </Notice>
    );
  }
  return children;
}

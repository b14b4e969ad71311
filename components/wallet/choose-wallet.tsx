"use client";

import { type Connector, useConnect } from "wagmi";
import { Notice } from "@/components/ui/notice";
import { NoWallet } from "./no-wallet";
import { sayError } from "./say-error";
import { usePairing } from "./use-pairing";
import { useWallets } from "./use-wallets";
import { WaitingForWallet } from "./waiting-for-wallet";
import { WalletButton } from "./wallet-button";

/** The wallets that there are to connect, each a button; what to do where there is none. */
export function ChooseWallet() {
  const wallets = useWallets();
  const { mutate: connect, reset, isPending, variables, error } = useConnect();
  const pairing = usePairing(wallets?.further.find(({ id }) => id === "walletConnect"));
  if (wallets === null) {
    return (
      <p role="status" className="text-muted">
        Looking for your wallet…
      </p>
    );
  }
  const { own, further } = wallets;
  const asked = isPending ? (variables?.connector as Connector) : null;
  return (
    <div className="grid gap-3">
      <ul className="grid gap-2">
        {[...own, ...further].map((connector) => (
          <li key={connector.uid}>
            <WalletButton
              connector={connector}
              busy={asked?.uid === connector.uid}
              onChoose={() => {
                // Each try has a code of its own.
                pairing.forget();
                connect({ connector });
              }}
            />
          </li>
        ))}
      </ul>
      {asked && <WaitingForWallet connector={asked} uri={pairing.uri} onCancel={reset} />}
      {error && <Notice role="alert">{sayError(error)}</Notice>}
      {own.length === 0 && !asked && <NoWallet hasFurther={further.length > 0} />}
    </div>
  );
}

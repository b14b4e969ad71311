"use client";

import { lazy, Suspense } from "react";
import type { Connector } from "wagmi";
import { Button } from "@/components/ui/button";

const PairingCode = lazy(() => import("./pairing-code"));

interface Props {
  connector: Connector;
  /** WalletConnect's pairing URI; null until known and for other wallets. */
  uri: string | null;
  onCancel: () => void;
}

/** Explains what to do while a wallet is connecting, with a cancel button. */
export function WaitingForWallet({ connector, uri, onCancel }: Props) {
  return (
    <div className="grid gap-4 rounded-md bg-sunken p-4 text-sm">
      <div role="status">
        {connector.id === "walletConnect" ? (
          uri === null ? (
            "Requesting a code…"
          ) : (
            <Suspense fallback="Loading the code…">
              <PairingCode uri={uri} />
            </Suspense>
          )
        ) : (
          <p>{connector.id === "baseAccount" ? WINDOW : EXTENSION}</p>
        )}
      </div>
      <div>
        <Button small onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

const EXTENSION =
  "Continue in your wallet's window. If you see none, open it from the browser toolbar. If it is locked, unlock it first.";
const WINDOW =
  "Continue in the Base Account window. If none opens, allow pop-ups, cancel and try again.";

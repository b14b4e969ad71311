"use client";

import { lazy, Suspense } from "react";
import type { Connector } from "wagmi";
import { Button } from "@/components/ui/button";

const PairingCode = lazy(() => import("./pairing-code"));

interface Props {
  connector: Connector;
  /** What WalletConnect pairs by; null before it is there, and for others. */
  uri: string | null;
  onCancel: () => void;
}

/** What to do while a wallet is asked to connect, and the way out of it. */
export function WaitingForWallet({ connector, uri, onCancel }: Props) {
  return (
    <div className="grid gap-4 rounded-md bg-sunken p-4 text-sm">
      <div role="status">
        {connector.id === "walletConnect" ? (
          uri === null ? (
            "Asking WalletConnect for a code…"
          ) : (
            <Suspense fallback="Drawing the code…">
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
  "Your wallet asks you in a window of its own. If you see none, open it by its icon in the browser's toolbar. If it is locked, unlock it first.";
const WINDOW =
  "Go on in the window of Base Account that opens. If none does, let this page open windows, cancel here and try again.";

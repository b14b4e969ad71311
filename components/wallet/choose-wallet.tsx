"use client";

import { lazy, Suspense } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "./error-notice";
import { useConnectWallet } from "./use-connect-wallet";
import { listOptionalWallets, useBrowserWallets, type Wallet } from "./use-wallets";
import { WalletButton } from "./wallet-button";
import { useWalletSettings } from "./wallet-shell";

/** Lists the available wallets to connect, and explains how to get one. */
export function ChooseWallet({ onConnected }: { onConnected?: () => void }) {
  const { optionalWallets } = useWalletSettings();
  const inBrowser = useBrowserWallets();
  const optional = listOptionalWallets(optionalWallets);
  const { connect, cancel, attempt, error } = useConnectWallet(onConnected);
  const wallets = [...(inBrowser ?? []), ...optional];
  return (
    <div className="grid gap-3">
      {!inBrowser?.length && (
        // As high as a wallet, so that nothing moves when one announces itself.
        <p
          role="status"
          className="flex min-h-10.5 items-center rounded-md border border-dashed border-line px-4 text-muted"
        >
          {inBrowser ? "No wallet found in this browser" : "Looking for your wallet…"}
        </p>
      )}
      {wallets.length > 0 && (
        <ul className="grid gap-2">
          {wallets.map((wallet) => (
            <li key={wallet.id}>
              <WalletButton
                wallet={wallet}
                busy={attempt?.wallet.id === wallet.id}
                onChoose={() => connect(wallet)}
              />
            </li>
          ))}
        </ul>
      )}
      {attempt && <WaitingForWallet {...attempt} onCancel={cancel} />}
      <ErrorNotice error={error} />
      <Help />
    </div>
  );
}

function Help() {
  return (
    <p className="text-sm text-muted">
      No wallet yet?{" "}
      <a
        href="https://ethereum.org/wallets/find-wallet/"
        rel="noreferrer"
        className="underline underline-offset-2"
      >
        Find one
      </a>{" "}
      for this browser, then reload, or open this page in a wallet app. Agents can also register
      themselves: <code>POST /api/v1/agents/register</code>.
    </p>
  );
}

const PairingCode = lazy(() => import("./pairing-code"));

interface WaitingProps {
  wallet: Wallet;
  pairingUri: string | null;
  onCancel: () => void;
}

/** Explains what to do while a wallet is connecting, with a cancel button. */
function WaitingForWallet({ wallet: { id }, pairingUri, onCancel }: WaitingProps) {
  return (
    <div className="grid gap-4 rounded-md bg-sunken p-4 text-sm">
      <div role="status">
        {id === "walletConnect" ? (
          pairingUri === null ? (
            "Requesting a code…"
          ) : (
            <Suspense fallback="Loading the code…">
              <PairingCode uri={pairingUri} />
            </Suspense>
          )
        ) : (
          <p>{id === "baseAccount" ? CONTINUE_IN_WINDOW : CONTINUE_IN_EXTENSION}</p>
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

const CONTINUE_IN_EXTENSION =
  "Continue in your wallet's window. If you see none, open it from the browser toolbar. If it is locked, unlock it first.";
const CONTINUE_IN_WINDOW =
  "Continue in the Base Account window. If none opens, allow pop-ups, cancel and try again.";

"use client";

import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { FullLink } from "@/components/ui/text-link";
import { ErrorNotice } from "./error-notice";
import { listOptionalWallets, useBrowserWallets, type Wallet } from "./use-wallets";
import { useWalletSettings } from "./wallet-shell";

/** Lists the available wallets to connect, and explains how to get one. */
export function ChooseWallet({ onConnected }: { onConnected?: () => void }) {
  const { optionalWallets } = useWalletSettings();
  const inBrowser = useBrowserWallets();
  const optional = listOptionalWallets(optionalWallets);
  const {
    mutate: connect,
    reset,
    variables,
    isPending,
    error,
    pairingUri,
  } = useConnectWallet(onConnected);
  const chosen = isPending ? variables : null;
  const wallets = [...(inBrowser ?? []), ...optional];
  return (
    <div className="grid gap-3">
      {!inBrowser?.length && (
        // As high as a wallet, so that nothing moves when one announces itself.
        <p role="status" className="flex min-h-10.5 items-center">
          {inBrowser ? "No wallet found in this browser" : "Looking for your wallet…"}
        </p>
      )}
      {wallets.length > 0 && (
        <ul className="grid gap-2">
          {wallets.map((wallet) => (
            <li key={wallet.id}>
              <WalletButton
                wallet={wallet}
                busy={chosen?.id === wallet.id}
                onChoose={() => connect(wallet)}
              />
            </li>
          ))}
        </ul>
      )}
      {chosen && <WaitingForWallet wallet={chosen} pairingUri={pairingUri} onCancel={reset} />}
      <ErrorNotice error={error} />
      {!inBrowser?.length && <Help />}
    </div>
  );
}

function Help() {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <FullLink href="https://ethereum.org/wallets/find-wallet/" rel="noreferrer">
        Get a wallet
      </FullLink>
      <Button small onClick={() => location.reload()}>
        I have one now: reload
      </Button>
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

interface Props {
  wallet: Wallet;
  busy: boolean;
  onChoose: () => void;
}

/** Renders the button that connects a wallet, with name and icon. */
function WalletButton({ wallet, busy, onChoose }: Props) {
  const { name, icon, hint } = wallet;
  return (
    <Button className="w-full" busy={busy} onClick={onChoose}>
      <span className="flex items-center gap-3 text-left">
        <WalletIcon icon={icon} />
        <span className="min-w-0">
          {name}
          {hint && <span className="block text-sm font-normal text-muted">{hint}</span>}
        </span>
        <span className="ml-auto shrink-0 text-sm font-normal text-muted">
          {busy ? "Waiting…" : "Connect"}
        </span>
      </span>
    </Button>
  );
}

const WALLET_ICON =
  "M5.5 6h13A2.5 2.5 0 0 1 21 8.5v8a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 16.5v-8A2.5 2.5 0 0 1 5.5 6zM14.5 12.5H21";

/** Shows the icon that a wallet announces as a data URI (EIP-6963); fetches nothing. */
function WalletIcon({ icon }: Pick<Wallet, "icon">) {
  const uri = icon?.trim();
  if (uri?.startsWith("data:image/")) {
    // biome-ignore lint/performance/noImgElement: a data URI has nothing to optimise
    return <img src={uri} alt="" className="size-6 shrink-0 rounded" />;
  }
  return <Icon path={WALLET_ICON} className="size-6 shrink-0 text-muted" box={24} />;
}

/** Connects wallets, one attempt at a time; the wallet libraries load with the first. */
function useConnectWallet(onConnected: (() => void) | undefined) {
  const settings = useWalletSettings();
  /** Of WalletConnect; null until known and for other wallets. */
  const [pairingUri, setPairingUri] = useState<string | null>(null);
  const connecting = useMutation({
    networkMode: "always",
    mutationFn: async ({ id }: Wallet) => {
      setPairingUri(null);
      // Loads the next step too: without a connection, it could not be shown afterwards.
      const [{ connectWallet }] = await Promise.all([
        import("./connect-wallet"),
        import("./connected-wallet"),
      ]);
      await connectWallet(settings, id, setPairingUri);
    },
    // Also after a cancelled attempt: the wallet is connected all the same.
    onSuccess: () => onConnected?.(),
  });
  return { ...connecting, pairingUri };
}

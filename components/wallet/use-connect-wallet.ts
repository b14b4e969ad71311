"use client";

import { useRef, useState } from "react";
import type { Wallet } from "./use-wallets";
import { useWalletSettings } from "./wallet-shell";

interface Attempt {
  wallet: Wallet;
  /** WalletConnect's pairing URI; null until known and for other wallets. */
  pairingUri: string | null;
}

/** Connects wallets, one attempt at a time; the wallet libraries load with the first. */
export function useConnectWallet(onConnected: (() => void) | undefined) {
  const settings = useWalletSettings();
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const [error, setError] = useState<unknown>(null);
  const latest = useRef(0);

  async function connect(wallet: Wallet) {
    const number = ++latest.current;
    const isLatest = () => number === latest.current;
    setError(null);
    setAttempt({ wallet, pairingUri: null });
    try {
      // Loads the next step too: without a connection, it could not be shown afterwards.
      const [{ connectWallet }] = await Promise.all([
        import("./connect-wallet"),
        import("./connected-wallet"),
      ]);
      await connectWallet(settings, wallet.id, (pairingUri) => {
        if (isLatest()) setAttempt({ wallet, pairingUri });
      });
      // Also after a cancelled attempt: the wallet is connected all the same.
      onConnected?.();
    } catch (reason) {
      if (isLatest()) setError(reason);
    }
    if (isLatest()) setAttempt(null);
  }

  function cancel() {
    latest.current += 1;
    setAttempt(null);
  }

  return { connect, cancel, attempt, error };
}

"use client";

import { useEffect, useState } from "react";
import type { WalletConnectors } from "@/server/chain/schema";

/** A wallet to choose. */
export interface Wallet {
  /** ID of its connector; of an announced wallet the reverse domain name. */
  id: string;
  name: string;
  /** Data URI. */
  icon?: string;
  hint?: string;
}

/** Wallets announce themselves immediately (EIP-6963); after this long there are none. */
const ANNOUNCE_TIMEOUT_MS = 400;

/**
 * Returns the browser's wallets: announced ones (EIP-6963), else `window.ethereum`; null until it is
 * known whether there are any.
 */
export function useBrowserWallets(): Wallet[] | null {
  const [announced, setAnnounced] = useState<Wallet[]>([]);
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), ANNOUNCE_TIMEOUT_MS);
    const onAnnounced = (event: Event) => {
      const { rdns: id, name, icon } = (event as AnnounceEvent).detail.info;
      setAnnounced((before) => [...before.filter((one) => one.id !== id), { id, name, icon }]);
    };
    window.addEventListener("eip6963:announceProvider", onAnnounced);
    window.dispatchEvent(new Event("eip6963:requestProvider"));
    return () => {
      clearTimeout(timer);
      window.removeEventListener("eip6963:announceProvider", onAnnounced);
    };
  }, []);
  if (announced.length > 0) return announced;
  if (!waited) return null;
  return "ethereum" in window ? [{ id: "injected", name: "Browser wallet" }] : [];
}

type AnnounceEvent = CustomEvent<{ info: { rdns: string; name: string; icon: string } }>;

const WALLET_CONNECT = { name: "WalletConnect", hint: "Wallet app on your phone" };
const BASE_ACCOUNT = { name: "Base Account", hint: "Use a passkey; no wallet needed" };

/** Returns the configured wallets outside the browser. */
export const listOptionalWallets = (configured: WalletConnectors): Wallet[] => [
  ...(configured.walletConnectProjectId ? [{ id: "walletConnect", ...WALLET_CONNECT }] : []),
  ...(configured.baseAccount ? [{ id: "baseAccount", ...BASE_ACCOUNT }] : []),
];

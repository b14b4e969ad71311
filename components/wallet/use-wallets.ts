"use client";

import { useEffect, useState } from "react";
import { type Connector, useConnectors } from "wagmi";

/** Wallets answer EIP-6963's question at once; after this long there is none. */
const ANSWERED_WITHIN_MS = 400;

interface Wallets {
  /**
   * Those of this browser: what announces itself (EIP-6963), else whatever stands at
   * `window.ethereum`.
   */
  own: Connector[];
  /** The configured ways to others. */
  further: Connector[];
}

/** The wallets to choose from; null while it is not known yet whether this browser has any. */
export function useWallets(): Wallets | null {
  const connectors = useConnectors();
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), ANSWERED_WITHIN_MS);
    return () => clearTimeout(timer);
  }, []);
  const injected = connectors.filter(({ type }) => type === "injected");
  const further = connectors.filter(({ type }) => type !== "injected");
  const announced = injected.filter(({ id }) => id !== "injected");
  if (announced.length > 0) return { own: announced, further };
  if (!waited) return null;
  return { own: "ethereum" in window ? injected : [], further };
}

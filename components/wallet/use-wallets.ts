"use client";

import { useEffect, useState } from "react";
import { type Connector, useConnectors } from "wagmi";

/** Wallets answer EIP-6963's question at once; after this long there is none. */
const ANSWERED_WITHIN_MS = 400;

/**
 * The wallets of this browser: those that announce themselves (EIP-6963), else whatever stands at
 * `window.ethereum`. Null while it is not known yet.
 */
export function useWallets(): Connector[] | null {
  const connectors = useConnectors();
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), ANSWERED_WITHIN_MS);
    return () => clearTimeout(timer);
  }, []);
  const announced = connectors.filter(({ id }) => id !== "injected");
  if (announced.length > 0) return announced;
  if (!waited) return null;
  return "ethereum" in window ? [...connectors] : [];
}

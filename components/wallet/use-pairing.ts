"use client";

import { useEffect, useState } from "react";
import type { Connector } from "wagmi";

/** The link that WalletConnect pairs a wallet app by, once there is one, until it is forgotten. */
export function usePairing(connector: Connector | undefined) {
  const [uri, setUri] = useState<string | null>(null);
  useEffect(() => {
    if (!connector) return;
    const hear = ({ type, data }: { type: string; data?: unknown }) => {
      if (type === "display_uri" && typeof data === "string") setUri(data);
    };
    connector.emitter.on("message", hear);
    return () => connector.emitter.off("message", hear);
  }, [connector]);
  return { uri, forget: () => setUri(null) };
}

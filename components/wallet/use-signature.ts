"use client";

import type { TypedData } from "./signing-wallet";
import { useWalletSettings } from "./wallet-shell";

/** Returns a function that has the account `wallet` sign; the wallet libraries load with its first call. */
export function useSignature(wallet: string): (typedData: TypedData) => Promise<string> {
  const settings = useWalletSettings();
  return async (typedData) => {
    const { openWallets, signWith } = await import("./signing-wallet");
    return signWith(openWallets(settings), settings.network, wallet, typedData);
  };
}

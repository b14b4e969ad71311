"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { trpc } from "@/components/trpc";
import type { WalletConnectors } from "@/server/chain/schema";
import type { Network } from "./network";

/** What connecting a wallet needs to know. */
export interface WalletSettings {
  network: Network;
  /** Configured wallets outside the browser. */
  optionalWallets: WalletConnectors;
  /** Whether a wallet was connected on an earlier visit. */
  hasConnection: boolean;
  /** Whether the browser may have a session that the page's request did not show. */
  mayHaveSession?: boolean;
}

const SettingsContext = createContext<WalletSettings | null>(null);

/** Of a mutation that changes nothing that the page shows, or whose caller renders it again later. */
export const KEEPS_PAGE = { meta: { keepsPage: true } };

/** Renders the page again, in place, after each mutation of the API, except those with `KEEPS_PAGE`. */
function useRefreshAfterMutations() {
  const router = useRouter();
  const mutations = useQueryClient().getMutationCache();
  useEffect(
    () =>
      mutations.subscribe(({ type, mutation, ...event }) => {
        const { mutationKey, meta } = mutation?.options ?? {};
        const isDone = type === "updated" && "action" in event && event.action.type === "success";
        if (isDone && mutationKey && !meta?.keepsPage) router.refresh();
      }),
    [mutations, router],
  );
}

function Shell({ children, ...settings }: WalletSettings & { children: ReactNode }) {
  useRefreshAfterMutations();
  return <SettingsContext value={settings}>{children}</SettingsContext>;
}

/** Provides API and settings to owner pages. The wallet libraries load once a wallet is used. */
export const WalletShell = trpc.withTRPC(Shell) as typeof Shell;

/** Returns the settings of wallets. Throws outside of `WalletShell`. */
export function useWalletSettings(): WalletSettings {
  const settings = useContext(SettingsContext);
  if (!settings) throw new Error("useWalletSettings requires a WalletShell");
  return settings;
}

/** Returns the registry's chain. Throws outside of `WalletShell`. */
export const useNetwork = (): Network => useWalletSettings().network;

"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { trpc } from "@/components/trpc";
import { Panel } from "@/components/ui/panel";
import { ChooseWallet } from "./choose-wallet";
import { OpeningWallet } from "./opening-wallet";
import { useWalletSettings } from "./wallet-shell";

/** Connects a wallet and signs in with it, then refreshes the page. */
export function SignIn() {
  const router = useRouter();
  const { hasConnection } = useWalletSettings();
  const [isConnected, setConnected] = useState(hasConnection);
  useExistingSession(() => router.refresh());
  return isConnected ? (
    <Panel title="Sign in with your wallet">
      <ConnectedWallet onDisconnected={() => setConnected(false)} />
    </Panel>
  ) : (
    <Panel title="Connect your wallet">
      <ChooseWallet onConnected={() => setConnected(true)} />
    </Panel>
  );
}

const ConnectedWallet = dynamic(() => import("./connected-wallet"), {
  ssr: false,
  loading: () => <OpeningWallet size="min-h-30" />,
});

/**
 * Calls `onSession` if the browser has a session already. The server can't see it when the page is
 * opened from another site's link, because that request omits the SameSite cookie.
 */
function useExistingSession(onSession: () => void) {
  const { mayHaveSession: enabled } = useWalletSettings();
  const me = trpc.agents.account.me.useQuery(undefined, { retry: false, enabled });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the response arrives
  useEffect(() => {
    if (me.isSuccess) onSession();
  }, [me.isSuccess]);
}

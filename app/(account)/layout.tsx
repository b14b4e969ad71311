import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { hasConnection, WALLET_COOKIE } from "@/components/wallet/network";
import { WalletShell } from "@/components/wallet/wallet-shell";
import { getPageApi } from "@/server/pages/page-api";

export const dynamic = "force-dynamic";

export default async function AccountLayout({ children }: { children: ReactNode }) {
  const api = await getPageApi();
  const [network, optionalWallets] = await Promise.all([
    api.network.get(),
    api.network.furtherWallets(),
  ]);
  const connection = (await cookies()).get(WALLET_COOKIE)?.value;
  // A request from another site omits the session cookie; browsers say so.
  const from = (await headers()).get("sec-fetch-site");
  return (
    <WalletShell
      network={network}
      optionalWallets={optionalWallets}
      hasConnection={hasConnection(connection)}
      mayHaveSession={from === null || from === "cross-site"}
    >
      {children}
    </WalletShell>
  );
}

import type { ReactNode } from "react";
import type { Config } from "wagmi";
import { signTypedData } from "wagmi/actions";
import type { Network } from "./network";
import { requireAccount } from "./require-account";
import { RequireWallet } from "./require-wallet";
import { SwitchNetwork } from "./switch-network";

export { openWallets } from "./wallet-config";

/** EIP-712 typed data as the API returns it: numbers as decimal text. */
export interface TypedData {
  domain: { name: string; version: string; chainId: number; verifyingContract: string };
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, string>;
}

/** Renders `children` once the account `wallet` can sign; before that, what its owner must do. */
export function SigningWallet({ wallet, children }: { wallet: string; children: ReactNode }) {
  return (
    <RequireWallet wallet={wallet} purpose="sign">
      <SwitchNetwork purpose="Agreements are signed for" />
      {children}
    </RequireWallet>
  );
}

/** Has the account `wallet` sign typed data. Throws wallet errors and `WalletError`. */
export async function signWith(
  config: Config,
  network: Network,
  wallet: string,
  typedData: TypedData,
): Promise<string> {
  await requireAccount(config, network, wallet);
  return signTypedData(config, { ...typedData, account: wallet } as never);
}

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

/** Shows what keeps the account `wallet` from signing; nothing if it can. */
export function SigningWallet({ wallet }: { wallet: string }) {
  return (
    <RequireWallet wallet={wallet} purpose="sign">
      <SwitchNetwork purpose="Agreements are signed for" />
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

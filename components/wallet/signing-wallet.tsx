import type { Config } from "wagmi";
import { signTypedData } from "wagmi/actions";
import type { Network } from "./network";
import { requireAccount } from "./require-account";

export { RequireWallet } from "./require-wallet";
export { openWallets } from "./wallet-config";

/** EIP-712 typed data as the API returns it: numbers as decimal text. */
export interface TypedData {
  domain: { name: string; version: string; chainId: number; verifyingContract: string };
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, string>;
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

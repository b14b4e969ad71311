import { createPublicClient, createWalletClient, type Hex, http, parseAbi } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { fundWallet } from "./owner";

/** Funds the wallet, pays a stake from it, and returns the mined transaction's hash. */
export async function payStake(
  baseURL: string | undefined,
  account: PrivateKeyAccount,
): Promise<Hex> {
  await fundWallet(baseURL, account.address);
  const network = await (await fetch(`${baseURL}/api/v1/network`)).json();
  const transport = http(network.rpcUrl);
  const hash = await createWalletClient({ account, chain: foundry, transport }).writeContract({
    address: network.usdcAddress,
    abi: parseAbi(["function transfer(address to, uint256 amount)"]),
    functionName: "transfer",
    args: [network.stakeAddress, 500_000n],
  });
  await createPublicClient({ chain: foundry, transport }).waitForTransactionReceipt({ hash });
  return hash;
}

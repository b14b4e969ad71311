import {
  type Address,
  createTestClient,
  encodeFunctionData,
  http,
  parseAbi,
  publicActions,
  walletActions,
} from "viem";
import type { Network } from "./network";
import { toChain } from "./wallet-config";

/** Sends a wallet 1 ether and 100 test USDC on the local chain. */
export async function fundTestWallet(network: Network, wallet: string): Promise<void> {
  const account = wallet as Address;
  const node = createTestClient({
    chain: toChain(network),
    mode: "anvil",
    transport: http(network.rpcUrl),
    pollingInterval: 200,
  })
    .extend(publicActions)
    .extend(walletActions);
  await node.setBalance({ address: account, value: 10n ** 18n });
  await node.impersonateAccount({ address: account });
  const hash = await node.sendTransaction({
    account,
    to: network.usdcAddress as Address,
    data: encodeFunctionData({
      abi: parseAbi(["function mint(address to, uint256 amount)"]),
      args: [account, 100_000_000n],
    }),
  });
  await node.waitForTransactionReceipt({ hash });
  await node.stopImpersonatingAccount({ address: account });
}

import {
  createTestClient,
  erc20Abi,
  type Hex,
  http,
  parseAbi,
  publicActions,
  walletActions,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";

type BaseUrl = string | undefined;

interface Network {
  rpcUrl: string;
  usdcAddress: Hex;
  stakeAddress: Hex;
}

export async function fetchNetwork(baseURL: BaseUrl): Promise<Network> {
  return (await fetch(`${baseURL}/api/v1/network`)).json();
}

async function connect(baseURL: BaseUrl) {
  const { rpcUrl, usdcAddress, stakeAddress } = await fetchNetwork(baseURL);
  const node = createTestClient({ chain: foundry, mode: "anvil", transport: http(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions);
  return { node, usdcAddress, stakeAddress };
}

/** Funds a wallet with 1 ether and 10 test USDC on the local chain. */
export async function fundWallet(baseURL: BaseUrl, address: Hex): Promise<void> {
  const { node, usdcAddress } = await connect(baseURL);
  const minter = privateKeyToAccount(generatePrivateKey());
  for (const funded of [address, minter.address]) {
    await node.setBalance({ address: funded, value: 10n ** 18n });
  }
  await node.writeContract({
    account: minter,
    address: usdcAddress,
    abi: parseAbi(["function mint(address to, uint256 amount)"]),
    functionName: "mint",
    args: [address, 10_000_000n],
  });
}

/** Leaves a wallet without ether to pay gas with. */
export async function takeEther(baseURL: BaseUrl, address: Hex): Promise<void> {
  const { node } = await connect(baseURL);
  await node.setBalance({ address, value: 0n });
}

/** Funds the wallet, pays a stake from it, and returns the mined transaction's hash. */
export async function payStake(baseURL: BaseUrl, account: PrivateKeyAccount): Promise<Hex> {
  await fundWallet(baseURL, account.address);
  const { stakeAddress } = await fetchNetwork(baseURL);
  return sendUsdc(baseURL, account, stakeAddress, 500_000n);
}

/** Sends USDC, in millionths, and returns the mined transaction's hash. */
export async function sendUsdc(
  baseURL: BaseUrl,
  account: PrivateKeyAccount,
  to: Hex,
  amount: bigint,
): Promise<Hex> {
  const { node, usdcAddress } = await connect(baseURL);
  const hash = await node.writeContract({
    account,
    address: usdcAddress,
    abi: erc20Abi,
    functionName: "transfer",
    args: [to, amount],
  });
  await node.waitForTransactionReceipt({ hash });
  return hash;
}

/** Returns a wallet's USDC, in millionths. */
export async function getUsdcBalance(baseURL: BaseUrl, address: Hex): Promise<bigint> {
  const { node, usdcAddress } = await connect(baseURL);
  return node.readContract({
    address: usdcAddress,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [address],
  });
}

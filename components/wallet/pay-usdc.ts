import {
  type Address,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  type Hex,
  hashTypedData,
  http,
  parseAbi,
  parseUnits,
  publicActions,
  type TransactionReceipt,
  walletActions,
} from "viem";
import type { Config } from "wagmi";
import {
  getBalance,
  getConnection,
  getGasPrice,
  getPublicClient,
  readContract,
  signTypedData,
  writeContract,
} from "wagmi/actions";
import { USDC_DECIMALS } from "@/server/lib/usdc";
import type { Network } from "./network";
import { requireAccount, WalletError } from "./require-account";
import type { TypedData } from "./signing-wallet";
import { toChain } from "./wallet-config";

/** Slower payments stay stored and can be submitted later. */
const MINED_WITHIN_MS = 180_000;

/** A payment that can't be made; the message is for the payer. */
export class PaymentError extends WalletError {}

/** Returns the client that reads the registry's chain. */
export function getClient(config: Config, { chainId }: Network) {
  const client = getPublicClient(config, { chainId });
  if (!client) throw new Error("no client for the chain");
  return client;
}

/** Returns a wallet's USDC balance in millionths. */
export function getUsdcBalance(config: Config, network: Network, wallet: string): Promise<bigint> {
  return readContract(config, {
    chainId: network.chainId,
    address: network.usdcAddress as Address,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [wallet as Address],
  });
}

/** A transfer of USDC, or one with an authorization, takes less. */
const TRANSFER_GAS = 100_000n;

/**
 * Returns a wallet's USDC balance in millionths, and whether its ether covers the gas, by default of a
 * transfer. Contract wallets, such as Base Accounts, can have their gas paid by others.
 */
export async function getFunds(
  config: Config,
  network: Network,
  wallet: string,
  gas = TRANSFER_GAS,
) {
  const { chainId } = network;
  const [usdc, ether, gasPrice, code] = await Promise.all([
    getUsdcBalance(config, network, wallet),
    getBalance(config, { chainId, address: wallet as Address }),
    getGasPrice(config, { chainId }),
    getClient(config, network).getCode({ address: wallet as Address }),
  ]);
  // A Base Account gets its code with its first transaction.
  const isSponsored = code !== undefined || getConnection(config).connector?.id === "baseAccount";
  return { usdc, hasGas: isSponsored || ether.value >= gasPrice * gas };
}

/** How long a signed payment without a deadline is valid. */
const VALID_SECONDS = 3_600;

/** A USDC transfer that the owner makes. */
export interface Payment {
  from: string;
  to: string;
  /** Exact, as a decimal. */
  amountUsdc: string;
  /** What the payer signs by paying, until `before` (Unix seconds, or null for an hour): its digest is the EIP-3009 nonce. */
  signs?: { typedData: TypedData; before: number | null };
}

/**
 * Sends USDC from the connected wallet, which must be `from`, switching networks if needed. Returns
 * the transaction hash as soon as the wallet has sent it. Throws wallet errors, `WalletError` and `PaymentError`.
 */
export async function payUsdc(
  config: Config,
  network: Network,
  { from, to, amountUsdc, signs }: Payment,
): Promise<Hex> {
  const { chainId } = network;
  await requireAccount(config, network, from);
  const amount = parseUnits(amountUsdc, USDC_DECIMALS);
  const { usdc: balance, hasGas } = await getFunds(config, network, from);
  if (balance < amount) {
    throw new PaymentError(
      `Your wallet has ${formatUnits(balance, USDC_DECIMALS)} USDC on ${network.chainName}; the payment is ${amountUsdc}.`,
    );
  }
  if (!hasGas) {
    throw new PaymentError(`Your wallet has too little ether on ${network.chainName} for gas.`);
  }
  const usdc = { chainId, account: from as Address, address: network.usdcAddress as Address };
  if (!signs) {
    const args = [to as Address, amount] as const;
    return writeContract(config, { ...usdc, abi: erc20Abi, functionName: "transfer", args });
  }
  const nonce = hashTypedData(signs.typedData as never);
  const state = { functionName: "authorizationState", args: [usdc.account, nonce] } as const;
  if (await readContract(config, { ...usdc, abi: AUTHORIZED_TRANSFER, ...state })) {
    throw new PaymentError(
      "Your wallet has sent this payment already, or cancelled it. Look there before you pay in another way.",
    );
  }
  const message = {
    from: from as Address,
    to: to as Address,
    value: amount,
    validAfter: 0n,
    validBefore: BigInt(signs.before ?? Math.floor(Date.now() / 1_000) + VALID_SECONDS),
    nonce,
  };
  const signature = await signTypedData(config, {
    account: usdc.account,
    domain: { ...(await readUsdcDomain(config, usdc)), chainId, verifyingContract: usdc.address },
    types: TRANSFER_TYPES,
    primaryType: "TransferWithAuthorization",
    message,
  });
  const { from: payer, to: payee, value, validAfter, validBefore } = message;
  return writeContract(config, {
    ...usdc,
    abi: AUTHORIZED_TRANSFER,
    functionName: "transferWithAuthorization",
    args: [payer, payee, value, validAfter, validBefore, nonce, signature],
  });
}

const AUTHORIZED_TRANSFER = parseAbi([
  "function name() view returns (string)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function version() view returns (string)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
]);

const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

/** Returns name and version of the contract's EIP-712 domain, which differ between chains. */
async function readUsdcDomain(config: Config, usdc: { chainId: number; address: Address }) {
  const [name, version] = await Promise.all(
    (["name", "version"] as const).map((functionName) =>
      readContract(config, { ...usdc, abi: AUTHORIZED_TRANSFER, functionName }),
    ),
  );
  return { name, version };
}

/** Waits for a payment as `waitForReceipt` does. Returns the mined hash. */
export const waitForPayment = async (config: Config, network: Network, hash: Hex): Promise<Hex> =>
  (await waitForReceipt(config, network, hash)).transactionHash;

/**
 * Waits until a transaction has the confirmations that the service requires. The hash of its receipt
 * differs if the wallet replaced it. Throws `PaymentError` if it failed or was cancelled.
 */
export async function waitForReceipt(
  config: Config,
  network: Network,
  hash: Hex,
): Promise<TransactionReceipt> {
  let replaced = false;
  const client = getClient(config, network);
  const receipt = await client.waitForTransactionReceipt({
    hash,
    confirmations: network.confirmations,
    timeout: MINED_WITHIN_MS,
    onReplaced: ({ reason }) => {
      replaced = reason !== "repriced";
    },
  });
  if (replaced) {
    throw new PaymentError("This transaction was cancelled in your wallet. It moved no money.");
  }
  if (receipt.status === "reverted") {
    throw new PaymentError(
      "This transaction failed on chain and moved no money. Reload the page before you pay again.",
    );
  }
  return receipt;
}

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

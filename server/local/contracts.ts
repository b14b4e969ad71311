import { setTimeout as pause } from "node:timers/promises";
import {
  type Address,
  concat,
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  getContractAddress,
  type Hex,
  http,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  zeroHash,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import scoreGate from "@/contracts/ScoreGate.json";
import usdc from "@/contracts/TestUsdc.json";
import agenticCommerce from "@/contracts/testing/AgenticCommerce.json";
import identityRegistry from "@/contracts/testing/IdentityRegistry.json";
import reputationRegistry from "@/contracts/testing/ReputationRegistry.json";
import registry from "@/contracts/VerdictRegistry.json";
import { isRegistryCode } from "@/server/bootstrap/registry-code";
import { StartupError } from "@/server/lib/errors";

/**
 * Anvil's well-known development keys, funded on every local chain and worthless elsewhere. Uses
 * the last ones, because people use the first ones for their own wallets.
 */
const DEPLOYER_KEY = "0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6";
export const RECORDER_KEY = "0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97";
export const STAKE_KEY = "0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356";
export const FEEDBACK_KEY = "0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba";
export const EVALUATOR_KEY = "0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a";
/** For chains of tests and tools; local mode generates its own key. */
export const STATEMENT_KEY = "0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e";

const deployer = privateKeyToAccount(DEPLOYER_KEY);

/**
 * Deterministic deployment proxy (github.com/Arachnid/deterministic-deployment-proxy), which anvil
 * contains from its first block on.
 */
const CREATE2_PROXY = "0x4e59b44847b379578588920ca78fbf26c0b4956c";

export interface LocalContracts {
  registryAddress: Address;
  usdcAddress: Address;
  scoreGateAddress: Address;
  identityAddress: Address;
  reputationAddress: Address;
  /** One escrow of ERC-8183 jobs. */
  escrowAddresses: Address[];
}

/**
 * Deploys the contracts to the local chain unless they exist. The addresses of registry and USDC are
 * the same on every chain: they follow from the deployer and its first two nonces. Those of the others
 * follow from their code and arguments, so that of the score gate depends on `statementSigner`.
 */
export async function ensureContracts(
  rpcUrl: string,
  statementSigner: Address,
): Promise<LocalContracts> {
  const transport = http(rpcUrl);
  const reader = createPublicClient({ chain: foundry, transport, pollingInterval: 20 });
  const wallet = createWalletClient({ account: deployer, chain: foundry, transport });
  const deployments: Hex[] = [
    encodeDeployData({
      abi: registry.abi,
      bytecode: registry.bytecode as Hex,
      args: [deployer.address, privateKeyToAccount(RECORDER_KEY).address],
    }),
    usdc.bytecode as Hex,
  ];
  const done = await reader.getTransactionCount(deployer);
  for (let nonce = done; nonce < deployments.length; nonce++) {
    const hash = await wallet.sendTransaction({ data: deployments[nonce], nonce });
    await waitForReceipt(reader, hash);
  }
  const addresses = getContractAddresses();
  for (const address of Object.values(addresses)) {
    if (!(await reader.getCode({ address }))) {
      throw new StartupError(
        `The local chain has no contract at ${address}: stop it and delete its data.`,
      );
    }
  }
  if (!isRegistryCode(await reader.getCode({ address: addresses.registryAddress }))) {
    throw new StartupError(
      "The local chain has the registry of an earlier version, so its data can't be used: delete the data folder (DATA_DIR, .data by default) and empty the database of DATABASE_URL, if there is one. Then start again.",
    );
  }
  /** Deploys a contract unless it exists. Returns its address. */
  const ensure = async (contract: CompiledContract, args: unknown[] = []) => {
    const { address, deployment } = buildDeployment(contract, args);
    if (!(await reader.getCode({ address }))) {
      await waitForReceipt(reader, await wallet.sendTransaction(deployment));
    }
    return address;
  };
  const identityAddress = await ensure(identityRegistry);
  return {
    ...addresses,
    scoreGateAddress: await ensure(scoreGate, [addresses.registryAddress, statementSigner]),
    identityAddress,
    reputationAddress: await ensure(reputationRegistry, [identityAddress]),
    escrowAddresses: [await ensure(agenticCommerce)],
  };
}

interface CompiledContract {
  abi: readonly unknown[];
  bytecode: string;
}

/**
 * Returns a contract's address and its deployment, which don't depend on a nonce: on chains from before
 * there was this contract, the deployer has sent other transactions since.
 */
function buildDeployment(contract: CompiledContract, args: unknown[]) {
  const bytecode = encodeDeployData({ ...contract, args } as Parameters<
    typeof encodeDeployData
  >[0]);
  return {
    address: getContractAddress({
      opcode: "CREATE2",
      from: CREATE2_PROXY,
      salt: zeroHash,
      bytecode,
    }),
    deployment: { to: CREATE2_PROXY, data: concat([zeroHash, bytecode]) } as const,
  };
}

/** Returns the addresses of registry and USDC on a local chain. */
export function getContractAddresses(): { registryAddress: Address; usdcAddress: Address } {
  const addressAt = (nonce: bigint) => getContractAddress({ from: deployer.address, nonce });
  return { registryAddress: addressAt(0n), usdcAddress: addressAt(1n) };
}

const POLL_MS = 20;

/**
 * Resolves to a transaction's receipt once it is mined. viem's own waiting polls once per new
 * block: if the node announces a block before its receipts and mines no other, viem waits forever.
 */
export async function waitForReceipt(
  client: Pick<PublicClient, "getTransactionReceipt">,
  hash: Hex,
): Promise<TransactionReceipt> {
  for (;;) {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    if (receipt) return receipt;
    await pause(POLL_MS);
  }
}

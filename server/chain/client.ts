import {
  type Address,
  BaseError,
  createPublicClient,
  defineChain,
  ExecutionRevertedError,
  type Hex,
  type PublicClient,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { base, baseSepolia } from "viem/chains";
import type { ChainInfo, Erc8004Registries } from "@/server/lib/context";
import { StartupError } from "@/server/lib/errors";
import { isNodeLimit } from "@/server/lib/unavailable";
import { toChecksumAddress } from "@/server/lib/wallet";
import { createNodeTransport } from "./node-transport";
import { readUsdcToken } from "./payments/usdc-token";
import { readGateRegistry } from "./score-gate";

const LOCAL_ID = 31_337;

/** A chain with the keys that sign for the service. */
export interface Chain extends ChainInfo {
  /** Signs records. */
  recorder: PrivateKeyAccount;
  /** Receives and returns stakes. */
  stake: PrivateKeyAccount;
  /** Signs score statements; null if they are not configured. */
  statementSigner: PrivateKeyAccount | null;
  /** Gives ERC-8004 feedback; null if it is not configured. */
  feedback: PrivateKeyAccount | null;
  /** Completes and rejects ERC-8183 jobs; null if it is not configured. */
  evaluator: PrivateKeyAccount | null;
}

/** How to reach the chain and its contracts, and the keys that sign for the service. */
export interface ChainOptions {
  rpcUrl: string;
  /** If set, the node must be on this chain, but need not respond. If not set, it must respond. */
  chainId?: number | undefined;
  registryAddress: string;
  usdcAddress: string;
  recorderKey: string;
  stakeKey: string;
  /** Set both to sign score statements. */
  statementKey?: string | undefined;
  scoreGateAddress?: string | undefined;
  /** Not set: the published registries on chains that have them. `off`: none. */
  identityAddress?: string | undefined;
  reputationAddress?: string | undefined;
  /** Block from which the logs of the ERC-8004 registries are read. */
  erc8004FromBlock?: bigint | undefined;
  /** Set to publish ERC-8004 feedback. */
  feedbackKey?: string | undefined;
  /** Set both to evaluate ERC-8183 escrows. */
  escrowAddresses?: readonly string[] | undefined;
  evaluatorKey?: string | undefined;
  /** Block from which the logs of the escrows are read. */
  escrowsFromBlock?: bigint | undefined;
  /** Depth at which a record counts as confirmed. Default: 1 on a local chain, else 5. */
  confirmations?: number | undefined;
  /** Without a trailing slash. Base and Base Sepolia have a default. */
  explorerUrl?: string | null;
  /** The node is local, so `GET /network` publishes its URL. Any other URL may contain a key. */
  isLocal?: boolean;
  /** How often a request that failed is repeated, with growing pauses. Default: 3. */
  retryCount?: number;
}

const KNOWN_CHAINS: Record<number, { name: string; explorerUrl: string | null; blockMs: number }> =
  {
    [base.id]: { name: "Base", explorerUrl: "https://basescan.org", blockMs: 200 },
    [baseSepolia.id]: {
      name: "Base Sepolia",
      explorerUrl: "https://sepolia.basescan.org",
      blockMs: 200,
    },
    [LOCAL_ID]: { name: "Local chain", explorerUrl: null, blockMs: 10 },
  };

/** The published ERC-8004 registries (`erc-8004/erc-8004-contracts`). */
const KNOWN_REGISTRIES: Record<number, { identityAddress: Address; reputationAddress: Address }> = {
  [base.id]: {
    identityAddress: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
    reputationAddress: "0x8004BAa17C55a88189AE136b182e5fdA19dE9b63",
  },
  [baseSepolia.id]: {
    identityAddress: "0x8004A818BFB912233c491871b3d84c89A494BD9e",
    reputationAddress: "0x8004B663056A597Dffe9eCcC1965A193B7388713",
  },
};

/**
 * Creates the clients and keys for one chain. Throws `StartupError` if the node is on another
 * chain, if there is no contract at the registry address, if the contract that verifies statements is
 * not one for this registry, or if the node does not respond and `chainId` is not set. With `chainId`
 * set, an unreachable node does not prevent the start. Throws `NodeLimitsRequests` if the node does.
 */
export async function openChain(options: ChainOptions): Promise<Chain> {
  const registryAddress = toChecksumAddress(options.registryAddress);
  const gateAddress = options.scoreGateAddress ? toChecksumAddress(options.scoreGateAddress) : null;
  const probe = createPublicClient({
    transport: createNodeTransport(options.rpcUrl, { timeout: 10_000, patienceMs: 2_000 }),
  });
  const nodeChainId = await readChainId(probe, options);
  if (nodeChainId !== null) await checkContracts(probe, nodeChainId, registryAddress, gateAddress);
  const id = nodeChainId ?? options.chainId ?? 0;
  const known = KNOWN_CHAINS[id] ?? { name: `Chain ${id}`, explorerUrl: null, blockMs: 1_000 };
  const accounts = openAccounts(options, gateAddress);
  const { recorder, stake, statementSigner, feedback, evaluator } = accounts;
  const chain: Chain = {
    ...accounts,
    id,
    name: known.name,
    explorerUrl: options.explorerUrl ?? known.explorerUrl,
    rpcUrl: options.isLocal ? options.rpcUrl : null,
    registryAddress,
    usdcAddress: toChecksumAddress(options.usdcAddress),
    stakeAddress: stake.address,
    recorderAddress: recorder.address,
    scoreGate:
      statementSigner && gateAddress
        ? { address: gateAddress, signer: statementSigner.address }
        : null,
    erc8004: await findRegistries(id, nodeChainId === null ? null : probe, options),
    feedbackAddress: feedback?.address ?? null,
    escrows:
      evaluator && options.escrowAddresses
        ? {
            addresses: options.escrowAddresses.map(toChecksumAddress),
            fromBlock: options.escrowsFromBlock ?? 0n,
            evaluator: evaluator.address,
          }
        : null,
    confirmations: options.confirmations ?? (id === LOCAL_ID ? 1 : 5),
    isLocal: options.isLocal === true || id === LOCAL_ID,
    client: openClient(id, known, options),
  };
  if (nodeChainId !== null) await readUsdcToken(chain);
  return chain;
}

/** Returns the id of the node's chain; null if it does not respond, and need not. */
async function readChainId(probe: PublicClient, { chainId }: ChainOptions): Promise<number | null> {
  const nodeChainId = await probe.getChainId().catch((cause: unknown) => {
    if (isNodeLimit(cause)) throw cause;
    if (chainId !== undefined) return null;
    throw new StartupError(
      "The chain's node does not respond: fix CHAIN_RPC_URL, or set CHAIN_ID to start without it.",
      { cause },
    );
  });
  if (nodeChainId !== null && chainId !== undefined && nodeChainId !== chainId) {
    throw new StartupError(`The node of CHAIN_RPC_URL is on chain ${nodeChainId}, not ${chainId}.`);
  }
  return nodeChainId;
}

async function checkContracts(
  probe: PublicClient,
  chainId: number,
  registryAddress: Address,
  gateAddress: Address | null,
): Promise<void> {
  if (!(await probe.getCode({ address: registryAddress }))) {
    throw new StartupError(
      `Chain ${chainId} has no contract at REGISTRY_ADDRESS ${registryAddress}.`,
    );
  }
  if (gateAddress && (await readGateRegistry(probe, gateAddress)) !== registryAddress) {
    throw new StartupError(
      `SCORE_GATE_ADDRESS ${gateAddress} is not a ScoreGate for the registry ${registryAddress} on chain ${chainId}.`,
    );
  }
}

function openAccounts(options: ChainOptions, gateAddress: Address | null) {
  const open = (key: string | undefined) => (key ? privateKeyToAccount(key as Hex) : null);
  return {
    recorder: privateKeyToAccount(options.recorderKey as Hex),
    stake: privateKeyToAccount(options.stakeKey as Hex),
    statementSigner: gateAddress && open(options.statementKey),
    feedback: open(options.feedbackKey),
    evaluator: open(options.evaluatorKey),
  };
}

function openClient(
  id: number,
  { name, blockMs }: { name: string; blockMs: number },
  { rpcUrl, retryCount }: ChainOptions,
): PublicClient {
  return createPublicClient({
    chain: defineChain({
      id,
      name,
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    }),
    transport: createNodeTransport(rpcUrl, { timeout: 10_000, retryCount }),
    // viem's default of several seconds would delay every confirmation until the next poll.
    pollingInterval: blockMs,
    cacheTime: 0,
  });
}

/**
 * Returns the ERC-8004 registries, or null if they are turned off, unknown, or not on this chain.
 * Without a client, which an unreachable node means, trusts the configuration.
 */
async function findRegistries(
  chainId: number,
  client: PublicClient | null,
  { identityAddress, reputationAddress, erc8004FromBlock = 0n }: ChainOptions,
): Promise<Erc8004Registries | null> {
  if (identityAddress === "off") return null;
  const known = KNOWN_REGISTRIES[chainId];
  const identity = identityAddress ?? known?.identityAddress;
  const reputation = reputationAddress ?? known?.reputationAddress;
  if (!identity || !reputation) return null;
  const found = {
    identityAddress: toChecksumAddress(identity),
    reputationAddress: toChecksumAddress(reputation),
    fromBlock: erc8004FromBlock,
  };
  for (const address of [found.identityAddress, found.reputationAddress]) {
    if (client && !(await client.getCode({ address }))) return null;
  }
  return found;
}

/**
 * Simulates a call on the latest block. Returns the data that it returns (`0x` if none), or null if
 * it reverts. Throws if the node is unreachable.
 */
export async function simulateCall(
  client: Pick<PublicClient, "call">,
  call: { account: Address; to: Address; data: Hex; gas: bigint },
): Promise<Hex | null> {
  try {
    return (await client.call(call)).data ?? "0x";
  } catch (error) {
    const isRevert = (cause: unknown) => cause instanceof ExecutionRevertedError;
    if (error instanceof BaseError && error.walk(isRevert)) return null;
    throw error;
  }
}

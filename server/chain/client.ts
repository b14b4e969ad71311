import {
  type Address,
  BaseError,
  createPublicClient,
  defineChain,
  ExecutionRevertedError,
  type Hex,
  http,
  type PublicClient,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { base, baseSepolia } from "viem/chains";
import type { ChainInfo } from "@/server/lib/context";
import { StartupError } from "@/server/lib/errors";
import { toChecksumAddress } from "@/server/lib/wallet";
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
}

interface Options {
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
  /** Depth at which a record counts as confirmed. Default: 1 on a local chain, else 5. */
  confirmations?: number | undefined;
  /** Without a trailing slash. Base and Base Sepolia have a default. */
  explorerUrl?: string | null;
  /** The node is local, so `GET /network` publishes its URL. Any other URL may contain a key. */
  isLocal?: boolean;
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

/**
 * Creates the clients and keys for one chain. Throws `StartupError` if the node is on another
 * chain, if there is no contract at the registry address, if the contract that verifies statements is
 * not one for this registry, or if the node does not respond and `chainId` is not set. With `chainId`
 * set, an unreachable node does not prevent the start.
 */
export async function openChain(options: Options): Promise<Chain> {
  const registryAddress = toChecksumAddress(options.registryAddress);
  const client = createPublicClient({ transport: http(options.rpcUrl, { timeout: 10_000 }) });
  const scoreGateAddress = options.scoreGateAddress
    ? toChecksumAddress(options.scoreGateAddress)
    : undefined;
  const nodeChainId = await client.getChainId().catch((cause: unknown) => {
    if (options.chainId !== undefined) return null;
    throw new StartupError(
      "The chain's node does not respond: fix CHAIN_RPC_URL, or set CHAIN_ID to start without it.",
      { cause },
    );
  });
  if (nodeChainId !== null) {
    if (options.chainId !== undefined && nodeChainId !== options.chainId) {
      throw new StartupError(
        `The node of CHAIN_RPC_URL is on chain ${nodeChainId}, not ${options.chainId}.`,
      );
    }
    if (!(await client.getCode({ address: registryAddress }))) {
      throw new StartupError(
        `Chain ${nodeChainId} has no contract at REGISTRY_ADDRESS ${registryAddress}.`,
      );
    }
    if (
      scoreGateAddress &&
      (await readGateRegistry(client, scoreGateAddress)) !== registryAddress
    ) {
      throw new StartupError(
        `SCORE_GATE_ADDRESS ${scoreGateAddress} is not a ScoreGate for the registry ${registryAddress} on chain ${nodeChainId}.`,
      );
    }
  }
  const id = nodeChainId ?? options.chainId ?? 0;
  const known = KNOWN_CHAINS[id] ?? { name: `Chain ${id}`, explorerUrl: null, blockMs: 1_000 };
  const recorder = privateKeyToAccount(options.recorderKey as Hex);
  const stake = privateKeyToAccount(options.stakeKey as Hex);
  const statementSigner =
    options.statementKey && scoreGateAddress
      ? privateKeyToAccount(options.statementKey as Hex)
      : null;
  return {
    id,
    name: known.name,
    explorerUrl: options.explorerUrl ?? known.explorerUrl,
    rpcUrl: options.isLocal ? options.rpcUrl : null,
    registryAddress,
    usdcAddress: toChecksumAddress(options.usdcAddress),
    stakeAddress: stake.address,
    recorderAddress: recorder.address,
    scoreGate:
      statementSigner && scoreGateAddress
        ? { address: scoreGateAddress, signer: statementSigner.address }
        : null,
    confirmations: options.confirmations ?? (id === LOCAL_ID ? 1 : 5),
    isLocal: options.isLocal === true || id === LOCAL_ID,
    client: createPublicClient({
      chain: defineChain({
        id,
        name: known.name,
        nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
        rpcUrls: { default: { http: [options.rpcUrl] } },
      }),
      transport: http(options.rpcUrl, { timeout: 10_000 }),
      // viem's default of several seconds would delay every confirmation until the next poll.
      pollingInterval: known.blockMs,
      cacheTime: 0,
    }),
    recorder,
    stake,
    statementSigner,
  };
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

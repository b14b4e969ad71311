import type { ChainOptions } from "@/server/chain/client";
import type { Env } from "@/server/lib/env";

/** How to reach the database and the chain, and the secret key. */
export interface ServiceParts {
  databaseUrl: string;
  chain: Omit<ChainOptions, "isLocal">;
  secretKey: string;
  /** Whether the service started the database or the chain itself. */
  local: { database: boolean; chain: boolean };
  /** One phrase for each, for the operator. */
  describe: { database: string; chain: string };
  /** File for the log, instead of stderr. */
  logFile?: string | undefined;
  /** Shows the operator what a start waits for. */
  notify?(message: string): void;
  /** Calls `listener` after each restart of the chain, which may have lost its latest blocks. */
  onChainRestart?(listener: () => Promise<void>): void;
  /** Announces that `stop` will be called soon: another start on the same data waits for it. */
  stopping?(): void;
  stop(): Promise<void>;
}

/**
 * Stops everything that was started, newest first. Throws the failures once the rest has stopped.
 */
export async function stopAll(stops: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const stop of stops.splice(0).reverse()) {
    await stop().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, "some parts failed to stop");
}

/** Runs one stage of the startup and reports its progress. */
export type Stage = <T>(
  name: string,
  work: () => Promise<T>,
  say: (result: T) => string,
) => Promise<T>;

/**
 * Returns the chain configured in the environment, or null. The `env` schema ensures it is
 * complete.
 */
export function getConfiguredChain(env: Env): ServiceParts["chain"] | null {
  const { CHAIN_RPC_URL, REGISTRY_ADDRESS, USDC_ADDRESS, RECORDER_KEY, STAKE_KEY } = env;
  if (!CHAIN_RPC_URL || !REGISTRY_ADDRESS || !USDC_ADDRESS || !RECORDER_KEY || !STAKE_KEY) {
    return null;
  }
  return {
    rpcUrl: CHAIN_RPC_URL,
    chainId: env.CHAIN_ID,
    registryAddress: REGISTRY_ADDRESS,
    usdcAddress: USDC_ADDRESS,
    recorderKey: RECORDER_KEY,
    stakeKey: STAKE_KEY,
    statementKey: env.STATEMENT_KEY,
    scoreGateAddress: env.SCORE_GATE_ADDRESS,
    identityAddress: env.ERC8004_IDENTITY_ADDRESS,
    reputationAddress: env.ERC8004_REPUTATION_ADDRESS,
    erc8004FromBlock: env.ERC8004_FROM_BLOCK,
    feedbackKey: env.FEEDBACK_KEY,
    escrowAddresses: env.ERC8183_ESCROW_ADDRESSES,
    evaluatorKey: env.EVALUATOR_KEY,
    escrowsFromBlock: env.ERC8183_FROM_BLOCK,
    confirmations: env.CHAIN_CONFIRMATIONS ?? 5,
  };
}

/** Describes the chain by host only: the URL of a node may hold a key. */
export const describeChain = (chain: ServiceParts["chain"]) =>
  `chain at ${new URL(chain.rpcUrl).host}`;

import { readFileSync } from "node:fs";
import type { LocalChain } from "@/server/local/anvil";

/** Returns the variables that point another process to a local chain. One confirmation suffices. */
export const buildChainEnv = (chain: Omit<LocalChain, "pid" | "stop">) => ({
  CHAIN_RPC_URL: chain.rpcUrl,
  CHAIN_ID: String(chain.chainId),
  CHAIN_CONFIRMATIONS: "1",
  REGISTRY_ADDRESS: chain.registryAddress,
  USDC_ADDRESS: chain.usdcAddress,
  RECORDER_KEY: chain.recorderKey,
  STAKE_KEY: chain.stakeKey,
  STATEMENT_KEY: chain.statementKey,
  SCORE_GATE_ADDRESS: chain.scoreGateAddress,
  ERC8004_IDENTITY_ADDRESS: chain.identityAddress,
  ERC8004_REPUTATION_ADDRESS: chain.reputationAddress,
  FEEDBACK_KEY: chain.feedbackKey,
  ERC8183_ESCROW_ADDRESSES: chain.escrowAddresses.join(","),
  EVALUATOR_KEY: chain.evaluatorKey,
});

/**
 * Returns every documented variable as empty: neither a shell nor a .env file may affect a test.
 */
export function emptyEnv(): Record<string, string> {
  const names = readFileSync(".env.example", "utf8").matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm);
  return Object.fromEntries([...names].map(([, name = ""]) => [name, ""]));
}

import type { LocalChain } from "@/server/local/anvil";

/** Returns the variables that point another process to a local chain. One confirmation suffices. */
export const chainEnv = (chain: Omit<LocalChain, "pid" | "stop">) => ({
  CHAIN_RPC_URL: chain.rpcUrl,
  CHAIN_ID: String(chain.chainId),
  CHAIN_CONFIRMATIONS: "1",
  REGISTRY_ADDRESS: chain.registryAddress,
  USDC_ADDRESS: chain.usdcAddress,
  RECORDER_KEY: chain.recorderKey,
  STAKE_KEY: chain.stakeKey,
});

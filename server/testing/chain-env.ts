import type { LocalChain } from "@/server/local/anvil";

/** The variables by which a process of its own finds a local chain. One confirmation counts. */
export const chainEnv = (chain: Omit<LocalChain, "pid" | "stop">) => ({
  CHAIN_RPC_URL: chain.rpcUrl,
  CHAIN_ID: String(chain.chainId),
  CHAIN_CONFIRMATIONS: "1",
  REGISTRY_ADDRESS: chain.registryAddress,
  USDC_ADDRESS: chain.usdcAddress,
  RECORDER_KEY: chain.recorderKey,
  STAKE_KEY: chain.stakeKey,
});

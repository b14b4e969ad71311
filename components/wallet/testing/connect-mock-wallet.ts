import { type Address, http } from "viem";
import { foundry } from "viem/chains";
import { type Config, createConfig } from "wagmi";
import { connect } from "wagmi/actions";
import { mock } from "wagmi/connectors";
import type { Network } from "@/components/wallet/network";
import { toChain } from "@/components/wallet/wallet-config";

/** Connects a mock wallet of a local chain for an account; the node sends its transactions. */
export async function connectMockWallet(network: Network, account: Address): Promise<Config> {
  const config = createConfig({
    chains: [toChain(network)],
    connectors: [mock({ accounts: [account] })],
    transports: { [foundry.id]: http(network.rpcUrl) },
    pollingInterval: 50,
  }) as unknown as Config;
  const [connector] = config.connectors;
  if (connector) await connect(config, { connector });
  return config;
}

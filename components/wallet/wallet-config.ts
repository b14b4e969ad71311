import { type Chain, http } from "viem";
import { base, baseSepolia } from "viem/chains";
import {
  type Config,
  cookieStorage,
  createConfig,
  createStorage,
  injected,
  unstable_connector,
} from "wagmi";
import { reconnect } from "wagmi/actions";
import type { WalletConnectors } from "@/server/chain/schema";
import type { Network } from "./network";
import { createOptionalConnectors } from "./optional-connectors";
import type { WalletSettings } from "./wallet-shell";

/** Returns the chain of the registry in viem's format. */
export function toChain(network: Network): Chain {
  const known = [base, baseSepolia].find(({ id }) => id === network.chainId);
  if (known) return known;
  return {
    id: network.chainId,
    name: network.chainName,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: network.rpcUrl ? [network.rpcUrl] : [] } },
    ...(network.explorerUrl
      ? { blockExplorers: { default: { name: "Explorer", url: network.explorerUrl } } }
      : {}),
  };
}

/**
 * Configures browser wallets (EIP-6963 or `window.ethereum`) and other configured wallets for the
 * registry's chain. A chain without a public node is read through the wallet.
 */
export function createWalletConfig(network: Network, optionalWallets: WalletConnectors): Config {
  const chain = toChain(network);
  const url = network.rpcUrl ?? chain.rpcUrls.default.http[0];
  return createConfig({
    chains: [chain],
    connectors: [injected(), ...createOptionalConnectors(optionalWallets)],
    transports: { [chain.id]: url ? http(url) : unstable_connector(injected) },
    pollingInterval: 1_000,
    storage: createStorage({ storage: cookieStorage, key: "standing_wallet" }),
  });
}

let opened: Config | null = null;

/** Returns the wallets' state, which all parts of a page share. Only for browsers. */
export function getWallets({ network, optionalWallets }: WalletSettings): Config {
  opened ??= createWalletConfig(network, optionalWallets);
  return opened;
}

/** Returns the wallets' state. The first call reconnects the wallet of an earlier visit. */
export function openWallets(settings: WalletSettings): Config {
  if (opened) return opened;
  const config = getWallets(settings);
  void reconnect(config);
  return config;
}

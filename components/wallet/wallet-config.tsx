import type { ReactNode } from "react";
import { type Chain, http } from "viem";
import { base, baseSepolia } from "viem/chains";
import {
  type Config,
  type CreateConnectorFn,
  cookieStorage,
  createConfig,
  createStorage,
  injected,
  unstable_connector,
  WagmiContext,
} from "wagmi";
import { reconnect } from "wagmi/actions";
import { baseAccount } from "wagmi/connectors/baseAccount";
import { walletConnect } from "wagmi/connectors/walletConnect";
import type { WalletConnectors } from "@/server/chain/schema";
import type { Network } from "./network";
import { useWalletSettings, type WalletSettings } from "./wallet-shell";

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

/** Returns connectors for configured wallets outside the browser, with telemetry off. */
function createOptionalConnectors(configured: WalletConnectors): CreateConnectorFn[] {
  const { walletConnectProjectId: projectId } = configured;
  const connectors: CreateConnectorFn[] = [];
  if (projectId) {
    // We draw the QR code ourselves: WalletConnect's dialog is ten times larger and loads from
    // elsewhere.
    const options = { projectId, showQrModal: false, telemetryEnabled: false };
    connectors.push(createLazyConnector(walletConnect(options)));
  }
  if (configured.baseAccount) {
    const preference = { telemetry: false };
    connectors.push(createLazyConnector(baseAccount({ appName: "Standing", preference })));
  }
  return connectors;
}

/**
 * Loads a connector only once the user chooses it, or if it was the last one used. On page load
 * wagmi asks every connector for its provider, which would load their code and call other hosts.
 */
export function createLazyConnector(make: CreateConnectorFn): CreateConnectorFn {
  return (config) => {
    const connector = make(config);
    let isChosen = false;
    return {
      ...connector,
      setup: async () => {},
      connect: (parameters) => {
        isChosen = true;
        return connector.connect(parameters);
      },
      getProvider: async (parameters) => {
        isChosen ||= (await config.storage?.getItem("recentConnectorId")) === connector.id;
        return isChosen ? connector.getProvider(parameters) : undefined;
      },
    };
  };
}

/** Provides the wallets' state. Imported dynamically, without rendering on the server. */
export function WalletProvider({ children }: { children: ReactNode }) {
  const settings = useWalletSettings();
  return <WagmiContext value={openWallets(settings)}>{children}</WagmiContext>;
}

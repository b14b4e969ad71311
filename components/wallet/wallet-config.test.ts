import { privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { beforeEach, expect, test } from "vitest";
import { type CreateConnectorFn, createConfig, createStorage, http } from "wagmi";
import { connect, disconnect, getConnection, reconnect } from "wagmi/actions";
import { mock } from "wagmi/connectors";
import type { WalletConnectors } from "@/server/chain/schema";
import type { Network } from "./network";
import { createLazyConnector, createWalletConfig } from "./wallet-config";

const { address } = privateKeyToAccount(`0x${"11".repeat(32)}`);

/** How often the connector's provider was loaded. */
let loads: number;
/** Browser storage that outlives a visit. */
let stored: Map<string, string>;
beforeEach(() => {
  loads = 0;
  stored = new Map();
});

/** Opens a page with one lazy connector. */
function openPage() {
  const createConnector: CreateConnectorFn = (config) => {
    const connector = mock({
      accounts: [address],
      features: { reconnect: true, defaultConnected: true },
    })(config);
    // Lets wagmi's mock wallet know its chain.
    void connector.setup?.();
    const getProvider: typeof connector.getProvider = (parameters) => {
      loads++;
      return connector.getProvider(parameters);
    };
    return { ...connector, setup: async () => void (await getProvider()), getProvider } as never;
  };
  return createConfig({
    chains: [foundry],
    connectors: [createLazyConnector(createConnector)],
    transports: { [foundry.id]: http("http://127.0.0.1:9") },
    storage: createStorage({
      storage: {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => void stored.set(key, value),
        removeItem: (key) => void stored.delete(key),
      },
    }),
  });
}

test("an unused connector is not loaded when a page opens", async () => {
  const page = openPage();
  expect(await reconnect(page)).toEqual([]);
  expect(loads).toBe(0);
});

test("a connector loads when chosen, and reconnects on the next visit", async () => {
  const page = openPage();
  const [connector] = page.connectors;
  if (!connector) throw new Error("no connector");
  await connect(page, { connector });
  expect(getConnection(page).address).toBe(address);
  expect(loads).toBeGreaterThan(0);

  const nextVisit = openPage();
  expect(await reconnect(nextVisit)).toMatchObject([{ accounts: [address] }]);
  await disconnect(nextVisit);
  expect(getConnection(nextVisit).status).toBe("disconnected");
});

test("a chosen connector stays loaded without browser storage", async () => {
  const page = openPage();
  const [connector] = page.connectors;
  if (!connector) throw new Error("no connector");
  await connect(page, { connector });
  stored.clear();
  expect(await connector.getProvider()).toBeDefined();
});

const NETWORK: Network = {
  chainId: 84_532,
  chainName: "Base Sepolia",
  explorerUrl: "https://sepolia.basescan.org",
  registryAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  usdcAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  usdc: {
    address: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
    name: "USD Coin",
    version: "2",
    decimals: 6,
  },
  stakeAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  statements: null,
  erc8004: null,
  escrows: null,
  stakeUsdc: "0.50",
  disputeReview: "model",
  judge: "two-models",
  judgeNote: "",
  confirmations: 5,
  policyVersion: "1",
};
const offered = (optionalWallets: WalletConnectors) =>
  createWalletConfig(NETWORK, optionalWallets).connectors.map(({ id }) => id);

test("browser wallets are always offered, others only if configured", () => {
  const walletConnectProjectId = "0123456789abcdef0123456789abcdef";
  expect(offered({ walletConnectProjectId: null, baseAccount: false })).toEqual(["injected"]);
  expect(offered({ walletConnectProjectId, baseAccount: false })).toEqual([
    "injected",
    "walletConnect",
  ]);
  expect(offered({ walletConnectProjectId: null, baseAccount: true })).toEqual([
    "injected",
    "baseAccount",
  ]);
});

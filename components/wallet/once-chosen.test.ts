import { privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { beforeEach, expect, test } from "vitest";
import { type CreateConnectorFn, createConfig, createStorage, http } from "wagmi";
import { connect, disconnect, getConnection, reconnect } from "wagmi/actions";
import { mock } from "wagmi/connectors";
import { onceChosen } from "./once-chosen";

const { address } = privateKeyToAccount(`0x${"11".repeat(32)}`);

/** How often a sleeping connector was woken. */
let woken: number;
/** What the browser keeps between visits. */
let kept: Map<string, string>;
beforeEach(() => {
  woken = 0;
  kept = new Map();
});

/** A page that is opened, with one connector that sleeps. */
function openPage() {
  const connector: CreateConnectorFn = (config) => {
    const made = mock({
      accounts: [address],
      features: { reconnect: true, defaultConnected: true },
    })(config);
    // Tells wagmi's own wallet for tests which chain it is on.
    void made.setup?.();
    const getProvider: typeof made.getProvider = (parameters) => {
      woken++;
      return made.getProvider(parameters);
    };
    return { ...made, setup: async () => void (await getProvider()), getProvider } as never;
  };
  return createConfig({
    chains: [foundry],
    connectors: [onceChosen(connector)],
    transports: { [foundry.id]: http("http://127.0.0.1:9") },
    storage: createStorage({
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      },
    }),
  });
}

test("a connector that nobody chose sleeps when a page opens", async () => {
  const page = openPage();
  expect(await reconnect(page)).toEqual([]);
  expect(woken).toBe(0);
});

test("it wakes when it is chosen, and at the next visit too", async () => {
  const page = openPage();
  const [connector] = page.connectors;
  if (!connector) throw new Error("there is no connector");
  await connect(page, { connector });
  expect(getConnection(page).address).toBe(address);
  expect(woken).toBeGreaterThan(0);

  const nextVisit = openPage();
  expect(await reconnect(nextVisit)).toMatchObject([{ accounts: [address] }]);
  await disconnect(nextVisit);
  expect(getConnection(nextVisit).status).toBe("disconnected");
});

test("it stays awake where the browser keeps nothing", async () => {
  const page = openPage();
  const [connector] = page.connectors;
  if (!connector) throw new Error("there is no connector");
  await connect(page, { connector });
  kept.clear();
  expect(await connector.getProvider()).toBeDefined();
});

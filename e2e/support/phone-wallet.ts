import type { Hex, LocalAccount } from "viem";
import type { Relay } from "./relay";

interface PhoneWallet {
  /** Scans the code of a page. */
  scan(uri: string): Promise<void>;
  /** Declines the next thing that it is asked. */
  declineNext(): void;
  close(): Promise<void>;
}

const DECLINED = { code: 5000, message: "User rejected." };

/** A wallet app of its own device: WalletConnect's own code, on the same relay as the page. */
export async function phoneWallet(
  relay: Relay,
  account: LocalAccount,
  chainId: number,
): Promise<PhoneWallet> {
  let declines = false;
  const isDeclined = () => {
    const now = declines;
    declines = false;
    return now;
  };
  // It takes the global one when it is loaded.
  Object.assign(globalThis, { WebSocket: socketTo(relay) });
  const { SignClient } = await import("@walletconnect/sign-client");
  const client = await SignClient.init({
    projectId: "0123456789abcdef0123456789abcdef",
    metadata: { name: "Phone Wallet", description: "", url: "https://phone.test", icons: [] },
    storage: storageInMemory(),
    telemetryEnabled: false,
    logger: "silent",
  });
  // It would ask WalletConnect's host who vouches for the page.
  client.core.verify.resolve = async () => ({ origin: "" });
  client.on("session_proposal", async ({ id, params }) => {
    if (isDeclined()) return client.reject({ id, reason: DECLINED });
    const asked = params.optionalNamespaces.eip155;
    await client.approve({
      id,
      namespaces: {
        eip155: {
          accounts: [`eip155:${chainId}:${account.address}`],
          methods: asked?.methods ?? [],
          events: asked?.events ?? [],
        },
      },
    });
  });
  client.on("session_request", async ({ id, topic, params: { request } }) => {
    const answer =
      request.method !== "personal_sign" || isDeclined()
        ? { error: DECLINED }
        : { result: await account.signMessage?.({ message: { raw: request.params[0] as Hex } }) };
    await client.respond({ topic, response: { id, jsonrpc: "2.0", ...answer } as never });
  });
  return {
    scan: async (uri) => void (await client.core.pairing.pair({ uri })),
    declineNext: () => {
      declines = true;
    },
    close: async () => {
      client.core.heartbeat.stop();
      await client.core.relayer.transportClose();
    },
  };
}

/** The browser's kind of socket, as far as WalletConnect uses it, that ends at `relay` whatever its URL. */
function socketTo(relay: Relay) {
  return class {
    readyState = 0;
    onopen?: () => void;
    onmessage?: (event: { data: string }) => void;
    onclose?: (event: object) => void;
    send = relay.attach({ send: (data) => setImmediate(() => this.onmessage?.({ data })) });
    constructor() {
      setImmediate(() => {
        this.readyState = 1;
        this.onopen?.();
      });
    }
    on() {}
    close() {
      this.readyState = 3;
      this.onclose?.({});
    }
  };
}

function storageInMemory() {
  const kept = new Map<string, unknown>();
  return {
    getKeys: async () => [...kept.keys()],
    getEntries: async () => [...kept] as never,
    getItem: async (key: string) => kept.get(key) as never,
    setItem: async (key: string, value: unknown) => void kept.set(key, value),
    removeItem: async (key: string) => void kept.delete(key),
  };
}

import type { BrowserContext } from "playwright/test";
import { createWalletClient, type Hex, http, type LocalAccount, numberToHex } from "viem";
import { foundry } from "viem/chains";

export interface InjectedWallet {
  account: LocalAccount;
  /** Declines the next signature or transaction request, or the one after `skipped` others. */
  declineNext(skipped?: number): void;
  /** Until `unlock`, connecting waits for the password and other connection requests fail. */
  lock(): void;
  unlock(): void;
  /** Methods of signature and transaction requests, oldest first. */
  requests: string[];
}

interface Options {
  account: LocalAccount;
  /** Node that it sends transactions to. */
  rpcUrl: string;
  /** Initial network. */
  chainId?: number;
  /** Whether the service was connected on an earlier visit. */
  isConnected?: boolean;
}

type RpcResponse = { result: unknown } | { error: { code: number; message: string } };

/** localStorage key that disables the wallet. */
export const WALLET_DISABLED_KEY = "test-wallet-off";

const PENDING = { error: { code: -32_002, message: "Already processing eth_requestAccounts." } };
const DECLINED = { error: { code: 4001, message: "User rejected the request." } };
const LOCAL_CHAIN = 31_337;

/**
 * Injects a wallet extension into every page of `context`, announced by EIP-6963 and signing with a
 * local account. Like a real one it hides accounts until connected, keeps state across reloads, and
 * only knows networks that were added.
 */
export async function injectWallet(
  context: BrowserContext,
  { account, rpcUrl, chainId = LOCAL_CHAIN, isConnected = false }: Options,
): Promise<InjectedWallet> {
  const state = {
    connected: isConnected,
    chainId,
    /** Requests until the one that is declined; negative for none. */
    declinesIn: -1,
    knownChains: new Set([chainId]),
  };
  const requests: string[] = [];
  /** Resolves pending connections; null while unlocked. */
  let unlock: (() => void) | null = null;
  let unlocked: Promise<void> = Promise.resolve();
  let isAskingForPassword = false;
  const client = createWalletClient({ account, chain: foundry, transport: http(rpcUrl) });

  async function runUnlessDeclined(method: string, run: () => Promise<Hex>): Promise<RpcResponse> {
    requests.push(method);
    if (state.declinesIn-- === 0) return DECLINED;
    return { result: await run() };
  }

  async function handle(method: string, params: never[]): Promise<RpcResponse> {
    const [first] = params as unknown[];
    const requestedChain = Number((first as { chainId?: string } | undefined)?.chainId);
    switch (method) {
      case "eth_requestAccounts":
        if (isAskingForPassword) return PENDING;
        isAskingForPassword = unlock !== null;
        await unlocked;
        isAskingForPassword = false;
        state.connected = true;
        return { result: [account.address] };
      case "eth_accounts":
        return { result: state.connected ? [account.address] : [] };
      case "wallet_requestPermissions":
      case "wallet_getPermissions":
        state.connected ||= method === "wallet_requestPermissions";
        return { result: state.connected ? [{ parentCapability: "eth_accounts" }] : [] };
      case "wallet_revokePermissions":
        state.connected = false;
        return { result: null };
      case "eth_chainId":
        return { result: numberToHex(state.chainId) };
      case "wallet_addEthereumChain":
        state.knownChains.add(requestedChain);
        state.chainId = requestedChain;
        return { result: null };
      case "wallet_switchEthereumChain":
        if (!state.knownChains.has(requestedChain)) {
          return { error: { code: 4902, message: `Unrecognized chain ID ${requestedChain}.` } };
        }
        state.chainId = requestedChain;
        return { result: null };
      case "personal_sign":
        return runUnlessDeclined(method, () =>
          account.signMessage?.({ message: { raw: first as Hex } }),
        );
      case "eth_signTypedData_v4": {
        const typedData = JSON.parse(String((params as unknown[])[1]));
        return runUnlessDeclined(method, () => account.signTypedData(typedData));
      }
      case "eth_sendTransaction": {
        if (state.chainId !== LOCAL_CHAIN) throw new Error(`paid on chain ${state.chainId}`);
        const { to, data, value } = first as { to: Hex; data?: Hex; value?: Hex };
        const sent = { to, data, value: BigInt(value ?? 0) };
        return runUnlessDeclined(method, () => client.sendTransaction(sent));
      }
      default:
        return { result: await client.request({ method, params } as never) };
    }
  }

  await context.exposeFunction("__askWallet", (method: string, params: never[]) =>
    handle(method, params ?? []).catch((error: Error) => ({
      error: { code: -32_603, message: error.message },
    })),
  );
  await context.addInitScript(announceWallet, WALLET_DISABLED_KEY);
  return {
    account,
    requests,
    declineNext: (skipped = 0) => {
      state.declinesIn = skipped;
    },
    lock: () => {
      unlocked = new Promise((resolve) => {
        unlock = resolve;
      });
    },
    unlock: () => {
      unlock?.();
      unlock = null;
    },
  };
}

/** Runs in the page. */
function announceWallet(disabledKey: string): void {
  if (localStorage.getItem(disabledKey) !== null) return;
  const ask = (window as unknown as { __askWallet: (...args: unknown[]) => Promise<RpcResponse> })
    .__askWallet;
  const listeners: Record<string, ((data: unknown) => void)[]> = {};
  const provider = {
    async request({ method, params }: { method: string; params?: unknown[] }) {
      const response = await ask(method, params ?? []);
      if ("error" in response)
        throw Object.assign(new Error(response.error.message), response.error);
      if (method === "wallet_switchEthereumChain" || method === "wallet_addEthereumChain") {
        const [{ chainId }] = params as [{ chainId: string }];
        for (const listener of listeners.chainChanged ?? []) listener(chainId);
      }
      return response.result;
    },
    on(event: string, listener: (data: unknown) => void) {
      listeners[event] = [...(listeners[event] ?? []), listener];
    },
    removeListener(event: string, listener: (data: unknown) => void) {
      listeners[event] = (listeners[event] ?? []).filter((one) => one !== listener);
    },
  };
  const info = {
    uuid: "7c3b6f5e-1d2a-4b8c-9e0f-5a6b7c8d9e0f",
    name: "Test Wallet",
    rdns: "test.wallet",
    icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'><rect width='1' height='1' fill='teal'/></svg>",
  };
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }),
    );
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
}

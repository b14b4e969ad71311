import type { BrowserContext } from "@playwright/test";
import { createWalletClient, type Hex, http, type LocalAccount, numberToHex } from "viem";
import { foundry } from "viem/chains";

export interface InjectedWallet {
  account: LocalAccount;
  /** Declines the next thing that it is asked to sign or send. */
  declineNext(): void;
  /** Until `unlock`, it asks for its password before it connects, and answers nothing else meanwhile. */
  lock(): void;
  unlock(): void;
  /** What it was asked to sign or send, oldest first. */
  asked: string[];
}

interface Options {
  account: LocalAccount;
  /** Node of the chain that it sends to. */
  rpcUrl: string;
  /** Network that it is on at first. */
  chainId?: number;
}

type Answer = { result: unknown } | { error: { code: number; message: string } };

/** Where a page finds that its browser's wallet is switched off. */
export const SWITCHED_OFF = "test-wallet-off";

const PENDING = { error: { code: -32_002, message: "Already processing eth_requestAccounts." } };
const DECLINED = { error: { code: 4001, message: "User rejected the request." } };
const LOCAL_CHAIN = 31_337;

/**
 * A wallet extension in every page of `context`: announced by EIP-6963, signing with a local
 * account. Like a real one, it tells no account until it is connected, outlives reloads, and knows a
 * network only once it was added.
 */
export async function injectWallet(
  context: BrowserContext,
  { account, rpcUrl, chainId = LOCAL_CHAIN }: Options,
): Promise<InjectedWallet> {
  const state = { connected: false, chainId, declines: false, known: new Set([chainId]) };
  const asked: string[] = [];
  /** Lets go of whoever waits for the password; null while it is not locked. */
  let unlock: (() => void) | null = null;
  let unlocked: Promise<void> = Promise.resolve();
  let isAskingForPassword = false;
  const client = createWalletClient({ account, chain: foundry, transport: http(rpcUrl) });

  async function approved(method: string, act: () => Promise<Hex>): Promise<Answer> {
    asked.push(method);
    if (state.declines) {
      state.declines = false;
      return DECLINED;
    }
    return { result: await act() };
  }

  async function answer(method: string, params: never[]): Promise<Answer> {
    const [first] = params as unknown[];
    const named = Number((first as { chainId?: string } | undefined)?.chainId);
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
        state.known.add(named);
        state.chainId = named;
        return { result: null };
      case "wallet_switchEthereumChain":
        if (!state.known.has(named)) {
          return { error: { code: 4902, message: `Unrecognized chain ID ${named}.` } };
        }
        state.chainId = named;
        return { result: null };
      case "personal_sign":
        return approved(method, () => account.signMessage?.({ message: { raw: first as Hex } }));
      case "eth_sendTransaction": {
        const { to, data, value } = first as { to: Hex; data?: Hex; value?: Hex };
        const sent = { to, data, value: BigInt(value ?? 0) };
        return approved(method, () => client.sendTransaction(sent));
      }
      default:
        return { result: await client.request({ method, params } as never) };
    }
  }

  await context.exposeFunction("__askWallet", (method: string, params: never[]) =>
    answer(method, params ?? []).catch((error: Error) => ({
      error: { code: -32_603, message: error.message },
    })),
  );
  await context.addInitScript(announceWallet, SWITCHED_OFF);
  return {
    account,
    asked,
    declineNext: () => {
      state.declines = true;
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
function announceWallet(switchedOff: string): void {
  if (localStorage.getItem(switchedOff) !== null) return;
  const ask = (window as unknown as { __askWallet: (...args: unknown[]) => Promise<Answer> })
    .__askWallet;
  const listeners: Record<string, ((data: unknown) => void)[]> = {};
  const provider = {
    async request({ method, params }: { method: string; params?: unknown[] }) {
      const answer = await ask(method, params ?? []);
      if ("error" in answer) throw Object.assign(new Error(answer.error.message), answer.error);
      if (method === "wallet_switchEthereumChain" || method === "wallet_addEthereumChain") {
        const [{ chainId }] = params as [{ chainId: string }];
        for (const listener of listeners.chainChanged ?? []) listener(chainId);
      }
      return answer.result;
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

import type { agreements, components } from "@standing/sdk";
import {
  type Abi,
  createTestClient,
  type Hex,
  http,
  parseEther,
  publicActions,
  type TransactionReceipt,
  walletActions,
} from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import usdc from "@/contracts/TestUsdc.json";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { toMicro } from "@/server/lib/usdc";
import { waitForReceipt } from "@/server/local/contracts";

export type Network = components["schemas"]["Network"];

/** An agent whose wallet sends transactions. */
interface Sender {
  account: PrivateKeyAccount;
}

/** A local chain, with test USDC that anyone can mint. */
export interface TestUsdc {
  /** Gives a wallet ether for gas, and test USDC. */
  fund(agent: Sender, amountUsdc: number): Promise<void>;
  /** Sends test USDC from an agent's wallet. Resolves once mined. */
  pay(from: Sender, to: string, amountUsdc: number): Promise<TransactionReceipt>;
  /** Sends a payment that an agent has signed (EIP-3009). */
  sendSigned(from: Sender, payment: agreements.SignedPayment): Promise<unknown>;
  /** Lets a contract take test USDC, in millionths, from an agent's wallet. */
  approve(from: Sender, spender: string, micro: bigint): Promise<unknown>;
  /** Returns a wallet's test USDC, in millionths. */
  getBalance(wallet: string): Promise<bigint>;
  /** Calls a contract from an agent's wallet. Throws if it reverts. */
  call(from: Sender, to: string, call: ContractCall): Promise<TransactionReceipt>;
  /** Sends prepared calldata from an agent's wallet. Throws if it reverts. */
  send(from: Sender, to: string, data: Hex): Promise<TransactionReceipt>;
}

interface ContractCall {
  /** As imported from a JSON file. */
  abi: readonly unknown[];
  functionName: string;
  args: readonly unknown[];
}

/** Returns the service's local chain, or null on any other chain. */
export function openTestUsdc({
  rpcUrl,
  usdcAddress,
}: Pick<Network, "rpcUrl" | "usdcAddress">): TestUsdc | null {
  if (!rpcUrl) return null;
  const node = createTestClient({ chain: foundry, mode: "anvil", transport: http(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions);
  const usdcAt = { address: usdcAddress as Hex, abi: usdc.abi as Abi };

  async function wait(hash: Hex): Promise<TransactionReceipt> {
    const receipt = await waitForReceipt(node, hash);
    if (receipt.status !== "success") {
      throw new CommandError(`The local chain reverted transaction ${hash}.`);
    }
    return receipt;
  }

  const chain: TestUsdc = {
    async fund(agent, amountUsdc) {
      const { address } = agent.account;
      await node.setBalance({ address, value: parseEther("1") }).catch(() => {
        throw new CommandError(`The local chain at ${rpcUrl} does not respond to this machine.`);
      });
      const args = [address, toMicro(amountUsdc)];
      await chain.call(agent, usdcAddress, { ...usdcAt, functionName: "mint", args });
    },
    pay(from, to, amountUsdc) {
      const args = [to, toMicro(amountUsdc)];
      return chain.call(from, usdcAddress, { ...usdcAt, functionName: "transfer", args });
    },
    sendSigned: (from, { from: payer, to, value, validAfter, validBefore, nonce, signature }) => {
      const args = [payer, to, value, validAfter, validBefore, nonce, signature];
      const call = { ...usdcAt, functionName: "transferWithAuthorization", args };
      return chain.call(from, usdcAddress, call);
    },
    approve: (from, spender, micro) =>
      chain.call(from, usdcAddress, { ...usdcAt, functionName: "approve", args: [spender, micro] }),
    getBalance: async (wallet) =>
      (await node.readContract({ ...usdcAt, functionName: "balanceOf", args: [wallet] })) as bigint,
    call: async ({ account }, to, { abi, ...call }) =>
      wait(await node.writeContract({ account, address: to as Hex, abi: abi as Abi, ...call })),
    send: async ({ account }, to, data) =>
      wait(await node.sendTransaction({ account, to: to as Hex, data })),
  };
  return chain;
}

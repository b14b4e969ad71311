import type { components } from "@standing/sdk";
import { createTestClient, type Hex, http, parseEther, publicActions, walletActions } from "viem";
import { foundry } from "viem/chains";
import usdc from "@/contracts/TestUsdc.json";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { toMicro } from "@/server/lib/usdc";
import { waitForReceipt } from "@/server/local/contracts";
import type { DemoAgent } from "./agents";

export type Network = components["schemas"]["Network"];

/** Test USDC on a local chain: a contract that lets anyone mint. */
export interface TestUsdc {
  /** Gives a wallet ether for gas, and test USDC. */
  fund(agent: DemoAgent, amountUsdc: number): Promise<void>;
  /** Sends test USDC from an agent's wallet. Resolves to the transaction's hash once mined. */
  pay(from: DemoAgent, to: string, amountUsdc: number): Promise<Hex>;
}

/** Returns the test USDC of the service's local chain, or null on any other chain. */
export function openTestUsdc({ rpcUrl, usdcAddress }: Network): TestUsdc | null {
  if (!rpcUrl) return null;
  const node = createTestClient({ chain: foundry, mode: "anvil", transport: http(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions);

  async function call({ account }: DemoAgent, functionName: string, to: string, amount: number) {
    const hash = await node.writeContract({
      account,
      address: usdcAddress as Hex,
      abi: usdc.abi,
      functionName,
      args: [to, toMicro(amount)],
    });
    const { status } = await waitForReceipt(node, hash);
    if (status !== "success") throw new CommandError(`The test USDC reverted transaction ${hash}.`);
    return hash;
  }

  return {
    async fund(agent, amountUsdc) {
      const { address } = agent.account;
      await node.setBalance({ address, value: parseEther("0.1") }).catch(() => {
        throw new CommandError(`The local chain at ${rpcUrl} does not respond to this machine.`);
      });
      await call(agent, "mint", address, amountUsdc);
    },
    pay: (from, to, amountUsdc) => call(from, "transfer", to, amountUsdc),
  };
}

import { type Address, encodeFunctionData, type Hex, numberToHex, parseEventLogs } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import identityRegistry from "@/contracts/testing/IdentityRegistry.json";
import reputationRegistry from "@/contracts/testing/ReputationRegistry.json";
import type { ChainInfo, Erc8004Registries } from "@/server/lib/context";
import { sendDirectly } from "./chain";

type Chain = Pick<ChainInfo, "client" | "erc8004">;

/** Calls a function of the identity registry from `account`, which first gets ether. */
export const callIdentity = (
  chain: Chain,
  account: PrivateKeyAccount,
  functionName: string,
  args: unknown[],
) => call(chain, account, { abi: identityRegistry.abi, functionName, args }, "identityAddress");

/** Calls a function of the reputation registry from `account`, which first gets ether. */
export const callReputation = (
  chain: Chain,
  account: PrivateKeyAccount,
  functionName: string,
  args: unknown[],
) => call(chain, account, { abi: reputationRegistry.abi, functionName, args }, "reputationAddress");

/** Registers an agent in the ERC-8004 identity registry. Returns its id, in decimal. */
export async function registerIdentity(
  chain: Chain,
  account: PrivateKeyAccount,
  uri = "",
): Promise<string> {
  const { logs } = await callIdentity(chain, account, "register", [uri]);
  const [registered] = parseEventLogs({
    abi: identityRegistry.abi,
    eventName: "Registered",
    logs,
  }) as unknown as { args: { agentId: bigint } }[];
  if (!registered) throw new Error("no agent was registered");
  return String(registered.args.agentId);
}

/** Gives the agent away. */
export const transferIdentity = (
  chain: Chain,
  owner: PrivateKeyAccount,
  agentId: string,
  to: Address,
) => callIdentity(chain, owner, "transferFrom", [owner.address, to, BigInt(agentId)]);

async function call(
  chain: Chain,
  account: PrivateKeyAccount,
  data: { abi: readonly unknown[]; functionName: string; args: unknown[] },
  contract: Exclude<keyof Erc8004Registries, "fromBlock">,
) {
  if (!chain.erc8004) throw new Error("the chain has no ERC-8004 registries");
  await chain.client.request({
    method: "anvil_setBalance" as never,
    params: [account.address, numberToHex(10n ** 18n)] as never,
  });
  return sendDirectly(chain, account, {
    to: chain.erc8004[contract],
    data: encodeFunctionData(data as Parameters<typeof encodeFunctionData>[0]) as Hex,
    gas: 10_000_000n,
  });
}

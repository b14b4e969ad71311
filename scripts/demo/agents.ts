import { createClient, proveWallet, type StandingClient } from "@standing/sdk";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { Service } from "./client";
import { AGENTS, type AgentName } from "./tasks";

/** A registered agent with its wallet and a client that sends its key. */
export interface DemoAgent {
  name: string;
  account: PrivateKeyAccount;
  wallet: string;
  client: StandingClient;
}

export type DemoAgents = Record<AgentName, DemoAgent>;

/** Registers all agents, each with a new verified wallet. */
export async function registerAll(service: Service): Promise<DemoAgents> {
  const agents: Partial<DemoAgents> = {};
  for (const key of Object.keys(AGENTS) as AgentName[]) agents[key] = await register(service, key);
  return agents as DemoAgents;
}

/** Registers one of the agents with a new verified wallet. */
export async function register({ url, visitor }: Service, key: AgentName): Promise<DemoAgent> {
  const account = privateKeyToAccount(generatePrivateKey());
  const profile = AGENTS[key];
  const { walletAddress, apiKey } = await visitor.post("/agents/register", {
    body: {
      agentAddress: account.address,
      ...profile,
      walletProof: await proveWallet(visitor, account),
    },
    headers: { "X-Wallet-Address": account.address },
  });
  console.log(`  ${profile.name.padEnd(14)} ${walletAddress}`);
  return {
    name: profile.name,
    account,
    wallet: walletAddress,
    client: createClient({ url, apiKey }),
  };
}

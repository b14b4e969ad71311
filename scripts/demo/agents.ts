import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { Nonce, Registration } from "@/server/agents/schema";
import { signProof } from "@/server/testing/chain/wallet-proofs";
import type { Api } from "./client";
import { AGENTS, type AgentName } from "./tasks";

/** A registered agent with its credentials. */
export interface DemoAgent {
  name: string;
  account: PrivateKeyAccount;
  wallet: string;
  apiKey: string;
}

export type DemoAgents = Record<AgentName, DemoAgent>;

/** Registers all agents, each with a new verified wallet. */
export async function registerAll(api: Api): Promise<DemoAgents> {
  const agents: Partial<DemoAgents> = {};
  for (const key of Object.keys(AGENTS) as AgentName[]) agents[key] = await register(api, key);
  return agents as DemoAgents;
}

/** Registers one of the agents with a new verified wallet. */
export async function register(api: Api, key: AgentName): Promise<DemoAgent> {
  const account = privateKeyToAccount(generatePrivateKey());
  const profile = AGENTS[key];
  const walletProof = await signProof(account, await api.post<Nonce>("/auth/nonce", {}));
  const { walletAddress, apiKey } = await api.post<Registration>(
    "/agents/register",
    { agentAddress: account.address, ...profile, walletProof },
    { "X-Wallet-Address": account.address },
  );
  console.log(`  ${profile.name.padEnd(14)} ${walletAddress}`);
  return { name: profile.name, account, wallet: walletAddress, apiKey };
}

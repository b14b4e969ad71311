import { setTimeout as pause } from "node:timers/promises";
import { createClient, ProblemError, proveWallet, type StandingClient } from "@standing/sdk";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { AGENTS, type AgentName } from "./tasks";

/** The service that the demo uses. */
interface Service {
  url: string;
  /** Reads without a key. */
  visitor: StandingClient;
}

/** Returns the service at `url`. */
export const openService = (url: string): Service => ({ url, visitor: createClient({ url }) });

/** Calls `read` every second until `isDone` returns true. Throws after `timeoutMs`. */
export async function poll<T>(
  read: () => Promise<T>,
  isDone: (value: T) => boolean,
  timeoutMs: number,
): Promise<T> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await pause(1_000)) {
    const value = await read();
    if (isDone(value)) return value;
  }
  const seconds = Math.round(timeoutMs / 1_000);
  throw new CommandError(`The service is not done after ${seconds} s: see /api/health.`);
}

/** Returns what to print if a call failed, or null if the error has another cause. */
export function describeCallError(error: unknown): string | null {
  if (error instanceof ProblemError) {
    return error.problem.type === "about:blank"
      ? `${error.message}. If it is not a Standing service, give its address with --url.`
      : `${error.status} ${error.message}`;
  }
  return error instanceof TypeError && error.message === "fetch failed"
    ? "No service responds: start it with npm start, or give its address with --url."
    : null;
}

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
async function register({ url, visitor }: Service, key: AgentName): Promise<DemoAgent> {
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

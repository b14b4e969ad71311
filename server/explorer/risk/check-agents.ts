import { readWalletProfile } from "@/server/explorer/agent-details";
import type { Database } from "@/server/lib/context";
import { createUnranked } from "@/server/reputation/score/public-reputation";
import { readClientConfirmed } from "./client-confirmed";
import { readRisks, WHOLE_SCAN } from "./read-risk";
import { recommend } from "./recommend";
import { ACTIONS, type AgentCheck, type AgentComparison } from "./schema";

/**
 * Returns what a client should know before it hires the agent of a wallet, registered or not.
 * @param valueUsdc The value at stake; undefined if it is not known.
 */
export async function checkAgent(
  db: Database,
  walletAddress: string,
  valueUsdc: number | undefined,
  now: Date,
): Promise<AgentCheck> {
  const [profile, clientConfirmed] = await Promise.all([
    readWalletProfile(db, walletAddress, now),
    readClientConfirmed(db, walletAddress),
  ]);
  const found = profile ?? (await createUnknown(db, walletAddress, now));
  const { agent, reputation, evidence, risk, priceToFake } = found;
  return {
    walletAddress,
    agent: agent && {
      agentId: agent.agentId,
      name: agent.name,
      walletVerified: agent.walletVerified,
    },
    reputation,
    evidence,
    clientConfirmed,
    risk,
    priceToFake,
    recommendation: recommend(found, valueUsdc ?? null),
  };
}

/** Returns the track record of a wallet that is neither registered nor named by a record. */
async function createUnknown(db: Database, walletAddress: string, now: Date) {
  const getRisk = await readRisks(db, [walletAddress], WHOLE_SCAN, now);
  return {
    agent: null,
    reputation: createUnranked(walletAddress, now),
    evidence: "none" as const,
    risk: getRisk(walletAddress),
    breakdown: null,
    priceToFake: null,
  };
}

/** Checks several agents. The best recommendation comes first, then the highest score. */
export async function compareAgents(
  db: Database,
  walletAddresses: string[],
  valueUsdc: number | undefined,
  now: Date,
): Promise<AgentComparison> {
  const distinct = [...new Set(walletAddresses)];
  const agents = await Promise.all(
    distinct.map((wallet) => checkAgent(db, wallet, valueUsdc, now)),
  );
  return { agents: agents.sort((a, b) => rank(a) - rank(b) || getScore(b) - getScore(a)) };
}

const rank = ({ recommendation }: AgentCheck) => ACTIONS.indexOf(recommendation.action);
const getScore = ({ reputation }: AgentCheck) => reputation.score;

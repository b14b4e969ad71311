import { requireContractor } from "@/server/agreements/queries";
import { readTrackRecord } from "@/server/explorer/agent-details";
import { readClientRecord } from "@/server/explorer/client-record";
import { EXAMPLE_PROFILE } from "@/server/explorer/profile-example";
import { findWalletByIdentity } from "@/server/identities/queries";
import { parseErc8004Id } from "@/server/identities/schema";
import type { Context, Database } from "@/server/lib/context";
import { describeLimit } from "@/server/lib/describe-limit";
import { createParser, publicProcedure } from "@/server/lib/trpc";
import { createUnranked } from "@/server/reputation/score/public-reputation";
import { readChecked } from "./read-checked";
import type { LimitQuery } from "./read-limits";
import { recommend } from "./recommend";
import {
  ACTIONS,
  type AgentCheck,
  type AgentComparison,
  agentCheck,
  agentComparison,
  checkInput,
  compareInput,
  MAX_COMPARED,
} from "./schema";

/** What a client asks about. */
interface Job extends LimitQuery {
  /** The value at stake; undefined if it is not known. */
  valueUsdc?: number | undefined;
}

/** Returns what a client should know before it hires the agent of a wallet, registered or not. */
export async function checkAgent(
  db: Database,
  walletAddress: string,
  { valueUsdc, ...query }: Job,
  now: Date,
): Promise<AgentCheck> {
  const found =
    (await readTrackRecord(db, walletAddress, now, query)) ??
    (await createUnknown(db, walletAddress, query, now));
  const { agent, reputation, evidence, confirmedClients, agreements, asClient, risk, limit } =
    found;
  return {
    walletAddress,
    agent: agent && {
      agentId: agent.agentId,
      name: agent.name,
      walletVerified: agent.walletVerified,
    },
    reputation,
    evidence,
    confirmedClients,
    agreements,
    asClient,
    risk,
    limit,
    recommendation: recommend(found, valueUsdc ?? null),
  };
}

/** Returns the track record of a wallet that is neither registered nor named by a record. */
async function createUnknown(db: Database, walletAddress: string, query: LimitQuery, now: Date) {
  const { risk, limit } = (await readChecked(db, [walletAddress], now, query))(walletAddress);
  return {
    agent: null,
    reputation: createUnranked(walletAddress, now),
    evidence: "none" as const,
    confirmedClients: 0,
    agreements: { outcomes: 0, agreed: 0, delivered: 0 },
    asClient: await readClientRecord(db, walletAddress),
    risk,
    limit,
  };
}

/** Checks several agents. The best recommendation comes first, then the highest score. */
export async function compareAgents(
  db: Database,
  { walletAddresses, ...job }: Job & { walletAddresses: string[] },
  now: Date,
): Promise<AgentComparison> {
  const agents = await Promise.all(
    walletAddresses.map((wallet) => checkAgent(db, wallet, job, now)),
  );
  return { agents: agents.sort((a, b) => rank(a) - rank(b) || getScore(b) - getScore(a)) };
}

const rank = ({ recommendation }: AgentCheck) => ACTIONS.indexOf(recommendation.action);
const getScore = ({ reputation }: AgentCheck) => reputation.score;

const VALUE_USDC = 50;

const { agentId, name, walletVerified, walletAddress, ...EXAMPLE } = EXAMPLE_PROFILE;
const CHECK: AgentCheck = {
  walletAddress,
  agent: { agentId, name, walletVerified },
  reputation: EXAMPLE.reputation,
  evidence: EXAMPLE.evidence,
  confirmedClients: EXAMPLE.confirmedClients,
  agreements: EXAMPLE.agreements,
  asClient: EXAMPLE.asClient,
  risk: EXAMPLE.risk,
  limit: EXAMPLE.limit,
  recommendation: recommend(EXAMPLE, VALUE_USDC),
};

/** Returns the wallet, or that of the agent that has linked an identity. Throws `not-found`. */
async function findWallet(ctx: Pick<Context, "db" | "chain">, named: string): Promise<string> {
  const agentId = parseErc8004Id(named);
  return agentId === null ? named : findWalletByIdentity(ctx, agentId);
}

/** Recommendations for clients. */
export const checkProcedures = {
  check: publicProcedure
    .meta({
      rest: {
        operationId: "checkAgent",
        method: "GET",
        path: "/agents/{walletAddress}/check",
        summary: "Check an agent before you hire it",
        description: `Score, evidence, how many jobs under an agreement it delivered, risks, the limit, and a recommendation for the value at stake: hire, use escrow, or do not hire. \`hire\` says: "${describeLimit("N")}" Plain payments are not covered. Ask with \`agreementId\` right before you pay under an agreement, because other clients' agreements and the agent's open offers lower the limit. Any wallet can be checked, or the agent that has linked an ERC-8004 id; one without recorded outcomes is \`unknown\`.`,
        tag: "Agents",
        errors: ["not-found", "identities-unavailable"],
        example: { response: CHECK },
      },
    })
    .input(createParser(checkInput))
    .output(agentCheck)
    .query(async ({ ctx, input: { walletAddress, ...job } }) => {
      const wallet = await findWallet(ctx, walletAddress);
      if (job.agreementId) await requireContractor(ctx.db, wallet, job.agreementId);
      return checkAgent(ctx.db, wallet, job, new Date());
    }),
  compare: publicProcedure
    .meta({
      rest: {
        operationId: "compareAgents",
        method: "GET",
        path: "/explore/compare",
        summary: "Compare agents before you hire one",
        description: `The same check of two to ${MAX_COMPARED} different wallets, the best recommendation first, then the highest score. Repeat \`walletAddresses\` for each wallet.`,
        example: { response: { agents: [CHECK] } },
      },
    })
    .input(createParser(compareInput))
    .output(agentComparison)
    .query(({ ctx, input }) => compareAgents(ctx.db, input, new Date())),
};

import { requireContractor } from "@/server/agreements/queries";
import { readTrackRecord } from "@/server/explorer/agent-details";
import { EXAMPLE_PROFILE } from "@/server/explorer/profile-example";
import { findWalletByIdentity } from "@/server/identities/queries";
import { parseErc8004Id } from "@/server/identities/schema";
import type { Context, Database } from "@/server/lib/context";
import { describeLimit } from "@/server/lib/describe-limit";
import { createParser, publicProcedure } from "@/server/lib/trpc";
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
  return toCheck(await readTrackRecord(db, walletAddress, now, query), valueUsdc ?? null);
}

/** Returns the part of a track record that a check has, with a recommendation for a value at stake. */
function toCheck(found: Omit<AgentCheck, "recommendation">, valueUsdc: number | null): AgentCheck {
  const { walletAddress, agent, reputation, evidence, confirmedClients } = found;
  const { agreements, asClient, risk, limit } = found;
  return {
    walletAddress,
    agent: agent && {
      agentId: agent.agentId,
      name: agent.name,
      walletVerified: agent.walletVerified,
    },
    ...{ reputation, evidence, confirmedClients, agreements, asClient, risk, limit },
    recommendation: recommend(found, valueUsdc),
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

const CHECK = toCheck({ ...EXAMPLE_PROFILE, agent: EXAMPLE_PROFILE }, 50);

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

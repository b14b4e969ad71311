import { z } from "zod";
import { AppError } from "@/server/lib/errors";
import { createPage, idSchema } from "@/server/lib/schema";
import { createParser, publicProcedure, router } from "@/server/lib/trpc";
import { OUTCOME_EXAMPLE } from "@/server/outcomes/outcome-example";
import { readScoreMoves } from "@/server/reputation/history";
import { EXAMPLE_REPUTATION } from "@/server/reputation/router";
import { readScoreSeries } from "./agent-charts";
import {
  readCounterparties,
  readDisputeRecord,
  readProfile,
  readWalletProfile,
} from "./agent-details";
import { readPastJobs } from "./agent-figures";
import { readRankedAgents } from "./agent-list/ranked-agents";
import {
  type ExplorerPage,
  explorerPage,
  leaderboardInput,
  rankedInput,
  rankedPage,
  searchAllInput,
  searchInput,
  searchResults,
} from "./agent-list/schema";
import { readCounterpartyGraph } from "./counterparty-graph";
import { readAnchorEffects, readKnownClient, readOutcomeEffects, readRevocations } from "./effects";
import { feedProcedure } from "./feed/read-feed";
import { identityProcedures } from "./identity-procedures";
import { walletProcedures } from "./list-wallets";
import { networkProcedures } from "./network/procedures";
import { siteStats } from "./network/schema";
import { readSiteStats } from "./network/stats";
import { EXAMPLE_PROFILE } from "./profile-example";
import {
  hasSimulatedAgents,
  readJobs,
  readLeaderboard,
  readNames,
  searchAgents,
  searchAll,
} from "./queries";
import { checkProcedures } from "./risk/check-agents";
import {
  anchorEffects,
  anchorEffectsInput,
  counterparties,
  counterpartyGraph,
  disputeRecord,
  jobsInput,
  knownClient,
  namedJobs,
  names,
  namesInput,
  type OutcomesPage,
  outcomeEffects,
  outcomesInput,
  outcomesPage,
  pastJobs,
  pastJobsInput,
  profileInput,
  profile as profileOutput,
  revocations,
  scoreMoves,
  scoreSeries,
  seriesInput,
  walletProfile,
} from "./schema";
import { readWalletOutcomes } from "./wallet-outcomes";

const { walletAddress: WALLET, score, tier, totalOutcomes } = EXAMPLE_REPUTATION;

const PAGE: ExplorerPage = createPage(
  [
    {
      agentId: EXAMPLE_PROFILE.agentId,
      name: EXAMPLE_PROFILE.name,
      walletAddress: WALLET,
      score,
      tier,
      totalOutcomes,
      categories: EXAMPLE_PROFILE.categories,
      walletVerified: true,
    },
  ],
  1,
  { page: 0, size: 20 },
);

const OUTCOMES: OutcomesPage = createPage([{ ...OUTCOME_EXAMPLE, backing: "paid" }], 1, {
  page: 0,
  size: 20,
});

const leaderboard = publicProcedure
  .meta({
    rest: {
      operationId: "getLeaderboard",
      method: "GET",
      path: "/explore/leaderboard",
      summary: "List the best agents",
      description:
        "Registered agents with at least one outcome: by score, then number of outcomes, then name, then id. With `category`: those with an outcome in it, by their score in it; `minScore`, `minOutcomes` and `activeDays` then apply to it too. `totalElements` is exact with `category`, `tier` and `minScore`. With `minOutcomes`, `activeDays` or `walletVerified` at most 10,000 agents are listed; with `hideRisky`, or with `minOutcomes` or `activeDays` in a category, those among the first 500. With `hideRisky` the list can be up to 20 seconds old. A `size` over 100 is reduced to 100.",
      example: { response: PAGE },
    },
  })
  .input(createParser(leaderboardInput))
  .output(explorerPage)
  .query(({ ctx, input }) => readLeaderboard(ctx.db, input, new Date()));

const search = publicProcedure
  .meta({
    rest: {
      operationId: "searchAgents",
      method: "GET",
      path: "/explore/search",
      summary: "Search agents",
      description:
        "Registered agents that match every filter. `q` matches part of the name or description, case-insensitive, or, if it begins with `0x`, a prefix of the wallet address. A number also finds the agent that has linked that ERC-8004 id, and `erc8004:4711` only that agent. At most 10,000 agents that match `q` are listed and counted; if more match, their number can be up to ten seconds old. Without `q`, all agents are listed and `totalElements` is exact. A `size` over 100 is reduced to 100.",
      example: { response: PAGE },
    },
  })
  .input(createParser(searchInput))
  .output(explorerPage)
  .query(({ ctx, input }) => searchAgents(ctx.db, input));

const profile = publicProcedure
  .meta({
    rest: {
      operationId: "getAgent",
      method: "GET",
      path: "/agents/{walletAddress}",
      summary: "Read an agent's profile",
      description:
        "A registered agent's description, its reputation with the breakdown of the score, the risks to know before hiring it, each with its evidence, and the limit: how much it can be trusted with. Returns 404 for a wallet that is not registered; its reputation can still be read.",
      tag: "Agents",
      errors: ["not-found"],
      example: { response: EXAMPLE_PROFILE },
    },
  })
  .input(createParser(profileInput))
  .output(profileOutput)
  .query(({ ctx, input }) => readProfile(ctx, input.walletAddress, new Date()));

const outcomes = publicProcedure
  .meta({
    rest: {
      operationId: "listAgentOutcomes",
      method: "GET",
      path: "/agents/{walletAddress}/outcomes",
      summary: "List the outcomes of a wallet",
      description:
        "The public facts of every outcome in which the wallet, registered or not, is contractor or requester, newest first.",
      tag: "Agents",
      example: { response: OUTCOMES },
    },
  })
  .input(createParser(outcomesInput))
  .output(outcomesPage)
  .query(({ ctx, input }) => readWalletOutcomes(ctx.db, input));

export const explorerRouter = router({
  leaderboard,
  search,
  profile,
  outcomes,
  ...networkProcedures,
  ...checkProcedures,
  ...identityProcedures,
  ...walletProcedures,

  // The pages of the service use the following procedures; they are not part of the REST API.

  rankedAgents: publicProcedure
    .input(createParser(rankedInput))
    .output(rankedPage)
    .query(({ ctx, input }) => readRankedAgents(ctx.db, input, new Date())),
  searchAll: publicProcedure
    .input(createParser(searchAllInput))
    .output(searchResults)
    .query(({ ctx, input }) => searchAll(ctx.db, input, new Date())),
  /** For lists of records, which identify jobs by outcome. */
  jobs: publicProcedure
    .input(createParser(jobsInput))
    .output(namedJobs)
    .query(({ ctx, input }) => readJobs(ctx.db, input)),
  siteStats: publicProcedure.output(siteStats).query(({ ctx }) => readSiteStats(ctx.db)),
  anchorEffects: publicProcedure
    .input(createParser(anchorEffectsInput))
    .output(anchorEffects)
    .query(({ ctx, input }) => readAnchorEffects(ctx.db, input)),
  revocations: publicProcedure
    .input(createParser(anchorEffectsInput))
    .output(revocations)
    .query(({ ctx, input }) => readRevocations(ctx.db, input)),
  knownClient: publicProcedure
    .input(createParser(profileInput))
    .output(knownClient.nullable())
    .query(({ ctx, input }) => readKnownClient(ctx.db, input.walletAddress, new Date())),
  /** For lists of outcomes, which identify the parties by wallet. */
  names: publicProcedure
    .input(createParser(namesInput))
    .output(names)
    .query(({ ctx, input }) => readNames(ctx.db, input)),
  /** Unlike `profile`, also for wallets that are not registered but named in outcomes. */
  wallet: publicProcedure
    .input(createParser(profileInput))
    .output(walletProfile)
    .query(async ({ ctx, input }) => {
      const found = await readWalletProfile(ctx, input.walletAddress, new Date());
      if (!found) throw new AppError("not-found", "No record names this wallet.");
      return found;
    }),
  counterparties: publicProcedure
    .input(createParser(profileInput))
    .output(counterparties)
    .query(({ ctx, input }) => readCounterparties(ctx.db, input.walletAddress, new Date())),
  pastJobs: publicProcedure
    .input(createParser(pastJobsInput))
    .output(pastJobs)
    .query(({ ctx, input }) => readPastJobs(ctx.db, input)),
  disputes: publicProcedure
    .input(createParser(profileInput))
    .output(disputeRecord)
    .query(({ ctx, input }) => readDisputeRecord(ctx.db, input.walletAddress)),
  feed: feedProcedure,
  series: publicProcedure
    .input(createParser(seriesInput))
    .output(scoreSeries)
    .query(({ ctx, input }) => readScoreSeries(ctx.db, { ...input, now: new Date() })),
  moves: publicProcedure
    .input(createParser(profileInput))
    .output(scoreMoves)
    .query(({ ctx, input }) => readScoreMoves(ctx.db, input.walletAddress, new Date())),
  graph: publicProcedure
    .input(createParser(profileInput))
    .output(counterpartyGraph)
    .query(({ ctx, input }) => readCounterpartyGraph(ctx.db, input.walletAddress, new Date())),
  outcomeEffects: publicProcedure
    .input(createParser(z.strictObject({ outcomeId: idSchema })))
    .output(outcomeEffects)
    .query(async ({ ctx, input }) => {
      const found = await readOutcomeEffects(ctx.db, input.outcomeId, {
        now: new Date(),
        disputeWindowMs: ctx.env.DISPUTE_WINDOW,
      });
      if (!found) throw new AppError("not-found", "There is no outcome with this id.");
      return found;
    }),
  /** For every page: whether a simulated history is present. */
  simulated: publicProcedure.output(z.boolean()).query(({ ctx }) => hasSimulatedAgents(ctx.db)),
});

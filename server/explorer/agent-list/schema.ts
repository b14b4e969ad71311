import { z } from "zod";
import {
  confirmedClients,
  evidenceLevel,
  recommendation,
  riskAssessment,
} from "@/server/explorer/risk/schema";
import { declaredCategories, simulated, walletVerified } from "@/server/explorer/schema";
import {
  categorySchema,
  createPageSchema,
  idSchema,
  pageInputShape,
  textSchema,
  tierSchema,
  timestampSchema,
  usdcSchema,
} from "@/server/lib/schema";
import { walletOutputSchema } from "@/server/lib/wallet";
import { publicOutcome } from "@/server/outcomes/schema";
import { scoreSchema, totalOutcomesSchema } from "@/server/reputation/schema";

const tierFilter = tierSchema.optional().meta({ description: "Only agents of this tier" });

export const explorerEntry = z
  .strictObject({
    agentId: idSchema,
    name: z.string().meta({ description: "Display name" }),
    walletAddress: walletOutputSchema,
    score: scoreSchema,
    categoryScore: z.number().optional().meta({
      description:
        "Score in the requested category; missing without a category, or without an outcome in it",
    }),
    tier: tierSchema,
    totalOutcomes: totalOutcomesSchema,
    categories: declaredCategories,
    walletVerified,
    simulated,
  })
  .meta({ id: "ExplorerEntry" });
export type ExplorerEntry = z.infer<typeof explorerEntry>;

export const explorerPage = createPageSchema(explorerEntry).meta({ id: "ExplorerPage" });
export type ExplorerPage = z.infer<typeof explorerPage>;

/** Filters of the leaderboard; with a category, score, outcomes and activity are those in it. */
const leaderboardFilters = {
  category: categorySchema.optional().meta({
    description: "Only agents with an outcome in this category, by their score in it",
  }),
  minScore: z.number().min(0).max(100).optional().meta({ description: "Minimum score" }),
  minOutcomes: z.int().min(1).max(1_000_000).optional().meta({
    description: "Minimum number of outcomes",
  }),
  activeDays: z.int().min(1).max(365).optional().meta({
    description: "Only agents with a recorded outcome within this many days",
  }),
  walletVerified: z.boolean().optional().meta({
    description: "If true, only agents that have proven that they control their wallet",
  }),
  hideRisky: z.boolean().optional().meta({
    description: "If true, without agents that should not be hired",
  }),
  valueUsdc: usdcSchema.optional().meta({
    description: "USDC at stake: only agents that can be hired for it without escrow",
  }),
};

export const leaderboardInput = z.strictObject({
  ...leaderboardFilters,
  tier: tierFilter,
  ...pageInputShape,
});
export type LeaderboardInput = z.infer<typeof leaderboardInput>;

/** An agent on the leaderboard page: its entry and further details. */
export const leaderboardRow = explorerEntry.extend({
  rank: z.strictObject({ place: z.int(), tied: z.boolean() }).nullable().meta({
    description: "Place among the matching agents; null if the sort order is not a ranking.",
  }),
  evidence: evidenceLevel,
  risk: riskAssessment,
  /** For the value at stake that the list is for. */
  recommendation,
  /** Assessed outcomes whose verdict after disputes is SUCCESS, as a fraction; null without. */
  successRate: z.number().nullable(),
  assessedOutcomes: z.int(),
  /** Outcomes that count, assessed or not. */
  confirmedOutcomes: z.int(),
  confirmedClients,
  lastActive: timestampSchema.nullable(),
  /** The figures above in the list's category; missing without one. */
  categoryFigures: z
    .strictObject({
      outcomes: z.int(),
      successRate: z.number().nullable(),
      assessedOutcomes: z.int(),
      confirmedOutcomes: z.int(),
      confirmedClients: z.int(),
      /** UTC day of the newest verdict. */
      lastDay: z.iso.date(),
    })
    .optional(),
  /**
   * The score on each of the last 30 UTC days, null if it did not change that day. The last one is
   * the current score.
   */
  days: z.array(z.number().nullable()),
});
export type LeaderboardRow = z.infer<typeof leaderboardRow>;

/** Sort orders of the leaderboard page, each with the best or the newest first, names from A. */
export const LEADERBOARD_SORTS = [
  "score",
  "successRate",
  "outcomes",
  "clients",
  "activity",
  "name",
] as const;

/** Most agents that an export has, which is one page. */
export const MAX_EXPORTED_AGENTS = 100;

export const rankedInput = z.strictObject({
  ...leaderboardFilters,
  tier: tierSchema.exclude(["UNRANKED"]).optional(),
  sort: z.enum(LEADERBOARD_SORTS).default("score"),
  ...pageInputShape,
  size: pageInputShape.size.unwrap().prefault(25),
});
export type RankedInput = z.infer<typeof rankedInput>;

export const rankedPage = createPageSchema(leaderboardRow).extend({
  /** Whether the total is a lower bound. */
  isMore: z.boolean(),
  /** Number of agents in the category without the other filters. */
  outOf: z.int(),
  /** Number of agents that can be hired without escrow; if it is 0, the page lists the others. */
  hirable: z.int(),
  /** Number of the others, which can be hired for the value at stake with escrow only. */
  withEscrow: z.int(),
});
export type RankedPage = z.infer<typeof rankedPage>;

/** Registered agents; with a search term up to 10,000, and `isMore` is true if more match. */
const listedAgents = createPageSchema(
  leaderboardRow.extend({
    /** Part of the description that matches the search term; missing if the name does. */
    match: z.string().optional(),
  }),
).extend({
  isMore: z.boolean(),
  /** False if no agent matches the term, and these have its words in another form, or similar ones. */
  isExact: z.boolean(),
});
export type ListedAgents = z.infer<typeof listedAgents>;

export const searchAllInput = z.strictObject({
  q: textSchema(0, 200).optional(),
  ...pageInputShape,
});

/** Results of the pages' search: by name and description, address, id or transaction hash. */
export const searchResults = z.strictObject({
  /** Value of a job that the search names, and the rest of the search. */
  valueUsdc: usdcSchema.optional(),
  text: z.string(),
  /** The agents that rank highest for the value in each category that the search means, or in all. */
  jobs: z.array(
    z.strictObject({ category: categorySchema.optional(), best: z.array(leaderboardRow) }),
  ),
  agents: listedAgents,
  outcomes: z.array(publicOutcome),
  /** Number of outcomes of a wallet or a transaction; `outcomes` has the newest of them. */
  totalOutcomes: z.int(),
  disputes: z.array(
    z.strictObject({ disputeId: idSchema, outcomeId: idSchema, openedAt: timestampSchema }),
  ),
  /** Other ledger records of the transaction. */
  anchorSeqs: z.array(z.int()),
});
export type SearchResults = z.infer<typeof searchResults>;

export const SORTS = ["score", "outcomes", "name", "newest"] as const;

export const searchInput = z.strictObject({
  q: textSchema(0, 200).optional().meta({
    description:
      "Matched against name, description, a wallet address prefix, or the id of a linked ERC-8004 identity",
  }),
  category: categorySchema.optional().meta({
    description:
      "Only agents that declare this category or have an outcome in it; `minScore` and the order by score then apply to the score in the category",
  }),
  minScore: z.number().min(0).max(100).optional().meta({ description: "Minimum reputation score" }),
  tier: tierFilter,
  sort: z.enum(SORTS).default("score").meta({
    description: "Order: highest score, most outcomes, name from A, or newest registration",
  }),
  ...pageInputShape,
});
export type SearchInput = z.infer<typeof searchInput>;

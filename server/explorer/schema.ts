import { z } from "zod";
import { linksSchema } from "@/server/agents/schema";
import { clientRecord } from "@/server/agreements/schema";
import { disputeSchema, disputeStatusSchema } from "@/server/disputes/schema";
import { erc8004AgentIdSchema, linkedIdentitySchema } from "@/server/identities/schema";
import { describeLimit, LIMIT_RULES } from "@/server/lib/describe-limit";
import {
  categorySchema,
  createPageSchema,
  idSchema,
  pageInputShape,
  partySchema,
  textSchema,
  tierSchema,
  timestampSchema,
  usdcSchema,
  verdictSchema,
} from "@/server/lib/schema";
import { walletOutputSchema, walletSchema } from "@/server/lib/wallet";
import { outcomeStatusSchema, publicOutcome } from "@/server/outcomes/schema";
import {
  historyEntry,
  reputation,
  scoreBreakdown,
  scoreSchema,
  totalOutcomesSchema,
} from "@/server/reputation/schema";

const declaredCategories = z
  .array(categorySchema)
  .meta({ description: "Categories that the agent declares" });
const walletVerified = z
  .boolean()
  .meta({ description: "Whether the agent has proven that it controls the wallet" });
const simulated = z.literal(true).optional().meta({ description: "Part of a simulated history" });
const namedWallet = z
  .strictObject({
    walletAddress: walletOutputSchema,
    name: z.string().nullable().meta({
      description: "Name of the agent registered for the wallet; null if there is none",
    }),
  })
  .meta({ id: "NamedWallet", description: "A party of an outcome" });
export type NamedWallet = z.infer<typeof namedWallet>;

/** Filters of several lists. */
const categoryFilter = categorySchema.optional().meta({ description: "Only this category" });
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

/** Kinds of risk, the most serious first. */
export const RISKS = [
  "recent-collapse",
  "fails-often",
  "failures-in-a-row",
  "agreements-not-delivered",
  "ring-payments",
  "overturned-verdicts",
  "single-client",
  "few-confirmed-clients",
  "unverified-wallet",
  "reported-failures",
  "dormant",
] as const;

const riskFlag = z
  .strictObject({
    risk: z.enum(RISKS).meta({ description: "Kind of risk; kinds may be added" }),
    severity: z.enum(["danger", "caution", "notice"]).meta({
      description:
        "danger: a reason not to hire; caution: check first; notice: worth knowing, no sign of bad work",
    }),
    title: z.string().meta({ description: "A few words, such as `5 failures in a row`" }),
    detail: z.string().meta({ description: "The evidence in one or two sentences" }),
    outcomeIds: z
      .array(idSchema)
      .meta({ description: "Outcomes that show it, newest first; at most 20" }),
    wallets: z.array(walletOutputSchema).meta({
      description: "Clients concerned; at most 20",
    }),
  })
  .meta({ id: "RiskFlag", description: "One risk, with its evidence" });
export type RiskFlag = z.infer<typeof riskFlag>;

export const riskAssessment = z
  .strictObject({
    level: z.enum(["danger", "caution", "none"]).meta({
      description: "The highest severity among the flags; `none` if there are only notices",
    }),
    flags: z.array(riskFlag).meta({ description: "The most serious first" }),
  })
  .meta({ id: "RiskAssessment", description: "What to know before hiring the agent" });
export type RiskAssessment = z.infer<typeof riskAssessment>;

/** What a client can do about an agent, the kindest first. */
export const ACTIONS = ["hire", "use-escrow", "unknown", "do-not-hire"] as const;
export type Action = (typeof ACTIONS)[number];

export const recommendation = z
  .strictObject({
    action: z.enum(ACTIONS).meta({
      description:
        "hire: from TRUSTED on, without a caution, and at a value within the limit, if you pay under an agreement; use-escrow: pay only for accepted work; unknown: no recorded outcomes; do-not-hire: the record shows bad work or faked work",
    }),
    label: z.string().meta({
      description: "The recommendation in a few words, as lists and badges show it",
      example: "Hire up to 110 USDC",
    }),
    summary: z.string().meta({
      description: "The recommendation in one sentence",
      example: describeLimit("110"),
    }),
    reasons: z.array(z.string()).meta({ description: "What decided it, with figures" }),
    valueUsdc: z.number().nullable().meta({
      description:
        "The value at stake that was asked about; null if none was given: that for 1 USDC",
    }),
    limitUsdc: z.number().meta({
      description:
        "Up to which value the action is `hire`: the limit, or 0 below TRUSTED and with a caution or a danger. Plain payments are not covered.",
    }),
  })
  .meta({ id: "Recommendation", description: "What to do about the agent, and why" });
export type Recommendation = z.infer<typeof recommendation>;

export const agentLimit = z
  .strictObject({
    limitUsdc: z.number().meta({
      description: "`earnedUsdc` − `failedUsdc` − `reservedUsdc`, at least 0",
    }),
    category: categorySchema
      .nullable()
      .meta({ description: "The category that `earnedUsdc` is restricted to; null for all" }),
    earnedUsdc: z.number().meta({
      description: `A: what anchored clients paid for work that succeeded in the last ${LIMIT_RULES.earnedDays} days, each counted up to ${LIMIT_RULES.usdcPerClient.toLocaleString("en")} USDC, without the largest client`,
    }),
    failedUsdc: z.number().meta({
      description: `P: what was paid in the last ${LIMIT_RULES.failedDays} days for work that failed, or that was agreed and not decided`,
    }),
    reservedUsdc: z.number().meta({
      description:
        "X: value of the upfront terms that the agent signed and that have no recorded outcome yet: agreements, and what can still be paid until `startBy`, also if only the agent signed it or it was withdrawn. Agreements are not on chain, so this is the service's word; the ledger proves the others",
    }),
    clients: z
      .array(
        namedWallet.extend({
          paidUsdc: z.number().meta({ description: "What it counts for, before the others" }),
        }),
      )
      .meta({
        description: "The anchored clients behind it, the largest first, which A leaves out",
      }),
  })
  .meta({
    id: "AgentLimit",
    description: "How much an agent can be trusted with in payments under an agreement",
  });
export type AgentLimit = z.infer<typeof agentLimit>;

export const EVIDENCE_LEVELS = ["none", "limited", "moderate", "strong"] as const;

export const evidenceLevel = z.enum(EVIDENCE_LEVELS).meta({
  id: "EvidenceLevel",
  description:
    "Amount of evidence behind the score, by its confidence: strong from 0.75, moderate from 0.5, otherwise limited",
});
export type EvidenceLevel = z.infer<typeof evidenceLevel>;

export const confirmedClients = z.int().meta({
  description: "Clients with a paid or anchored outcome",
});

/** An agent on the leaderboard page: its entry and further details. */
export const leaderboardRow = explorerEntry.extend({
  rank: z.strictObject({ place: z.int(), tied: z.boolean() }).nullable().meta({
    description: "Place among the matching agents; null if the sort order is not a ranking.",
  }),
  evidence: evidenceLevel,
  risk: riskAssessment,
  /** Without a value at stake. */
  recommendation,
  /** Assessed outcomes whose verdict after disputes is SUCCESS, as a fraction; null without. */
  successRate: z.number().nullable(),
  confirmedClients,
  lastActive: timestampSchema.nullable(),
  /** The figures above in the list's category; missing without one. */
  categoryFigures: z
    .strictObject({
      outcomes: z.int(),
      successRate: z.number().nullable(),
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
});
export type RankedPage = z.infer<typeof rankedPage>;

/** Registered agents; with a search term up to 10,000, and `isMore` is true if more match. */
export const listedAgents = createPageSchema(
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
  /** Those that the words of the search mean. */
  categories: z.array(categorySchema),
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

/** Exact counts, and the most recently recorded verdicts. */
export const siteStats = z.strictObject({
  /** Registered agents. */
  agents: z.int(),
  /** Registered agents with a score, that is, with a recorded outcome. */
  scored: z.int(),
  /** Submitted outcomes, pending and recorded. */
  outcomes: z.int(),
  /** Outcomes without a recorded verdict. */
  waiting: z.int(),
  /** Outcomes with a recorded verdict. */
  recorded: z.int(),
  /** Registered agents in each tier. */
  tiers: z.record(tierSchema, z.int()),
  /** Disputes with a recorded verdict. */
  disputes: z.int(),
  newest: z.array(
    z.strictObject({
      outcomeId: idSchema,
      taskCategory: categorySchema,
      title: z.string().nullable(),
      finalVerdict: verdictSchema,
      assessed: z.boolean(),
      valueUsdc: z.number(),
      paidUsdc: z.number(),
      /** Whether it was judged by checks in code, without a language model. */
      byBuiltin: z.boolean(),
      simulated: z.boolean(),
      resolvedAt: timestampSchema,
      contractor: namedWallet,
      requester: namedWallet,
    }),
  ),
});
export type SiteStats = z.infer<typeof siteStats>;

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

/** Newest outcomes of an agent among which those under an agreement are counted. */
export const MAX_AGREEMENT_SCAN = 200;

export const agreementFigures = z
  .strictObject({
    outcomes: z.int().meta({ description: "Recorded outcomes, without refunded ones" }),
    agreed: z.int().meta({ description: "Of these, those whose terms both parties had signed" }),
    delivered: z.int().meta({ description: "Of these, those with a delivery by the deadline" }),
  })
  .meta({
    id: "AgreementFigures",
    description: `How much of its work the agent did under signed terms, of the newest ${MAX_AGREEMENT_SCAN} outcomes`,
  });

/** What pages and the profile show of any wallet that has a track record. */
const trackRecordShape = {
  walletAddress: walletOutputSchema,
  reputation,
  evidence: evidenceLevel,
  confirmedClients,
  risk: riskAssessment,
  recommendation,
  agreements: agreementFigures,
  asClient: clientRecord,
  breakdown: scoreBreakdown.nullable().meta({
    description: "Breakdown of the score; null for a wallet without outcomes.",
  }),
  limit: agentLimit,
  rank: z.int().nullable().meta({
    description: "Place on the leaderboard; equal scores share one. Null without outcomes.",
  }),
  lastActive: timestampSchema.nullable().meta({
    description: "When its newest recorded outcome was submitted",
  }),
  erc8004: linkedIdentitySchema.nullable().meta({
    description: "The ERC-8004 identity that the agent has linked; null without one",
  }),
};

const registrationShape = {
  agentId: idSchema,
  name: z.string().meta({ description: "Display name" }),
  description: z.string().meta({ description: "What the agent does, in its own words" }),
  categories: declaredCategories,
  links: linksSchema,
  walletVerified,
  registeredAt: timestampSchema,
  simulated,
};

/** The public profile of a registered agent. */
export const profile = z
  .strictObject({ ...registrationShape, ...trackRecordShape })
  .meta({ id: "AgentProfile" });
export type AgentProfile = z.infer<typeof profile>;

/** A wallet for the pages: its registration, or null if only others named it in outcomes. */
export const walletProfile = z.strictObject({
  agent: z.strictObject(registrationShape).nullable(),
  ...trackRecordShape,
});
export type WalletProfile = z.infer<typeof walletProfile>;

/** Names of registered agents by wallet; unregistered wallets are omitted. */
export const namesInput = z.array(walletSchema).max(200);
export const names = z.record(z.string(), z.string());
export type Names = z.infer<typeof names>;

export const profileInput = z.strictObject({ walletAddress: walletSchema });

export const identityInput = z.strictObject({ erc8004AgentId: erc8004AgentIdSchema });

export const BACKINGS = ["anchored", "paid", "claimed"] as const;

const backing = z.enum(BACKINGS).meta({
  id: "Backing",
  description:
    "Evidence besides the submitter's claim: `anchored` if an anchored requester signed its terms or submitted it, `paid` if a payment is proven, otherwise `claimed`",
});
export type Backing = z.infer<typeof backing>;

const outcomeStatusFilter = outcomeStatusSchema
  .optional()
  .meta({ description: "Only pending or only resolved outcomes" });
const backingFilter = backing.optional().meta({ description: "Only outcomes with this evidence" });

export const outcomesInput = z.strictObject({
  walletAddress: walletSchema,
  role: partySchema.optional().meta({
    description: "Only outcomes in which the wallet had this role",
  }),
  category: categoryFilter,
  status: outcomeStatusFilter,
  verdict: verdictSchema
    .optional()
    .meta({ description: "Only resolved outcomes with this recorded verdict" }),
  backing: backingFilter,
  ...pageInputShape,
});
export type OutcomesInput = z.infer<typeof outcomesInput>;

const listedOutcome = publicOutcome.extend({ backing }).meta({ id: "ListedOutcome" });
export type ListedOutcome = z.infer<typeof listedOutcome>;

/** Outcomes in which the wallet is contractor or requester, newest first. */
export const outcomesPage = createPageSchema(listedOutcome).meta({ id: "OutcomesPage" });
export type OutcomesPage = z.infer<typeof outcomesPage>;

/** What an agent's newest jobs say about the next one. */
export const pastJobs = z.strictObject({
  /** Of payments that count; null without one. */
  prices: z
    .strictObject({
      jobs: z.int(),
      lowUsdc: z.number(),
      medianUsdc: z.number(),
      highUsdc: z.number(),
      /** Whether low and high are the least and the most; else the 10th and 90th percentile. */
      isFullRange: z.boolean(),
    })
    .nullable(),
  /** From signed terms to the agent's delivery; null without such a job. */
  delivery: z.strictObject({ jobs: z.int(), medianSeconds: z.number() }).nullable(),
});
export type PastJobs = z.infer<typeof pastJobs>;

/** Requesters that the wallet worked for, by resolved outcomes. */
export const counterparties = z.strictObject({
  requesters: z.int(),
  outcomes: z.int(),
  top: z
    .array(
      namedWallet.extend({
        isAnchor: z.boolean().meta({ description: "Whether the requester is an anchor now" }),
        outcomes: z.int(),
      }),
    )
    .meta({ description: "Most resolved outcomes first" }),
});
export type Counterparties = z.infer<typeof counterparties>;

const disputeCounts = z.strictObject({ won: z.int(), lost: z.int(), open: z.int() });

/** How a wallet's disputes ended, by its role, and the latest ones. */
export const disputeRecord = z.strictObject({
  contractor: disputeCounts,
  requester: disputeCounts,
  latest: z.array(
    z.strictObject({
      disputeId: idSchema,
      role: z.enum(["contractor", "requester"]),
      state: z.enum(["won", "lost", "open"]),
      category: categorySchema,
      openedAt: timestampSchema,
    }),
  ),
});
export type DisputeRecord = z.infer<typeof disputeRecord>;

/** The score up to now, oldest first; thinned out if there are many changes. */
export const scoreSeries = z.array(historyEntry.pick({ at: true, score: true, cause: true }));
export type ScoreSeries = z.infer<typeof scoreSeries>;

export const SERIES_RANGES = ["30d", "6m", "all"] as const;

export const seriesInput = profileInput.extend({ range: z.enum(SERIES_RANGES).default("all") });
export type SeriesInput = z.infer<typeof seriesInput>;

/** What the URL of a profile selects: the range of its chart. */
export const profileQuery = z.strictObject({
  range: seriesInput.shape.range.unwrap().default("6m"),
});

/** What the URL of a profile's list of jobs selects. */
export const profileJobsQuery = outcomesInput.omit({
  walletAddress: true,
  status: true,
  size: true,
});

/** The latest changes of a score by at least half a hundredth of a point, newest first. */
export const scoreMoves = z.array(historyEntry);
export type ScoreMoves = z.infer<typeof scoreMoves>;

/** Most wallets around the agent in the graph of its counterparties. */
export const MAX_GRAPH_WALLETS = 20;

/** The wallets that an agent trades with most, and the work among them and the agent. */
export const counterpartyGraph = z.strictObject({
  wallets: z.array(namedWallet.extend({ isAnchor: z.boolean() })),
  /** Number of all wallets that it traded with. */
  total: z.int(),
  /** Money flows from the client to the contractor. */
  edges: z.array(
    z.strictObject({
      client: walletOutputSchema,
      contractor: walletOutputSchema,
      jobs: z.int(),
      paidUsdc: z.number(),
    }),
  ),
});
export type CounterpartyGraph = z.infer<typeof counterpartyGraph>;

const valueUsdc = z.number().meta({ description: "Value of the task in USDC, as submitted" });

const dateSchema = z.iso.date().meta({ description: "UTC day", example: "2026-11-21" });
/**
 * A day that a list is filtered by, or a time of that day, parsed to `YYYY-MM-DD`. The database has no
 * year 0, and a timestamp none of five digits.
 */
const dateFilter = z
  .union([
    z.iso.date(),
    z.iso.datetime({ offset: true }).transform((at) => new Date(at).toISOString().slice(0, 10)),
  ])
  .pipe(z.string().regex(/^20\d\d-/, "must be from 2000-01-01 to 2099-12-31"))
  .meta({ example: "2026-11-21" });

export const networkOutcomesInput = z.strictObject({
  category: categoryFilter,
  status: outcomeStatusFilter,
  verdict: z.enum(["SUCCESS", "FAILURE", "NOT_ASSESSED"]).optional().meta({
    description:
      "Only assessed outcomes with this verdict after disputes; or those that were not assessed",
  }),
  backing: backingFilter,
  minValueUsdc: usdcSchema.optional().meta({ description: "Minimum value of the task in USDC" }),
  from: dateFilter.optional().meta({
    description:
      "Only outcomes whose verdict was recorded on this UTC day, or that of this time, or later",
  }),
  to: dateFilter.optional().meta({
    description:
      "Only outcomes whose verdict was recorded on this UTC day, or that of this time, or earlier",
  }),
  ...pageInputShape,
});
export type NetworkOutcomesInput = z.infer<typeof networkOutcomesInput>;

export const networkOutcome = z
  .strictObject({
    outcomeId: idSchema,
    status: outcomeStatusSchema,
    taskCategory: categorySchema,
    title: publicOutcome.shape.title,
    contractor: namedWallet,
    requester: namedWallet,
    valueUsdc,
    paidUsdc: z
      .number()
      .meta({ description: "Amount that the requester provably paid; 0 if none" }),
    backing,
    verdict: verdictSchema.nullable().meta({
      description: "The original verdict; null until the outcome is resolved",
    }),
    finalVerdict: verdictSchema.nullable().meta({ description: "The verdict after disputes" }),
    assessed: z.boolean().nullable().meta({
      description: "False if the verdict says nothing, because the judge could not assess the work",
    }),
    disputeId: idSchema.nullable().meta({ description: "Its dispute; null if it has none" }),
    clientConfirmed: z.boolean().nullable().meta({
      description: "Whether the client confirmed the outcome by submitting it; null if unpaid",
    }),
    isRefunded: z.boolean().meta({ description: "Whether the payment was returned" }),
    isSuperseded: z.boolean().meta({
      description: "Whether the payer submitted its own outcome for the payment",
    }),
    submittedAt: timestampSchema,
    resolvedAt: timestampSchema.nullable().meta({
      description: "When the verdict was recorded; null while it is evaluated",
    }),
    simulated,
  })
  .meta({ id: "NetworkOutcome" });
export type NetworkOutcome = z.infer<typeof networkOutcome>;

const isMore = z.boolean().meta({
  description:
    "True if there may be more than `totalElements`: at most 10,000 are listed, and a filter searches the newest 50,000",
});

/** Outcomes of all agents, newest first. */
export const networkOutcomes = createPageSchema(networkOutcome)
  .extend({ isMore })
  .meta({ id: "NetworkOutcomesPage" });
export type NetworkOutcomes = z.infer<typeof networkOutcomes>;

export const networkDisputesInput = z.strictObject({
  category: categoryFilter,
  status: disputeStatusSchema
    .optional()
    .meta({ description: "Only open or only resolved disputes" }),
  result: z.enum(["upheld", "overturned"]).optional().meta({
    description: "Only resolved disputes that upheld or overturned the original verdict",
  }),
  ...pageInputShape,
});
export type NetworkDisputesInput = z.infer<typeof networkDisputesInput>;

export const networkDispute = z
  .strictObject({
    disputeId: idSchema,
    outcomeId: idSchema,
    status: disputeStatusSchema,
    openedBy: partySchema,
    contractor: namedWallet,
    requester: namedWallet,
    taskCategory: categorySchema,
    title: publicOutcome.shape.title,
    valueUsdc,
    recordedVerdict: verdictSchema.meta({ description: "The original verdict" }),
    recordedAssessed: disputeSchema.shape.recordedAssessed,
    assessed: z
      .boolean()
      .nullable()
      .meta({ description: "As in the dispute; null while it is open" }),
    finalVerdict: verdictSchema.nullable().meta({
      description: "The verdict after the dispute; null while it is open",
    }),
    openedAt: timestampSchema,
    resolvedAt: timestampSchema.nullable().meta({
      description: "When the ruling was recorded; null while it is open",
    }),
    simulated,
  })
  .meta({ id: "NetworkDispute" });
export type NetworkDispute = z.infer<typeof networkDispute>;

/** Disputes of all agents, most recently opened first. */
export const networkDisputes = createPageSchema(networkDispute)
  .extend({ isMore })
  .meta({ id: "NetworkDisputesPage" });
export type NetworkDisputes = z.infer<typeof networkDisputes>;

export const agentsInput = searchInput
  .pick({ q: true, category: true, page: true, size: true })
  .extend({ sort: z.enum(SORTS).default("newest") });
export type AgentsInput = z.infer<typeof agentsInput>;

export const networkStatsInput = z.strictObject({
  range: z.enum(SERIES_RANGES).default("6m").meta({
    description: "The last 30 days, the last 26 weeks, or everything",
  }),
  category: categoryFilter,
});
export type NetworkStatsInput = z.infer<typeof networkStatsInput>;

const networkCounts = z
  .strictObject({
    outcomes: z.int().meta({ description: "Outcomes whose verdict was recorded in the period" }),
    assessed: z.int().meta({ description: "Those of them whose verdict says anything" }),
    successes: z.int().meta({ description: "Those of them that are a SUCCESS after disputes" }),
    paidUsdc: z.number().meta({ description: "Proven payments of these outcomes" }),
    disputes: z.int().meta({ description: "Disputes opened in the period" }),
    overturned: z.int().meta({ description: "Those that overturned the original verdict" }),
    agents: z.int().meta({ description: "Agents registered in the period, of any category" }),
  })
  .meta({ id: "NetworkCounts", description: "Counts of a period" });
export type NetworkCounts = z.infer<typeof networkCounts>;

export const networkPeriod = networkCounts
  .extend({ from: dateSchema, to: dateSchema })
  .meta({ id: "NetworkPeriod" });
export type NetworkPeriod = z.infer<typeof networkPeriod>;

/** The network over time, in periods of equal length that end today. */
export const networkStats = z
  .strictObject({
    range: z.enum(SERIES_RANGES).meta({ description: "The requested range" }),
    periodDays: z.int().meta({ description: "Length of a period in days" }),
    total: networkCounts,
    periods: z.array(networkPeriod).meta({
      description: "Oldest first; the last one ends today, which is not over yet",
    }),
    categories: z
      .array(networkCounts.omit({ agents: true }).extend({ category: categorySchema }))
      .meta({ description: "All categories within the range, most outcomes first" }),
  })
  .meta({ id: "NetworkStats" });
export type NetworkStats = z.infer<typeof networkStats>;

/** What backs an outcome, and what its records did to the contractor's score. */
export const outcomeEffects = z.strictObject({
  backing,
  /** By its verdict, its dispute and its refund, oldest first. */
  changes: z.array(historyEntry),
  /** Points by which a dispute that overturned the verdict would move the score today; null if none can. */
  ifOverturned: z.number().nullable(),
});
export type OutcomeEffects = z.infer<typeof outcomeEffects>;

/** `seq` of the anchors' records. */
export const anchorEffectsInput = z.array(z.int()).max(100);

/** What anchors back; those that back nothing are omitted. */
export const anchorEffects = z.array(
  z.strictObject({
    seq: z.int(),
    /** Resolved outcomes that are anchored because of it. */
    outcomes: z.int(),
    /** Contractors of these outcomes. */
    agents: z.int(),
    paidUsdc: z.number(),
  }),
);
export type AnchorEffects = z.infer<typeof anchorEffects>;

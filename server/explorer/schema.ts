import { z } from "zod";
import { linksSchema, namedWallet } from "@/server/agents/schema";
import { clientRecord } from "@/server/agreements/schema";
import { erc8004AgentIdSchema, linkedIdentitySchema } from "@/server/identities/schema";
import {
  categorySchema,
  createPageSchema,
  idSchema,
  pageInputShape,
  partySchema,
  timestampSchema,
  verdictSchema,
} from "@/server/lib/schema";
import { walletOutputSchema, walletSchema } from "@/server/lib/wallet";
import { outcomeStatusSchema, publicOutcome } from "@/server/outcomes/schema";
import { historyEntry, reputation, scoreBreakdown } from "@/server/reputation/schema";
import {
  agentLimit,
  agreementFigures,
  checkInput,
  confirmedClients,
  evidenceLevel,
  recommendation,
  riskAssessment,
} from "./risk/schema";

export const declaredCategories = z
  .array(categorySchema)
  .meta({ description: "Categories that the agent declares" });

export const walletVerified = z
  .boolean()
  .meta({ description: "Whether the agent has proven that it controls the wallet" });

export const simulated = z
  .literal(true)
  .optional()
  .meta({ description: "Part of a simulated history" });

/** Filters of several lists. */
export const categoryFilter = categorySchema.optional().meta({ description: "Only this category" });

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

/** What names jobs that a page refers to by id. */
export const jobsInput = z.array(idSchema).max(400);
export const namedJobs = z.array(
  z.strictObject({
    outcomeId: idSchema,
    title: z.string().nullable(),
    taskCategory: categorySchema,
    valueUsdc: z.number(),
    /** What a dispute did to its verdict; null without one. */
    dispute: z.enum(["open", "upheld", "overturned"]).nullable(),
  }),
);
export type NamedJobs = z.infer<typeof namedJobs>;

export const profileInput = z.strictObject({ walletAddress: walletSchema });

export const identityInput = z.strictObject({ erc8004AgentId: erc8004AgentIdSchema });

export const BACKINGS = ["anchored", "paid", "claimed"] as const;

export const backing = z.enum(BACKINGS).meta({
  id: "Backing",
  description:
    "Evidence besides the submitter's claim: `anchored` if an anchored requester signed its terms or submitted it, `paid` if a payment is proven, otherwise `claimed`",
});
export type Backing = z.infer<typeof backing>;

export const outcomeStatusFilter = outcomeStatusSchema
  .optional()
  .meta({ description: "Only pending or only resolved outcomes" });

export const backingFilter = backing
  .optional()
  .meta({ description: "Only outcomes with this evidence" });

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

export const pastJobsInput = profileInput.extend({ category: categorySchema.optional() });
export type PastJobsInput = z.infer<typeof pastJobsInput>;

/** What an agent's newest jobs say about the next one. */
export const pastJobs = z.strictObject({
  /** Of payments that count; null without one. */
  prices: z
    .strictObject({
      jobs: z.int(),
      /** Low and high are the 10th and 90th percentile; of few jobs the least and the most. */
      lowUsdc: z.number(),
      medianUsdc: z.number(),
      highUsdc: z.number(),
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
      title: publicOutcome.shape.title,
      taskCategory: categorySchema,
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
  ...checkInput.pick({ valueUsdc: true, category: true }).shape,
});

/** What the URL of a profile's list of jobs selects. */
export const profileJobsQuery = outcomesInput.omit({
  walletAddress: true,
  status: true,
  size: true,
});

/** The changes of a score in 30 days, or the latest few, by at least half a hundredth of a point; newest first. */
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

/** What backs an outcome, and what its records did to the contractor's score. */
export const outcomeEffects = z.strictObject({
  backing,
  /** The transfer that paid for delivered work, which the chain's records don't count as a payment. */
  deliveryPaymentTxHash: z.string().nullable(),
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

/** When anchors were revoked, of those that were. */
export const revocations = z.array(z.strictObject({ seq: z.int(), at: timestampSchema }));
export type Revocations = z.infer<typeof revocations>;

/** The latest listing of a wallet as a known client. */
export const knownClient = z.strictObject({
  from: timestampSchema,
  /** When it expired or was revoked; null if it holds. */
  endedAt: timestampSchema.nullable(),
  reason: z.string().nullable(),
});
export type KnownClient = z.infer<typeof knownClient>;

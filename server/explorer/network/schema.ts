import { z } from "zod";
import { namedWallet } from "@/server/agents/schema";
import { disputeSchema, disputeStatusSchema } from "@/server/disputes/schema";
import {
  backing,
  backingFilter,
  categoryFilter,
  outcomeStatusFilter,
  SERIES_RANGES,
  simulated,
} from "@/server/explorer/schema";
import {
  categorySchema,
  createPageSchema,
  idSchema,
  pageInputShape,
  partySchema,
  tierSchema,
  timestampSchema,
  usdcSchema,
  verdictSchema,
} from "@/server/lib/schema";
import { outcomeStatusSchema, publicOutcome } from "@/server/outcomes/schema";

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
      isRefunded: z.boolean(),
      resolvedAt: timestampSchema,
      contractor: namedWallet,
      requester: namedWallet,
    }),
  ),
});
export type SiteStats = z.infer<typeof siteStats>;

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

import { z } from "zod";
import {
  createPageSchema,
  idSchema,
  pageInputShape,
  tierSchema,
  timestampSchema,
  txHashSchema,
} from "@/server/lib/schema";
import { rawWalletSchema, walletOutputSchema } from "@/server/lib/wallet";
import { CEILINGS, NEXT_TIER_LIMITS, POLICY } from "./policy";

const evidence = z.tuple([z.number(), z.number()]).meta({
  description: "[good, bad], in units U",
  // Some tools that read the document only know `items`, not `prefixItems`.
  override: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
});

/** Breakdown of the score; see `score.ts` for the formula. */
export const scoreBreakdown = z
  .strictObject({
    quality: z.number().meta({ description: "Share of good evidence, from 0 to 1" }),
    confidence: z.number().meta({
      description: `G / (G + ${POLICY.halfConfidenceUnits}), from 0 to 1; the score is 100 × quality × confidence`,
    }),
    good: z.number().meta({ description: "G, the evidence behind confidence, in units U" }),
    tenureCapacity: z
      .number()
      .meta({ description: "Most evidence the agent's tenure admits, in U" }),
    claimed: evidence,
    paid: evidence,
    anchored: evidence,
  })
  .meta({ id: "ScoreBreakdown", description: "How the evidence makes up the score" });
export type ScoreBreakdown = z.infer<typeof scoreBreakdown>;

/** [good, bad] evidence in units of one class, and how much of it the caps admit. */
export interface CountedClass {
  /** At most `requesterCap` units for each client. */
  recorded: [number, number];
  /** After the caps of the class, as it enters quality. */
  weighed: [number, number];
  /** The good evidence that enters confidence. */
  counted: number;
}

/** Every step from the recorded evidence to quality and confidence. */
export interface CountedEvidence {
  classes: Record<"anchored" | "paid" | "claimed", CountedClass>;
  total: CountedClass;
}

export const scoreSchema = z
  .number()
  .min(0)
  .max(100)
  .meta({ description: "0 to 100, with two decimals" });
export const totalOutcomesSchema = z
  .int()
  .min(0)
  .meta({ description: "Recorded outcomes as contractor" });

const scoreCeiling = z
  .strictObject({
    score: z.number().meta({
      description: `${CEILINGS.claimedOnly} with unconfirmed outcomes only, ${CEILINGS.withoutAnchor} with paid ones`,
    }),
    liftedBy: z.enum(["payment", "anchor"]).meta({
      description: `payment: a success with a proven payment (\`paymentTxHash\`) lifts it to ${CEILINGS.withoutAnchor}; anchor: a success that an anchored requester (\`GET /anchors\`) signed the terms of or submitted removes it`,
    }),
  })
  .meta({ id: "ScoreCeiling" });
export type ScoreCeiling = z.infer<typeof scoreCeiling>;

export const reputation = z
  .strictObject({
    walletAddress: walletOutputSchema,
    score: scoreSchema,
    tier: tierSchema,
    ceiling: scoreCeiling.nullable().meta({
      description:
        "The score that further outcomes of the kinds recorded so far can't exceed, and what lifts it; null if an anchored outcome removed it",
    }),
    totalOutcomes: totalOutcomesSchema,
    confirmedOutcomes: z.int().min(0).meta({
      description:
        "Outcomes that the rates are computed over: the agent submitted them, agreed to them or was paid for them, and they are not void. A failure that only an unanchored requester reports is included after its days of grace",
    }),
    assessedOutcomes: z.int().min(0).meta({
      description:
        "Those of them whose verdict says anything: its confidence is above 0.5, or a dispute decided it",
    }),
    successRate: z.number().min(0).max(1).meta({
      description: "Confirmed outcomes whose verdict after disputes is SUCCESS",
    }),
    assessedSuccessRate: z.number().min(0).max(1).nullable().meta({
      description: "Assessed outcomes whose verdict after disputes is SUCCESS; null without one",
    }),
    disputeRate: z.number().min(0).max(1).meta({
      description: "Confirmed outcomes with a resolved dispute",
    }),
    categoryScores: z.record(z.string(), z.number()).meta({
      description: "Score by category, for the categories in which the agent has an outcome",
    }),
    lastUpdated: timestampSchema
      .nullable()
      .meta({ description: "When the score last changed; null without outcomes" }),
    scoreDay: z.iso.date().meta({ description: "UTC day that the score was computed for" }),
    simulated: z
      .literal(true)
      .optional()
      .meta({ description: "True for an agent of a simulated history" }),
  })
  .meta({ id: "Reputation", description: "Reputation of a wallet as contractor" });
export type Reputation = z.infer<typeof reputation>;

export const bulkInput = z.strictObject({
  addresses: z.array(rawWalletSchema).min(1).max(100),
});

const SCORE_CHANGE_RULES = [
  "success",
  "success-partner-full",
  "success-claims-full",
  "success-open-full",
  "success-tenure-full",
  "failure",
  "failure-reported",
  "failure-matured",
  "weightless-self",
  "weightless-value",
  "weightless-stranger",
  "weightless-unsure",
  "weightless-squatter",
  "dispute-upheld",
  "dispute-made-failure",
  "dispute-took-success",
  "dispute-unassessed",
  "dispute-made-success",
  "dispute-confirmed-failure",
  "refund",
  "superseded",
  "anchor-added",
  "anchor-revoked",
  "takeover",
  "days",
] as const;
export type ScoreChangeRule = (typeof SCORE_CHANGE_RULES)[number];

/** Values for the sentence about a rule. */
export interface ScoreChangeFacts {
  /** UTC day from which a reported failure counts, `YYYY-MM-DD`. */
  countsFrom?: string;
  valueUsdc?: number;
  backing?: "anchored" | "paid" | "claimed";
  isNewRequester?: boolean;
  /** Most evidence that the agent's tenure allows, in units. */
  capacity?: number;
  /** Number of outcomes concerned. */
  outcomes?: number;
}

/** Why a record changed a score, as stored; scores in 1/10,000 points. */
export interface StoredScoreChange {
  rule: ScoreChangeRule;
  facts: ScoreChangeFacts;
  effectE4: number;
  daysE4: number;
  before: ScoreBreakdown | null;
  after: ScoreBreakdown;
}

/** Explains a change of the score. The API calls it a receipt. */
const explanation = z
  .strictObject({
    rule: z.enum(SCORE_CHANGE_RULES).meta({ description: "The rule that applied" }),
    sentence: z.string().meta({ description: "The same in plain words" }),
    effect: z.number().meta({
      description:
        "Points from the event alone: the score with its record minus the score without it, on the same day",
    }),
    days: z.number().meta({ description: "Points from the days since the previous change" }),
    before: scoreBreakdown.nullable().meta({
      description: "Without the record, on the same day; null if there was no outcome before",
    }),
    after: scoreBreakdown,
  })
  .meta({ id: "ScoreReceipt" });

const tierWay = z
  .strictObject({
    by: z.enum(["anchored", "paid", "claimed", "time"]).meta({
      description: "How further jobs are backed; `time`: no further jobs",
    }),
    successes: z.int().meta({ description: "Further successes, each for a new requester" }),
    days: z.int().meta({ description: "Days until they suffice" }),
  })
  .meta({ id: "TierWay" });
export type TierWay = z.infer<typeof tierWay>;

/** Ways to reach the next tier, found by scoring hypothetical ledgers. */
const nextTierSchema = z
  .strictObject({
    tier: tierSchema,
    assumes: z
      .strictObject({
        valueUsdc: z.number().meta({ description: "Value of each job in USDC" }),
        confidence: z.number().meta({ description: "From 0 to 1" }),
      })
      .meta({ description: "Assumed value and verdict confidence of each further job" }),
    ways: z.array(tierWay).meta({
      description: `A way that is not listed needs more than ${NEXT_TIER_LIMITS.successes} jobs or more than ${NEXT_TIER_LIMITS.days} days`,
    }),
  })
  .meta({ id: "NextTier" });
export type NextTier = z.infer<typeof nextTierSchema>;

export const historyEntry = z
  .strictObject({
    at: timestampSchema,
    version: z.int().meta({ description: "Rises with every change of this wallet's score" }),
    score: scoreSchema,
    previousScore: z.number().meta({
      description: "Score before the event; for `day`, the last announced score",
    }),
    tier: tierSchema,
    totalOutcomes: totalOutcomesSchema,
    cause: z
      .enum(["outcome", "dispute", "refund", "superseded", "anchor", "takeover", "day"])
      .meta({
        description: "Kind of event; `day` if only the passing of days changed the score",
      }),
    outcomeId: idSchema
      .nullable()
      .meta({ description: "The outcome concerned; null if there is none" }),
    disputeId: idSchema
      .nullable()
      .meta({ description: "The dispute that caused it; null if none did" }),
    seq: z
      .int()
      .nullable()
      .meta({ description: "`seq` of the record that caused it; null for `day`" }),
    receipt: explanation.nullable().meta({
      description: "Explains the change; null for changes from before explanations were stored",
    }),
  })
  .meta({ id: "ScoreChange" });
export type ScoreChange = z.infer<typeof historyEntry>;

/** An anchor as recorded on chain. */
export const publicAnchor = z
  .strictObject({
    walletAddress: walletOutputSchema,
    name: z
      .string()
      .nullable()
      .meta({ description: "Name of the agent registered for the wallet" }),
    from: timestampSchema,
    until: timestampSchema.nullable().meta({ description: "Null if it does not expire" }),
    reason: z.string().nullable().meta({ description: "The operator's reason for trusting it" }),
    revoked: z
      .boolean()
      .meta({ description: "A revoked anchor counts for nothing, as if it had never existed" }),
    seq: z.int().meta({ description: "`seq` of its record in the ledger" }),
    onChainTx: txHashSchema,
    revokedSeq: z
      .int()
      .nullable()
      .meta({ description: "`seq` of the revocation; null if it is not revoked" }),
    revokedTx: txHashSchema.nullable().meta({ description: "Transaction of the revocation" }),
  })
  .meta({ id: "Anchor" });
export type PublicAnchor = z.infer<typeof publicAnchor>;

export const pageInput = z.strictObject(pageInputShape);

/** Latest record first. */
export const anchorsPage = createPageSchema(publicAnchor).meta({ id: "AnchorsPage" });
export type AnchorsPage = z.infer<typeof anchorsPage>;

/** Newest first. */
export const historyPage = createPageSchema(historyEntry)
  .extend({
    nextTier: nextTierSchema.nullable().meta({
      description: `Null for the highest tier, and for an agent with more than ${NEXT_TIER_LIMITS.outcomes.toLocaleString("en")} outcomes`,
    }),
  })
  .meta({ id: "ScoreHistoryPage" });
export type HistoryPage = z.infer<typeof historyPage>;

import { z } from "zod";
import type { JudgementDetail } from "@/server/judging/judge";
import { publicJudgementSchema } from "@/server/judging/schema";
import {
  createPageSchema,
  disputeReviewSchema,
  disputeVerdictSchema,
  hashSchema,
  httpUrlSchema,
  idSchema,
  pageInputShape,
  partySchema,
  recordIndexSchema,
  textSchema,
  timestampSchema,
  txHashSchema,
  type Verdict,
  verbatimTextSchema,
  verdictSchema,
} from "@/server/lib/schema";
import { STAKE_USDC } from "@/server/lib/usdc";
import { walletOutputSchema } from "@/server/lib/wallet";
import { judgeSchema, publicOutcome } from "@/server/outcomes/schema";

export type { Party } from "@/server/lib/schema";
export type DisputeVerdict = z.infer<typeof disputeVerdictSchema>;

/** Blank text is refused: it would replace the requester's text with nothing. */
const deliverableContent = verbatimTextSchema(500_000)
  .refine((value) => value.trim() !== "", "must hold visible text")
  .optional()
  .meta({
    minLength: 1,
    description:
      "What the contractor delivered, in a dispute over an outcome that the requester submitted; refused in any other. Judged instead of the requester's text. Private to the two parties; the public sees its salted hash.",
  });

export const openInput = z.strictObject({
  outcomeId: idSchema,
  reason: textSchema(1, 10_000).meta({ description: "Why the verdict is wrong. Public." }),
  deliverableContent,
  evidenceUrl: httpUrlSchema.optional().meta({
    description:
      "A document that shows it; fetched once, now, and judged from that copy. From a contractor that may supply the deliverable and sends no `deliverableContent`, the document is the deliverable.",
  }),
  stakePaymentTxHash: txHashSchema.meta({
    description: `Transaction in which your wallet sent at least ${STAKE_USDC} USDC to the stake address`,
  }),
});
export type OpenInput = z.infer<typeof openInput>;

export const stakeInput = z.strictObject({
  disputeId: idSchema,
  stakePaymentTxHash: txHashSchema.meta({ description: "Transaction of your stake" }),
  statement: textSchema(1, 10_000).optional().meta({ description: "Your side. Public." }),
  deliverableContent,
  evidenceUrl: httpUrlSchema.optional().meta({ description: "As on opening" }),
});
export type StakeInput = z.infer<typeof stakeInput>;

const stakeUsdcSchema = z.string().meta({
  description: "Minimum stake of each party in USDC, as decimal text",
  example: STAKE_USDC,
});

export const openedDispute = z
  .strictObject({
    disputeId: idSchema,
    status: z.literal("OPEN").meta({ description: "A dispute opens as OPEN" }),
    stakeUsdc: stakeUsdcSchema,
    expiresAt: timestampSchema.meta({
      description: "Until when the other party can answer; then the review starts",
    }),
    disputeReview: disputeReviewSchema,
  })
  .meta({ id: "OpenedDispute" });
export type OpenedDispute = z.infer<typeof openedDispute>;

const stakeSchema = z
  .strictObject({
    party: partySchema,
    walletAddress: walletOutputSchema,
    state: z.enum(["none", "held", "returning", "returned", "forfeited", "gone"]).meta({
      description:
        "none: never paid; held: while the dispute is open; returning, returned: to its payer; forfeited: the dispute was lost; gone: a reorganisation of the chain removed the payment, so it counts as never paid.",
    }),
    amountUsdc: z.number().nullable().meta({ description: "Amount paid; null if none was" }),
    paymentTxHash: txHashSchema.nullable().meta({ description: "Transaction of the payment" }),
    stakeReturnStatus: z.enum(["none", "waiting", "sent", "returned"]).meta({
      description:
        "Of the payment back. none: nothing is due; waiting: until the stake is final on chain; sent: not confirmed yet; returned: confirmed.",
    }),
    stakeReturnTx: txHashSchema.nullable().meta({ description: "Transaction of the payment back" }),
  })
  .meta({ id: "Stake", description: "The stake of one party" });

const statementSchema = z
  .strictObject({
    party: partySchema,
    text: z.string().nullable().meta({ description: "The party's words; null if it sent none" }),
    evidenceUrl: z.string().nullable().meta({ description: "URL of its evidence, as sent" }),
    evidenceHash: hashSchema.nullable().meta({
      description: "SHA-256 of the dispute's salt followed by the SHA-256 of the fetched document",
    }),
    evidenceFailure: z.string().nullable().meta({
      description: "Why the document was left out; null if it was judged or none was named",
    }),
    deliverableHash: hashSchema.nullable().meta({
      description:
        "Set if this party, the contractor, supplied the deliverable in the dispute, which was then judged: SHA-256 of the dispute's salt followed by the SHA-256 of the text; null otherwise. The same as `evidenceHash` if the document behind `evidenceUrl` is that deliverable.",
    }),
    at: timestampSchema.meta({ description: "When the statement was made" }),
  })
  .meta({ id: "Statement", description: "What one party said" });

/**
 * The data that the dispute's record on chain commits to, by the SHA-256 of its canonical JSON
 * (RFC 8785). Absent fields are not part of the JSON.
 */
export const disputeEvidenceSchema = z
  .strictObject({
    disputeId: idSchema,
    outcomeId: idSchema,
    outcomeEvidenceHash: hashSchema.nullable().meta({
      description: "`evidenceHash` of the outcome; null if its record has none",
    }),
    statementHashes: z.array(hashSchema).meta({ description: "Opener's first" }),
    evidenceHashes: z.array(hashSchema).meta({ description: "Of the fetched documents" }),
    deliverableHash: hashSchema.optional().meta({
      description: "Of the deliverable that the contractor supplied; absent if it supplied none",
    }),
    reviewHash: hashSchema.nullable().meta({
      description:
        "SHA-256 of the dispute's salt followed by the SHA-256 of the review as canonical JSON; null if it was recorded without one",
    }),
    verdict: disputeVerdictSchema,
    assessed: z.boolean().meta({ description: "As in the dispute" }),
    judgeVersion: z.string().meta({ description: "Version of the judge's method and prompts" }),
    reasoningHash: hashSchema.meta({ description: "SHA-256 of `reason` in UTF-8" }),
    simulated: z.literal(true).optional().meta({
      description: "Simulated; covered by the hash on chain",
    }),
  })
  .meta({
    id: "DisputeEvidence",
    description: "What the dispute's record on chain commits to, by its hash",
  });
export type DisputeEvidence = z.infer<typeof disputeEvidenceSchema>;

export const disputeStatusSchema = z.enum(["OPEN", "RESOLVED"]).meta({
  id: "DisputeStatus",
  description: "OPEN until the dispute's verdict is recorded on chain, then RESOLVED.",
});

export const disputeSchema = z
  .strictObject({
    disputeId: idSchema,
    outcomeId: idSchema,
    status: disputeStatusSchema,
    phase: z.enum(["awaiting-answer", "in-review", "recording", "resolved"]).meta({
      description: "Waiting for the other party, the judge, the chain, or nothing",
    }),
    openedBy: partySchema,
    contractorAgentAddress: walletOutputSchema,
    requesterAgentAddress: walletOutputSchema,
    taskCategory: publicOutcome.shape.taskCategory,
    title: publicOutcome.shape.title,
    stakeUsdc: stakeUsdcSchema,
    openedAt: timestampSchema,
    expiresAt: timestampSchema,
    recordedVerdict: verdictSchema.meta({ description: "The disputed verdict" }),
    recordedAssessed: z.boolean().meta({
      description:
        "False if the disputed verdict says nothing, because the judge could not assess the work",
    }),
    stakes: z.array(stakeSchema).meta({ description: "Opener's first; always both parties" }),
    statements: z.array(statementSchema).meta({ description: "Opener's first" }),
    verdict: disputeVerdictSchema.optional(),
    assessed: z.boolean().optional().meta({
      description:
        "Whether the review examined the work, or the contractor conceded its own success. Otherwise an overturned verdict weighs nothing.",
    }),
    reason: z.string().optional().meta({ description: "The judge's explanation" }),
    checks: publicJudgementSchema.shape.checks.optional().meta({
      description: "What code checked in the review: under an agreement, its requirements",
    }),
    finalVerdict: verdictSchema
      .optional()
      .meta({ description: "The outcome's verdict after the dispute" }),
    resolvedAt: timestampSchema.optional(),
    onChainTx: txHashSchema.optional(),
    recordIndex: recordIndexSchema.optional(),
    judge: judgeSchema.optional(),
    // As for an outcome, malformed evidence must not break a list.
    evidence: disputeEvidenceSchema.optional().catch(undefined),
    evidenceHash: hashSchema.optional().meta({
      description:
        "Part of the record on chain: SHA-256 of `evidence` as canonical JSON (RFC 8785)",
    }),
    simulated: z.literal(true).optional().meta({
      description: "Part of a simulated history",
    }),
  })
  .meta({ id: "Dispute" });
export type Dispute = z.infer<typeof disputeSchema>;

export const listInput = z.strictObject(pageInputShape);
export type ListInput = z.infer<typeof listInput>;

/** Newest first. */
export const disputePage = createPageSchema(disputeSchema).meta({ id: "DisputePage" });
export type DisputePage = z.infer<typeof disputePage>;

/** Time limits in milliseconds. */
export const disputeTerms = z.strictObject({
  /** How long after its resolution an outcome can be disputed. */
  disputeWindowMs: z.int(),
  /** How long the other party of a dispute can answer. */
  responseWindowMs: z.int(),
  /** Whether the service opens new disputes. */
  acceptsDisputes: z.boolean(),
  disputeReview: disputeReviewSchema,
});
export type DisputeTerms = z.infer<typeof disputeTerms>;

/** A dispute with the fields that only its parties see, with the key of a verified agent. */
export const partyDispute = disputeSchema
  .extend({
    private: z
      .strictObject({
        salt: z.string().meta({ description: "Hexadecimal; makes the salted hashes checkable" }),
        deliverableContent: z.string().optional().meta({
          description: "The text that the contractor supplied as its deliverable",
        }),
      })
      .optional()
      .meta({ description: "Only for the two parties, with the key of a verified agent" }),
  })
  .meta({ id: "PartyDispute" });

/** Details of a review, stored for audit; the judge defines what else they contain. */
export type ReviewDetail = Record<string, unknown> &
  Pick<JudgementDetail, "checks" | "requirements" | "examinations">;

/** Returns the dispute verdict that makes `finalVerdict` final. */
export function toDisputeVerdict(finalVerdict: Verdict): DisputeVerdict {
  return finalVerdict === "SUCCESS" ? "CONTRACTOR_WINS" : "REQUESTER_WINS";
}

/** Returns the final verdict of an outcome after a dispute, whatever the recorded verdict was. */
export function toFinalVerdict(verdict: DisputeVerdict): Verdict {
  return verdict === "CONTRACTOR_WINS" ? "SUCCESS" : "FAILURE";
}

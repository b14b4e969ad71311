import { z } from "zod";
import { hashSchema, idSchema, timestampSchema, txHashSchema } from "@/server/lib/schema";
import { walletOutputSchema, walletSchema } from "@/server/lib/wallet";

const jobId = z.string().meta({ description: "The escrow's number of the job, in decimal" });

export const evaluatorSchema = z
  .strictObject({
    evaluator: walletOutputSchema.meta({
      description: "What jobs name as their evaluator: the account that completes and rejects them",
    }),
    chainId: z.int().meta({ description: "Chain of the escrows" }),
    escrows: z.array(walletOutputSchema).meta({
      description: "The ERC-8183 escrows whose jobs are decided",
    }),
    feeBasisPoints: z.literal(0).meta({
      description:
        "The service takes no fee; a job of an escrow that pays its evaluator one is rejected, but not completed",
    }),
    minExpirySeconds: z.int().meta({
      description: "A job expires at least so long after the agreement's `deliverBy`",
    }),
    maxExpirySeconds: z.int().meta({ description: "And at most so long after it" }),
    descriptionPrefix: z.string().meta({
      description: "A job's description contains this, followed by the agreement's `termsHash`",
    }),
    deliverableHash: z.string().meta({
      description: "What the provider submits as the deliverable of a job",
    }),
    policy: z.array(z.string()).meta({ description: "How jobs are decided" }),
  })
  .meta({ id: "Evaluator", description: "This service as the evaluator of ERC-8183 escrows" });
export type Evaluator = z.infer<typeof evaluatorSchema>;

const agreementId = idSchema;
const termsHash = hashSchema.toLowerCase().meta({
  description: "Instead of `agreementId`: the hash of the terms",
});
const plannedShape = {
  escrow: walletSchema.meta({ description: "Address of the escrow contract" }),
  expiresAt: timestampSchema.meta({ description: "When the job is to expire" }),
};

/** `quoteInput` as two bodies, so that clients know that one of the fields is needed. */
export const quoteBody = z
  .union([
    z.strictObject({ agreementId, ...plannedShape }).meta({ id: "QuoteByAgreement" }),
    z.strictObject({ termsHash, ...plannedShape }).meta({ id: "QuoteByTerms" }),
  ])
  .meta({ id: "EvaluatorQuoteRequest", description: "A planned job of an agreement" });

export const quoteInput = z
  .strictObject({
    agreementId: agreementId.optional(),
    termsHash: termsHash.optional(),
    ...plannedShape,
  })
  .refine(
    (input) => (input.agreementId === undefined) !== (input.termsHash === undefined),
    "needs `agreementId` or `termsHash`, not both",
  );
export type QuoteInput = z.infer<typeof quoteInput>;

export const quote = z
  .strictObject({
    accepted: z.boolean().meta({ description: "Whether the service would decide this job" }),
    reason: z.string().nullable().meta({ description: "Why it would not; null if accepted" }),
    models: z.int().meta({
      description:
        "Language models that judge the agreement's criteria; 0 without criteria, when code alone decides",
    }),
    job: z
      .strictObject({
        escrow: walletOutputSchema,
        provider: walletOutputSchema,
        evaluator: walletOutputSchema,
        expiredAt: z.int().meta({ description: "Unix seconds" }),
        description: z.string().meta({ description: "Names the signed terms" }),
        hook: walletOutputSchema.meta({ description: "The zero address" }),
        paymentToken: walletOutputSchema.meta({ description: "USDC" }),
        budgetMicro: z.string().meta({ description: "Millionths of a USDC, in decimal" }),
      })
      .meta({
        id: "EscrowJobPlan",
        description: "What the client passes to `createJob`, `setBudget` and `fund`",
      }),
  })
  .meta({ id: "EvaluatorQuote", description: "Whether a job would be decided" });
export type Quote = z.infer<typeof quote>;

const escrowJob = z
  .strictObject({
    escrow: walletOutputSchema.meta({ description: "The escrow contract" }),
    jobId,
    status: z
      .enum(["funded", "submitted", "deciding", "completed", "rejected", "declined", "ended"])
      .meta({
        description:
          "funded: the escrow holds the money; submitted: the provider submitted a deliverable's hash; deciding: the decision is signed; completed: the money went to the provider; rejected: it went back to the client; declined: this service will not decide it; ended: another transaction settled it. See `reason`.",
      }),
    reason: z.string().nullable().meta({ description: "Why it was declined, or how it ended" }),
    client: walletOutputSchema.meta({ description: "The client's wallet" }),
    provider: walletOutputSchema.meta({ description: "The provider's wallet" }),
    budgetUsdc: z.number().meta({ description: "What the client funded" }),
    expiresAt: timestampSchema.meta({
      description: "When anyone can have the money returned to the client, unless it was decided",
    }),
    decision: z
      .enum(["complete", "reject"])
      .nullable()
      .meta({ description: "What the verdict decided" }),
    decisionTx: txHashSchema.nullable().meta({ description: "Its transaction, once it is mined" }),
    releasedUsdc: z.number().nullable().meta({
      description: "What the provider received; null unless it was completed",
    }),
  })
  .meta({ id: "EscrowJob", description: "A job of an ERC-8183 escrow" });
export type EscrowJobView = z.infer<typeof escrowJob>;

export const escrowJobs = z
  .strictObject({ jobs: z.array(escrowJob).meta({ description: "Newest first" }) })
  .meta({ id: "EscrowJobs" });
export type EscrowJobs = z.infer<typeof escrowJobs>;

export const declinedJob = z
  .strictObject({
    escrow: walletOutputSchema,
    jobId,
    client: walletOutputSchema,
    provider: walletOutputSchema,
    reason: z.string().meta({ description: "Why this service will not decide it" }),
  })
  .meta({ id: "DeclinedJob", description: "A job that this service will not decide" });
export type DeclinedJob = z.infer<typeof declinedJob>;

import { z } from "zod";
import { createLimitedProcedure, keyedProcedure } from "@/server/agents/procedures";
import { idSchema } from "@/server/lib/schema";
import { SECOND_MS } from "@/server/lib/time";
import { createParser, publicProcedure, router } from "@/server/lib/trpc";
import { DESCRIPTION_PREFIX, EXPIRES_AFTER_MS } from "./limits";
import { listJobsOfAgreement, listJobsOfOutcome, quoteJob, requireEscrows } from "./queries";
import {
  type EscrowJobs,
  type Evaluator,
  escrowJobs,
  evaluatorSchema,
  quote,
  quoteBody,
  quoteInput,
} from "./schema";

const DELIVERABLE_HASH = "keccak256 of the UTF-8 bytes of `deliverableContent`";
const POLICY = [
  "A job is decided by the verdict under the agreement that its description names: its terms are paid by escrow, its requester is the client and its contractor the provider, and its value is the budget in USDC, funded by `startBy`.",
  "SUCCESS with a confidence above 0.5 completes the job if the deliverable submitted to the escrow is the one delivered to this service. Every other verdict rejects it, as does an agreement that ends as EXPIRED, CANCELLED or LAPSED.",
  "The outcome is recorded as paid if the provider submits within an hour after the verdict; later, the job is still completed.",
  "A success whose submitted hash differs decides nothing: the client can claim its money back once the job has expired.",
  "A dispute after that moves the score, not the money.",
];

const ESCROW_EXAMPLE = "0x3Cd751E6b0078Be393132286c442345e5DC49699";
const EVALUATOR_EXAMPLE = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const TERMS_HASH_EXAMPLE = "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060";
const CONTRACTOR_EXAMPLE = "0x52908400098527886E0F7030069857D2E4169EE7";
const REQUESTER_EXAMPLE = "0xde709f2102306220921060314715629080e2fb77";
const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";

const EVALUATOR: Evaluator = {
  evaluator: EVALUATOR_EXAMPLE,
  chainId: 8453,
  escrows: [ESCROW_EXAMPLE],
  feeBasisPoints: 0,
  minExpirySeconds: EXPIRES_AFTER_MS.min / SECOND_MS,
  maxExpirySeconds: EXPIRES_AFTER_MS.max / SECOND_MS,
  descriptionPrefix: DESCRIPTION_PREFIX,
  deliverableHash: DELIVERABLE_HASH,
  policy: POLICY,
};

const JOBS_EXAMPLE: EscrowJobs = {
  jobs: [
    {
      escrow: ESCROW_EXAMPLE,
      jobId: "17",
      status: "completed",
      reason: null,
      client: REQUESTER_EXAMPLE,
      provider: CONTRACTOR_EXAMPLE,
      budgetUsdc: 12.5,
      expiresAt: "2026-11-28T12:00:00.000Z",
      decision: "complete",
      decisionTx: "0x6f1d3a0b2c4e5f60718293a4b5c6d7e8f9010a2b3c4d5e6f708192a3b4c5d6e7",
      releasedUsdc: 12.5,
    },
  ],
};

export const escrowsRouter = router({
  evaluator: publicProcedure
    .meta({
      rest: {
        operationId: "getEvaluator",
        method: "GET",
        path: "/evaluator",
        summary: "Read how escrows are evaluated",
        description:
          "The account that ERC-8183 jobs name as their evaluator, the escrows whose jobs it decides, how and how fast.",
        errors: ["evaluator-unavailable"],
        example: { response: EVALUATOR },
      },
    })
    .output(evaluatorSchema)
    .query(({ ctx: { chain } }) => {
      const { evaluator, addresses } = requireEscrows(chain);
      return { ...EVALUATOR, evaluator, escrows: [...addresses], chainId: chain.id };
    }),

  quote: createLimitedProcedure("agreement-answer")
    .meta({
      rest: {
        operationId: "quoteEscrowJob",
        method: "POST",
        path: "/evaluator/quote",
        summary: "Ask if an escrow job would be decided",
        description:
          "Says before any money moves whether this service would decide a job of an agreement in this escrow with this expiry, and why not. `job` is what the client passes to the escrow. Stores nothing.",
        body: quoteBody,
        errors: ["not-found", "evaluator-unavailable", "unavailable"],
        example: {
          request: {
            agreementId: "0197a3f2-6d1c-7a10-8c55-1f0e9d8b7a60",
            escrow: ESCROW_EXAMPLE,
            expiresAt: "2026-11-28T12:00:00.000Z",
          },
          response: {
            accepted: true,
            reason: null,
            models: 0,
            job: {
              escrow: ESCROW_EXAMPLE,
              provider: CONTRACTOR_EXAMPLE,
              evaluator: EVALUATOR_EXAMPLE,
              expiredAt: 1_795_867_200,
              description: `${DESCRIPTION_PREFIX}${TERMS_HASH_EXAMPLE}`,
              hook: ZERO_ADDRESS,
              paymentToken: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
              budgetMicro: "12500000",
            },
          },
        },
      },
    })
    .input(createParser(quoteInput))
    .output(quote)
    .mutation(({ ctx, input }) => quoteJob(ctx, ctx.agent, input)),

  ofAgreement: keyedProcedure
    .meta({
      rest: {
        operationId: "listAgreementEscrows",
        method: "GET",
        path: "/agreements/{agreementId}/escrow",
        summary: "List the escrow jobs of an agreement",
        description:
          "The jobs between the two parties that name the agreement, also those that are declined. Only the parties can read it.",
        errors: ["not-found"],
        example: { response: JOBS_EXAMPLE },
      },
    })
    .input(createParser(z.strictObject({ agreementId: idSchema })))
    .output(escrowJobs)
    .query(({ ctx, input }) => listJobsOfAgreement(ctx, ctx.agent, input.agreementId)),

  ofOutcome: publicProcedure
    .meta({
      rest: {
        operationId: "listOutcomeEscrows",
        method: "GET",
        path: "/outcome/{outcomeId}/escrow",
        summary: "Read the escrow job of an outcome",
        description:
          "The job that holds or held the payment under the outcome's agreement; an empty list without one.",
        example: { response: JOBS_EXAMPLE },
      },
    })
    .input(createParser(z.strictObject({ outcomeId: idSchema })))
    .output(escrowJobs)
    .query(({ ctx, input }) => listJobsOfOutcome(ctx, input.outcomeId)),
});

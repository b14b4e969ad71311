import { z } from "zod";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import { readIdempotencyKey } from "@/server/agents/idempotency";
import {
  createLimitedProcedure,
  createRepeatableProcedure,
  keyedProcedure,
  optionalKeyProcedure,
  reportReplay,
} from "@/server/agents/procedures";
import { findJudgement } from "@/server/judging/queries";
import { partyJudgementSchema } from "@/server/judging/schema";
import type { Context, Sql } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { idSchema } from "@/server/lib/schema";
import { createParser, router } from "@/server/lib/trpc";
import { OUTCOME_EXAMPLE } from "./outcome-example";
import { JUDGEMENT_EXAMPLE, toPartyJudgement, toPublicJudgement } from "./public-judgement";
import { toPartyOutcome, toPublicOutcome } from "./public-outcome";
import { createNotResolvedError, POLL_SECONDS, readJobNames, requireOutcome } from "./queries";
import { getReadableSince, listPages, mayReadWork, readWork } from "./read-work";
import { refundOutcome } from "./refund";
import {
  deliverableSchema,
  ESTIMATED_RESOLUTION_SECONDS,
  outcomePages,
  outcomeRefund,
  type PartyOutcome,
  type PublicOutcome,
  partyOutcome,
  refundInput,
  submission,
  submitBody,
  submitInput,
} from "./schema";
import { findByIdempotencyKey, submitOutcome } from "./submit";

const outcomeInput = z.strictObject({ outcomeId: idSchema });

const submit = createRepeatableProcedure(
  ({ db, agent }, key) => findByIdempotencyKey(db, agent.id, key),
  "outcome",
)
  .meta({
    rest: {
      operationId: "submitOutcome",
      method: "POST",
      path: "/outcome",
      status: 202,
      summary: "Submit an outcome",
      description:
        "Submits the outcome of a task between two agents; either of the two can submit it. It is judged asynchronously: poll the outcome or register a webhook. With an `Idempotency-Key`, a repeated submission returns the original response and is judged once. An empty deliverable is not an error; its verdict is FAILURE, and `warnings` says so. A `paymentTxHash`, or the x402 receipt of the payment (`payment.x402`), proves that the requester paid the contractor: such an outcome has more weight. A payment belongs to its payer: until seven days after the contractor's outcome resolved, the requester can submit its own outcome for a payment that the contractor has named, unless that outcome was disputed or refunded; the contractor's outcome is then `superseded` and no longer counts. A transfer that can return the payment of an outcome in the other direction can only be named by its payer. Unconfirmed outcomes lift the contractor's score up to a ceiling; paid ones lift it further, up to another, which only outcomes that an anchored requester (`GET /anchors`) signed the terms of or submitted itself raise. `ceiling` of `GET /reputation/{walletAddress}` is the one that applies. With `agreementId`, the outcome ends an agreement: the contractor delivers once, before `deliverBy`; from a minute after it, and for 30 days, the requester reports without a deliverable that nothing was delivered. Under upfront terms both need the payment, which is found on the chain by itself; `paymentTxHash` can't be sent. The terms have the task, so only the deliverable is needed, and the terms' title to make it public. Both need a verified wallet.",
      body: submitBody,
      errors: [
        "forbidden",
        "not-found",
        "invalid-party",
        "same-party",
        "agreement-mismatch",
        "agreement-not-agreed",
        "agreement-ended",
        "delivery-pending",
        "not-paid",
        "payment-invalid",
        "payment-used",
        "payment-reserved",
        "payment-not-ready",
        "unavailable",
      ],
      responseHeaders: {
        Location: "Path of the outcome",
        "Retry-After": "Seconds after which polling for the verdict makes sense",
      },
      example: {
        request: {
          contractorAgentAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
          requesterAgentAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
          taskDescription: "Summarise the attached incident report in 100 to 150 words.",
          taskCategory: "ops",
          title: "Summary of an incident report",
          deliverableContent: "At 09:12 UTC the primary database ran out of connections …",
          valueUsdc: 12.5,
        },
        response: {
          outcomeId: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
          status: "EVALUATING",
          estimatedResolutionSeconds: ESTIMATED_RESOLUTION_SECONDS,
        },
      },
    },
  })
  .input(createParser(submitInput))
  .output(submission)
  .mutation(async ({ ctx, input }) => {
    const key = readIdempotencyKey(ctx.request.idempotencyKey);
    const idempotency = key === null ? null : { key, stored: ctx.limit.stored };
    const { response, replayed } = await submitOutcome(ctx, ctx.agent, idempotency, input);
    if (replayed) await reportReplay(ctx);
    ctx.reply.header("Location", `/api/v1/outcome/${response.outcomeId}`);
    ctx.reply.header("Retry-After", String(RETRY_AFTER_SECONDS));
    return response;
  });

/** Verdicts typically take 15 to 30 seconds. */
const RETRY_AFTER_SECONDS = 15;

/** Adds `countsFrom` to the outcomes that it applies to, as decided by the score's policy. */
type WithCountsFrom = <T extends PublicOutcome>(db: Sql, outcomes: T[]) => Promise<T[]>;

const createGet = (withCountsFrom: WithCountsFrom) =>
  optionalKeyProcedure
    .meta({
      rest: {
        operationId: "getOutcome",
        method: "GET",
        path: "/outcome/{outcomeId}",
        summary: "Read an outcome",
        description:
          "The public data of an outcome. The verdict and its fields appear together once its record is confirmed on chain. The two parties, with the key of an agent whose wallet is verified, also get the private texts and the salt of the public hashes; under an agreement, the requester gets them once the work has succeeded, or if it paid upfront.",
        errors: ["not-found", "wallet-mismatch"],
        responseHeaders: { "Retry-After": "While it is EVALUATING: seconds until the next poll" },
        example: { response: OUTCOME_EXAMPLE },
      },
    })
    .input(createParser(outcomeInput))
    .output(partyOutcome)
    .query(async ({ ctx, input }) => {
      const { row, mayRead } = await loadOutcome(ctx, input.outcomeId);
      if (row.status === "EVALUATING") ctx.reply.header("Retry-After", String(POLL_SECONDS));
      const outcome: PartyOutcome = mayRead
        ? toPartyOutcome(row, getReadableSince(ctx))
        : toPublicOutcome(row);
      const [withDate = outcome] = await withCountsFrom(ctx.db, [outcome]);
      return withDate;
    });

/** Returns the outcome, and whether the caller may see the private texts. */
async function loadOutcome(
  { db, agent, reply }: Context & { agent: AuthenticatedAgent | null },
  outcomeId: string,
) {
  const row = await requireOutcome(db, outcomeId);
  if (agent) reply.header("Cache-Control", "private, no-store");
  return { row, mayRead: agent !== null && mayReadWork(row, agent) };
}

const judgement = optionalKeyProcedure
  .meta({
    rest: {
      operationId: "getJudgement",
      method: "GET",
      path: "/outcome/{outcomeId}/judgement",
      summary: "Read how an outcome was judged",
      description:
        "Every demand of the task and whether it is met, every examination with its model, verdict, latency and tokens, what code checked, flags, hashes and versions. A demand whose words repeat a private text is named by its topic. Those who can read the outcome's private texts also get everything else that is stored: quotations, raw responses, parameters, unsalted hashes.",
      errors: ["not-found", "wallet-mismatch", "outcome-not-resolved"],
      example: { response: JUDGEMENT_EXAMPLE },
    },
  })
  .input(createParser(outcomeInput))
  .output(partyJudgementSchema)
  .query(async ({ ctx, input }) => {
    const { row, mayRead } = await loadOutcome(ctx, input.outcomeId);
    if (row.status !== "RESOLVED") throw createNotResolvedError();
    const stored = await findJudgement(ctx.db, row.id);
    if (!stored) throw new AppError("not-found", "No judgement of this outcome is stored.");
    return mayRead ? toPartyJudgement(stored, row.salt) : toPublicJudgement(stored, row.salt);
  });

const deliverable = keyedProcedure
  .meta({
    rest: {
      operationId: "getDeliverable",
      method: "GET",
      path: "/outcome/{outcomeId}/deliverable",
      summary: "Read a deliverable",
      description:
        "The bytes that were judged, for the two parties with verified wallets, until 30 days after the dispute window. Under an agreement, the contractor reads them at once, and the requester once the work has succeeded, or if it paid upfront; otherwise the requester gets only the result of each requirement.",
      errors: ["forbidden", "not-found"],
      example: {
        response: {
          outcomeId: OUTCOME_EXAMPLE.outcomeId,
          deliverableContent: "The disk was full, so nothing could be written.",
          encoding: "utf-8",
          deliverableUrl: null,
          mediaType: null,
          bytes: 47,
          sha256: "0x9995998a83d28381effdcfd2b76753c676d47cc97e42273685041a377d03865c",
        },
      },
    },
  })
  .input(createParser(outcomeInput))
  .output(deliverableSchema)
  .query(({ ctx, input }) => readWork(ctx, ctx.agent, input.outcomeId));

const pages = keyedProcedure
  .meta({
    rest: {
      operationId: "listPages",
      method: "GET",
      path: "/outcome/{outcomeId}/pages",
      summary: "List the pages that a result rests on",
      description:
        "The stored copies of the pages that decided links and quotations, for the two parties as long as the deliverable. A party that may not read that gets them without addresses and contents, which are part of it.",
      errors: ["forbidden", "not-found"],
      example: { response: { outcomeId: OUTCOME_EXAMPLE.outcomeId, pages: [] } },
    },
  })
  .input(createParser(outcomeInput))
  .output(outcomePages)
  .query(({ ctx, input }) => listPages(ctx, ctx.agent, input.outcomeId));

const refund = createLimitedProcedure("refund")
  .meta({
    rest: {
      operationId: "refundOutcome",
      method: "POST",
      path: "/outcome/{outcomeId}/refund",
      summary: "Return an outcome's payment",
      description:
        "The contractor returns the payment, and the outcome no longer counts in its score. First send the requester at least `paidUsdc` from the contractor's wallet, in one USDC transfer in a block after the payment; then send its transaction hash here, within the dispute window after the outcome was resolved. The refund is recorded on chain and can't be undone. Sending the same transaction again returns the same refund. For an outcome whose verdict is SUCCESS, the contractor needs a verified wallet.",
      errors: [
        "forbidden",
        "not-found",
        "outcome-not-resolved",
        "already-refunded",
        "superseded",
        "refund-closed",
        "payment-invalid",
        "payment-used",
        "payment-not-ready",
        "unavailable",
      ],
      example: {
        request: {
          refundTxHash: "0x8b1c3d5e7f9021a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b",
        },
        response: {
          outcomeId: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
          txHash: "0x8b1c3d5e7f9021a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b",
          amountUsdc: 12.5,
          status: "recording",
        },
      },
    },
  })
  .input(createParser(refundInput))
  .output(outcomeRefund)
  .mutation(async ({ ctx, input }) =>
    refundOutcome(ctx, ctx.agent, input, await readDatabaseTime(ctx.db)),
  );

/** For the owner's pages: its jobs by name, which may be private; see `readJobNames`. */
const jobNames = keyedProcedure
  .input(createParser(z.array(idSchema).max(200)))
  .output(z.record(idSchema, z.string()))
  .query(({ ctx, input }) =>
    ctx.agent.walletVerified ? readJobNames(ctx.db, ctx.agent.wallet, input) : {},
  );

/**
 * Creates the procedures of outcomes. `withCountsFrom` is a parameter because this domain does not
 * depend on the score.
 */
export const createOutcomesRouter = (withCountsFrom: WithCountsFrom) =>
  router({
    submit,
    get: createGet(withCountsFrom),
    judgement,
    deliverable,
    pages,
    refund,
    jobNames,
  });

import { z } from "zod";
import {
  createIdempotentProcedure,
  keyedProcedure,
  optionalKeyProcedure,
} from "@/server/agents/procedures";
import { publicJudgementSchema } from "@/server/judging/schema";
import { readDatabaseTime } from "@/server/lib/database";
import { getDisputeReview } from "@/server/lib/env";
import { idSchema } from "@/server/lib/schema";
import { createParser, publicProcedure, router } from "@/server/lib/trpc";
import { toPublicExamination } from "@/server/outcomes/public-judgement";
import { DISPUTE_EXAMPLE, OPENED_EXAMPLE, STAKED_EXAMPLE } from "./dispute-example";
import { acceptsDisputes, openDispute } from "./open";
import { type DisputeRow, type SideRow, toPublicDispute } from "./public-dispute";
import { findSides, listDisputes, requireDispute } from "./queries";
import {
  disputePage,
  disputeSchema,
  disputeTerms,
  listInput,
  openedDispute,
  openInput,
  partyDispute,
  stakeInput,
} from "./schema";
import { stakeDispute } from "./stake";

const open = createIdempotentProcedure("disputes.open", "dispute")
  .meta({
    rest: {
      operationId: "openDispute",
      method: "POST",
      path: "/disputes",
      status: 201,
      summary: "Dispute a verdict",
      description:
        "Challenges the verdict of a resolved outcome, once per outcome, unless its payment was returned. Only the losing party can (the contractor of a FAILURE, the requester of a SUCCESS). First send the stake from the agent's wallet to the stake address of `GET /network`, in a block after the one that recorded the outcome. The other party may answer until `expiresAt`; then the judge reviews. If the requester submitted the outcome, the contractor can supply what it delivered (`deliverableContent`, or else the document behind `evidenceUrl`), here or in its answer; the judge then reviews that. A valid payment that cannot attach is sent back to its sender, and the error says so. Read `disputeReview` of `GET /network` before you pay: with `checks-only`, no language model weighs the arguments, and on any chain other than a local one the request is refused with 503 `judge-unavailable` before the payment is looked up.",
      errors: [
        "forbidden",
        "not-found",
        "outcome-not-resolved",
        "already-disputed",
        "verdict-favors-you",
        "already-refunded",
        "superseded",
        "dispute-closed",
        "deliverable-not-accepted",
        "payment-invalid",
        "payment-used",
        "payment-not-ready",
        "judge-unavailable",
        "unavailable",
      ],
      responseHeaders: { Location: "Path of the dispute" },
      example: OPENED_EXAMPLE,
    },
  })
  .input(createParser(openInput))
  .output(openedDispute)
  .mutation(async ({ ctx, input }) => {
    const opened = await ctx.createOnce(input, async (keep) =>
      openDispute(ctx, ctx.agent, input, await readDatabaseTime(ctx.db), keep),
    );
    ctx.reply.header("Location", `/api/v1/disputes/${opened.disputeId}`);
    return opened;
  });

const stake = createIdempotentProcedure("disputes.stake", "stake")
  .meta({
    rest: {
      operationId: "answerDispute",
      method: "POST",
      path: "/disputes/{disputeId}/stake",
      summary: "Answer a dispute",
      description:
        'Adds the other party\'s stake and statement, once and until the review starts. A party that does not answer can still win: the judge decides on the evidence. An explicit concession in the `statement` of the party that the verdict favors (a sentence such as "I concede.") overturns the verdict. A valid payment that can no longer attach is sent back to its sender, and the error says so.',
      errors: [
        "forbidden",
        "not-found",
        "conflict",
        "dispute-closed",
        "deliverable-not-accepted",
        "payment-invalid",
        "payment-used",
        "payment-not-ready",
        "unavailable",
      ],
      example: STAKED_EXAMPLE,
    },
  })
  .input(createParser(stakeInput))
  .output(disputeSchema)
  .mutation(({ ctx, input }) =>
    ctx.createOnce(input, async (keep) =>
      stakeDispute(ctx, ctx.agent, input, await readDatabaseTime(ctx.db), keep),
    ),
  );

const get = optionalKeyProcedure
  .meta({
    rest: {
      operationId: "getDispute",
      method: "GET",
      path: "/disputes/{disputeId}",
      summary: "Read a dispute",
      description:
        "Both parties with their stakes, statements and the hashes of their evidence. The verdict and its fields appear together once its record is confirmed on chain. The two parties, with the key of an agent whose wallet is verified, also get the salt of the hashes, and the text that the contractor supplied as its deliverable.",
      errors: ["not-found", "wallet-mismatch"],
      example: { response: DISPUTE_EXAMPLE },
    },
  })
  .input(createParser(z.strictObject({ disputeId: idSchema })))
  .output(partyDispute)
  .query(async ({ ctx, input }) => {
    const { agent, db } = ctx;
    const row = await requireDispute(db, input.disputeId);
    const sides = await findSides(db, row);
    if (agent) ctx.reply.header("Cache-Control", "private, no-store");
    const isParty = agent && [row.contractor, row.requester].includes(agent.wallet);
    const dispute = toPublicDispute(row, sides, new Date());
    return isParty && agent.walletVerified
      ? { ...dispute, private: getPrivateFields(row, sides) }
      : dispute;
  });

/** Returns the fields that only the two parties see. */
function getPrivateFields({ salt }: DisputeRow, sides: SideRow[]) {
  const [deliverableContent] = sides.flatMap((side) => side.deliverableContent ?? []);
  return {
    salt: salt.toString("hex"),
    ...(deliverableContent === undefined ? {} : { deliverableContent }),
  };
}

/** Lists the owner's disputes, as contractor and as requester, for the owners' pages. */
const list = keyedProcedure
  .input(createParser(listInput))
  .output(disputePage)
  .query(({ ctx, input }) => listDisputes(ctx.db, ctx.agent.wallet, input, new Date()));

const terms = publicProcedure.output(disputeTerms).query(({ ctx }) => ({
  disputeWindowMs: ctx.env.DISPUTE_WINDOW,
  responseWindowMs: ctx.env.DISPUTE_RESPONSE_WINDOW,
  acceptsDisputes: acceptsDisputes(ctx),
  disputeReview: getDisputeReview(ctx.env),
}));

/** Lists who examined in the review of a resolved dispute, for its page. */
const examinations = publicProcedure
  .input(createParser(z.strictObject({ disputeId: idSchema })))
  .output(publicJudgementSchema.shape.examinations)
  .query(async ({ ctx, input }) => {
    const { status, detail } = await requireDispute(ctx.db, input.disputeId);
    return status === "RESOLVED" ? (detail?.examinations ?? []).map(toPublicExamination) : [];
  });

export const disputesRouter = router({ open, stake, get, list, terms, examinations });

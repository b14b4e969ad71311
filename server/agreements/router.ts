import { z } from "zod";
import {
  createIdempotentProcedure,
  createLimitedProcedure,
  keyedProcedure,
} from "@/server/agents/procedures";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import { requirementKind } from "@/server/judging/requirements/schema";
import type { Database } from "@/server/lib/context";
import { createParser, publicProcedure, router } from "@/server/lib/trpc";
import { acceptAgreement } from "./accept";
import {
  AGREEMENT_EXAMPLE,
  CLIENT_RECORD_EXAMPLE,
  SIGNATURE_EXAMPLE,
  TERMS_EXAMPLE,
} from "./agreement-example";
import { checkAgreed, checkRequirements } from "./check-deliverable";
import { draftTerms } from "./draft";
import { cancelAgreement, declineAgreement, settleAgreement } from "./end";
import { listRequirementKinds } from "./list-kinds";
import { proposeAgreement } from "./propose";
import { getAgreement, listAgreements } from "./queries";
import {
  acceptInput,
  agreementInput,
  agreementPage,
  agreementSchema,
  agreementWithClient,
  type ClientRecord,
  cancelInput,
  checkedDeliverable,
  checkInput,
  checkRequirementsInput,
  draft,
  draftInput,
  listAgreementsInput,
  proposeInput,
} from "./schema";

const CHECKED_EXAMPLE = {
  passed: false,
  results: [
    {
      check: "word-count",
      description: "At most 200 words",
      passed: false,
      observed: "214 words",
      detail: null,
    },
  ],
};

const createDraft = (decide: RequirementDecider) =>
  createLimitedProcedure("agreement-draft")
    .meta({
      rest: {
        operationId: "draftAgreement",
        method: "POST",
        path: "/agreements/draft",
        summary: "Draft an agreement",
        description:
          "Returns the terms in the form that both parties sign, with their hash and the EIP-712 typed data. Adds version, chain, a new nonce, and a `startBy` if none is given. If requirements are about pages, fetches the first 20 URLs of `task` and `criteria` for verified wallets. Stores nothing.",
        errors: [
          "invalid-party",
          "same-party",
          "terms-contradictory",
          "no-model",
          "evaluator-unavailable",
        ],
        example: {
          request: {
            requester: TERMS_EXAMPLE.requester,
            contractor: TERMS_EXAMPLE.contractor,
            task: TERMS_EXAMPLE.task,
            category: TERMS_EXAMPLE.category,
            valueUsdc: 12.5,
            payment: TERMS_EXAMPLE.payment,
            deliverBy: TERMS_EXAMPLE.deliverBy,
            requirements: TERMS_EXAMPLE.requirements,
          },
          response: {
            terms: TERMS_EXAMPLE,
            termsHash: AGREEMENT_EXAMPLE.termsHash,
            typedData: AGREEMENT_EXAMPLE.typedData,
            unresponsiveUrls: [],
          },
        },
      },
    })
    .input(createParser(draftInput))
    .output(draft)
    .mutation(({ ctx, input }) => draftTerms(ctx, decide, ctx.agent, input));

const createProposal = (decide: RequirementDecider) =>
  createIdempotentProcedure("agreements.propose", "agreement-proposal")
    .meta({
      rest: {
        operationId: "proposeAgreement",
        method: "POST",
        path: "/agreements",
        status: 201,
        summary: "Propose an agreement",
        description:
          "Stores terms that one party has signed, and tells the other party by the webhook event `agreement.proposed`. It can be accepted until `startBy`. If requirements are about pages, the first 20 URLs of `task` and `criteria` are fetched, and the copies suffice at delivery. At most 20 proposals of a pair of wallets are open at once.",
        errors: [
          "forbidden",
          "invalid-party",
          "same-party",
          "signature-invalid",
          "agreement-exists",
          "too-many-proposals",
          "terms-contradictory",
          "evaluator-unavailable",
          "no-model",
          "unavailable",
        ],
        responseHeaders: { Location: "Path of the agreement" },
        example: {
          request: { terms: TERMS_EXAMPLE, signature: SIGNATURE_EXAMPLE },
          response: {
            ...AGREEMENT_EXAMPLE,
            status: "PROPOSED",
            agreedAt: null,
            signatures: { requester: SIGNATURE_EXAMPLE, contractor: null },
          },
        },
      },
    })
    .input(createParser(proposeInput))
    .output(agreementSchema)
    .mutation(async ({ ctx, input }) => {
      const agreement = await ctx.createOnce(input, (keep) =>
        proposeAgreement(ctx, decide, ctx.agent, input, keep),
      );
      ctx.reply.header("Location", `/api/v1/agreements/${agreement.agreementId}`);
      return agreement;
    });

type ReadClientRecord = (db: Database, wallet: string) => Promise<ClientRecord>;

const createGet = (readClientRecord: ReadClientRecord) =>
  keyedProcedure
    .meta({
      rest: {
        operationId: "getAgreement",
        method: "GET",
        path: "/agreements/{agreementId}",
        summary: "Read an agreement",
        description:
          "The agreement, with the requester's record as a client: read it before you sign as the contractor. Only the two parties can read an agreement; to others it does not exist.",
        errors: ["not-found"],
        example: { response: { ...AGREEMENT_EXAMPLE, requesterAsClient: CLIENT_RECORD_EXAMPLE } },
      },
    })
    .input(createParser(agreementInput))
    .output(agreementWithClient)
    .query(async ({ ctx, input }) => {
      const agreement = await getAgreement(ctx, ctx.agent, input.agreementId);
      const requesterAsClient = await readClientRecord(ctx.db, agreement.terms.requester);
      return { ...agreement, requesterAsClient };
    });

const list = keyedProcedure
  .meta({
    rest: {
      operationId: "listAgreements",
      method: "GET",
      path: "/agreements",
      summary: "List your agreements",
      description: "The agreements of the key's agent, newest first, by pages with a cursor.",
      example: { response: { content: [AGREEMENT_EXAMPLE], nextCursor: null } },
    },
  })
  .input(createParser(listAgreementsInput))
  .output(agreementPage)
  .query(({ ctx, input }) => listAgreements(ctx, ctx.agent, input));

const accept = createLimitedProcedure("agreement-answer")
  .meta({
    rest: {
      operationId: "acceptAgreement",
      method: "POST",
      path: "/agreements/{agreementId}/accept",
      summary: "Accept an agreement",
      description:
        "The other party signs the proposed terms, until `startBy`. Under upfront terms a requester also signs by paying: the payment is found on the chain by itself (`agreement.paid`). Accepting again returns the same agreement.",
      errors: ["forbidden", "not-found", "agreement-ended", "signature-invalid", "unavailable"],
      example: { request: { signature: SIGNATURE_EXAMPLE }, response: AGREEMENT_EXAMPLE },
    },
  })
  .input(createParser(acceptInput))
  .output(agreementSchema)
  .mutation(({ ctx, input }) => acceptAgreement(ctx, ctx.agent, input));

const decline = createLimitedProcedure("agreement-answer")
  .meta({
    rest: {
      operationId: "declineAgreement",
      method: "POST",
      path: "/agreements/{agreementId}/decline",
      summary: "Decline an agreement",
      description: "The other party refuses the proposed terms. Declining again changes nothing.",
      errors: ["forbidden", "not-found", "agreement-ended", "conflict"],
      example: { response: { ...AGREEMENT_EXAMPLE, status: "DECLINED" } },
    },
  })
  .input(createParser(agreementInput))
  .output(agreementSchema)
  .mutation(({ ctx, input }) => declineAgreement(ctx, ctx.agent, input.agreementId));

const cancel = createLimitedProcedure("agreement-answer")
  .meta({
    rest: {
      operationId: "cancelAgreement",
      method: "POST",
      path: "/agreements/{agreementId}/cancel",
      summary: "Cancel an agreement",
      description:
        "Before acceptance, the party that proposed it cancels. After it, both parties do, each with a signature: until `startBy` under upfront terms, else until `deliverBy`. A paid agreement is not cancelled: it ends by the contractor's refund, an EIP-3009 transfer to the requester whose nonce is the EIP-712 digest. Upfront terms that were cancelled are in force if their payment is made until `startBy` all the same. Cancelling again changes nothing.",
      errors: [
        "forbidden",
        "not-found",
        "agreement-ended",
        "conflict",
        "signature-invalid",
        "unavailable",
      ],
      example: {
        request: { signature: SIGNATURE_EXAMPLE },
        response: { ...AGREEMENT_EXAMPLE, cancellationRequestedBy: "requester" },
      },
    },
  })
  .input(createParser(cancelInput))
  .output(agreementSchema)
  .mutation(({ ctx, input }) => cancelAgreement(ctx, ctx.agent, input));

const settled = createLimitedProcedure("agreement-answer")
  .meta({
    rest: {
      operationId: "settleAgreement",
      method: "POST",
      path: "/agreements/{agreementId}/settled",
      summary: "Confirm the payment of delivered work",
      description:
        "The contractor of on-delivery terms says that it was paid for its delivery, however that was. The job no longer counts as left unpaid by the requester. Can't be taken back; confirming again changes nothing.",
      errors: ["forbidden", "not-found", "conflict", "agreement-ended"],
      example: {
        response: {
          ...AGREEMENT_EXAMPLE,
          status: "DELIVERED",
          settledAt: "2026-12-03T08:00:00.000Z",
        },
      },
    },
  })
  .input(createParser(agreementInput))
  .output(agreementSchema)
  .mutation(({ ctx, input }) => settleAgreement(ctx, ctx.agent, input.agreementId));

const createCheck = (decide: RequirementDecider) =>
  createLimitedProcedure("requirement-check")
    .meta({
      rest: {
        operationId: "checkDeliverable",
        method: "POST",
        path: "/agreements/{agreementId}/check",
        summary: "Try a deliverable",
        description:
          "Decides the agreement's requirements on a deliverable, exactly as its verdict will be decided. Criteria are not tried. What passes for the contractor has passed: the same content or URL, delivered within 24 hours, is decided by this check and by what it fetched. Only for the two parties, with verified wallets. At most 60 pages a minute are fetched from one server; beyond that, the response is 429 and nothing is decided.",
        errors: ["forbidden", "not-found", "agreement-mismatch"],
        example: { request: { deliverableContent: "…" }, response: CHECKED_EXAMPLE },
      },
    })
    .input(createParser(checkInput))
    .output(checkedDeliverable)
    .mutation(({ ctx, input }) => checkAgreed(ctx, decide, ctx.agent, input));

const createBareCheck = (decide: RequirementDecider) =>
  createLimitedProcedure("requirement-check")
    .meta({
      rest: {
        operationId: "checkRequirements",
        method: "POST",
        path: "/requirements/check",
        tag: "Agreements",
        summary: "Try requirements",
        description:
          "Decides requirements on a deliverable and stores nothing: a way to write good ones. Programs run at the present time and always with the same random numbers; under an agreement, their clock begins at `deliverBy`, and random numbers follow from terms and deliverable. Needs a verified wallet. At most 60 pages a minute are fetched from one server; beyond that, the response is 429 and nothing is decided.",
        errors: ["forbidden"],
        example: {
          request: { requirements: TERMS_EXAMPLE.requirements, deliverableContent: "…" },
          response: CHECKED_EXAMPLE,
        },
      },
    })
    .input(createParser(checkRequirementsInput))
    .output(checkedDeliverable)
    .mutation(({ ctx, input }) => checkRequirements(ctx, decide, ctx.agent, input));

const listKinds = publicProcedure
  .meta({
    rest: {
      operationId: "listRequirements",
      method: "GET",
      path: "/requirements",
      tag: "Agreements",
      summary: "List the requirements that code can decide",
      description:
        "Every check with the JSON Schema of a requirement, what counts as a failure, and an example.",
      example: {
        response: [
          {
            check: "word-count",
            topic: "length",
            description: "The number of words is within the limits.",
            schema: { type: "object" },
            example: {
              requirement: { check: "word-count", max: 3 },
              passes: "Three short words",
              fails: "These are four words",
            },
          },
        ],
      },
    },
  })
  .output(z.array(requirementKind))
  .query(() => listRequirementKinds());

/**
 * Creates the procedures of agreements. `readClientRecord` is a parameter because this domain does not
 * depend on outcomes.
 */
export const createAgreementsRouter = (
  decide: RequirementDecider,
  readClientRecord: ReadClientRecord,
) =>
  router({
    draft: createDraft(decide),
    propose: createProposal(decide),
    get: createGet(readClientRecord),
    list,
    accept,
    decline,
    cancel,
    settled,
    check: createCheck(decide),
  });

export const createRequirementsRouter = (decide: RequirementDecider) =>
  router({ list: listKinds, check: createBareCheck(decide) });

import { z } from "zod";
import { createParser, publicProcedure, router } from "@/server/lib/trpc";
import { countRegistryFeedback, prepareFeedback, requireFile } from "./queries";
import {
  type FeedbackCall,
  feedbackCall,
  feedbackCallInput,
  feedbackFileInput,
  type RegistryFeedback,
  registryFeedback,
  registryFeedbackInput,
} from "./schema";

const HASH = "0x4d3f0a1b6c8e2d5f7a9b0c1d3e5f70819a2b4c6d8e0f1a3b5c7d9e1f30425364";

const CALL: FeedbackCall = {
  to: "0x8004BAa17C55a88189AE136b182e5fdA19dE9b63",
  data: "0x3c036a7e",
  chainId: 8453,
  agentId: "4711",
  feedbackUri: `https://standing.example/outcomes/3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10/feedback/${HASH}.json`,
  feedbackHash: HASH,
};

const FEEDBACK: RegistryFeedback = {
  agentId: "4711",
  feedback: 12,
  clients: 9,
  payingClients: 2,
  countsInScore: false,
  note: "Anyone can give feedback in the registry, without a job or a payment. The score counts outcomes that were judged.",
};

export const feedbackRouter = router({
  prepare: publicProcedure
    .meta({
      rest: {
        operationId: "prepareFeedback",
        method: "GET",
        path: "/outcome/{outcomeId}/erc8004",
        summary: "Prepare ERC-8004 feedback by the requester",
        description:
          "A transaction that the requester's wallet can send as it is: it gives the contractor's ERC-8004 agent feedback, 100 for a success and 0 for a failure. The feedback file names the requester as the client, the outcome, and the payment if there was one. For resolved and assessed outcomes of linked agents without an open dispute.",
        tag: "Outcomes",
        errors: ["not-found", "outcome-not-resolved", "conflict", "identities-unavailable"],
        example: { response: CALL },
      },
    })
    .input(createParser(feedbackCallInput))
    .output(feedbackCall)
    .query(({ ctx, input }) => prepareFeedback(ctx, input.outcomeId)),

  ofAgent: publicProcedure
    .meta({
      rest: {
        operationId: "getRegistryFeedback",
        method: "GET",
        path: "/agents/{walletAddress}/erc8004-feedback",
        summary: "Count an agent's ERC-8004 feedback",
        description:
          "Feedback that others gave the linked ERC-8004 agent in the reputation registry, and how many of them this service knows as paying clients. It is shown and never part of the score. Feedback of this service's own account is not counted.",
        tag: "Agents",
        errors: ["not-found", "identities-unavailable"],
        example: { response: FEEDBACK },
      },
    })
    .input(createParser(registryFeedbackInput))
    .output(registryFeedback)
    .query(({ ctx, input }) => countRegistryFeedback(ctx, input.walletAddress)),

  /** Returns a feedback file, byte for byte; a route of the pages serves it. */
  file: publicProcedure
    .input(createParser(feedbackFileInput))
    .output(z.string())
    .query(({ ctx, input }) => requireFile(ctx, input)),
});

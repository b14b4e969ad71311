import { z } from "zod";
import { hashSchema, idSchema } from "@/server/lib/schema";
import { walletOutputSchema, walletSchema } from "@/server/lib/wallet";

const agentId = z.string().regex(/^\d+$/).meta({
  description: "The agent's id in the ERC-8004 identity registry, in decimal",
  example: "4711",
});

export const feedbackCallInput = z.strictObject({ outcomeId: idSchema });

export const feedbackCall = z
  .strictObject({
    to: walletOutputSchema.meta({ description: "The ERC-8004 reputation registry" }),
    data: z
      .string()
      .regex(/^0x[0-9a-f]+$/)
      .meta({ description: "Calldata of `giveFeedback`, as hexadecimal" }),
    chainId: z.int().meta({ description: "EIP-155 chain id", example: 8453 }),
    agentId,
    feedbackUri: z.url().meta({ description: "Where this service serves the feedback file" }),
    feedbackHash: hashSchema.meta({ description: "keccak256 of the feedback file" }),
  })
  .meta({
    id: "FeedbackCall",
    description: "A transaction by which the requester gives ERC-8004 feedback",
  });
export type FeedbackCall = z.infer<typeof feedbackCall>;

export const feedbackFileInput = z.strictObject({ outcomeId: idSchema, hash: hashSchema });

export const registryFeedbackInput = z.strictObject({ walletAddress: walletSchema });

const count = z.int().min(0);

export const registryFeedback = z
  .strictObject({
    agentId,
    feedback: count.meta({ description: "Feedback that was not revoked" }),
    clients: count.meta({ description: "Accounts that gave it" }),
    payingClients: count.meta({
      description: "Those of them that are requesters of paid outcomes with this agent",
    }),
    countsInScore: z.literal(false).meta({ description: "Never part of the score" }),
    note: z.string().meta({ description: "Why it does not count" }),
  })
  .meta({
    id: "RegistryFeedback",
    description: "Feedback of others in the ERC-8004 reputation registry, in finalized blocks",
  });
export type RegistryFeedback = z.infer<typeof registryFeedback>;

import { z } from "zod";
import { clientRecord } from "@/server/agreements/schema";
import {
  agentLimit,
  agreementFigures,
  confirmedClients,
  evidenceLevel,
  recommendation,
  riskAssessment,
} from "@/server/explorer/schema";
import { categorySchema, idSchema, usdcSchema } from "@/server/lib/schema";
import { toChecksumAddress, walletOutputSchema, walletSchema } from "@/server/lib/wallet";
import { reputation } from "@/server/reputation/schema";

const valueUsdc = usdcSchema.optional().meta({
  description: "USDC at stake; 1 by default",
  example: 50,
});
const category = categorySchema.optional().meta({
  description: "Only work in this category adds to the limit",
});

export const checkInput = z.strictObject({
  walletAddress: z
    .string()
    .regex(
      /^(0[xX][0-9a-fA-F]{40}|erc8004:(0|[1-9]\d{0,14}))$/,
      "must be 0x followed by 40 hexadecimal characters, or erc8004: and an id in decimal",
    )
    .transform((named) => (named.startsWith("erc8004:") ? named : toChecksumAddress(named)))
    .meta({
      description:
        "Wallet address, or `erc8004:` and the id of the ERC-8004 identity that the agent has linked",
      example: "erc8004:4711",
    }),
  valueUsdc,
  category,
  agreementId: idSchema.optional().meta({
    description:
      "The agreement that you are about to pay, or the agent's offer to you: it reserves nothing of the limit",
  }),
});

export const agentCheck = z
  .strictObject({
    walletAddress: walletOutputSchema,
    agent: z
      .strictObject({
        agentId: idSchema,
        name: z.string().meta({ description: "Chosen by the agent's owner; not verified" }),
        walletVerified: z.boolean().meta({
          description: "Whether the owner has proven control of the wallet",
        }),
      })
      .nullable()
      .meta({ description: "The registration; null for a wallet that is not registered" }),
    reputation,
    evidence: evidenceLevel,
    confirmedClients,
    agreements: agreementFigures,
    asClient: clientRecord,
    risk: riskAssessment,
    limit: agentLimit,
    recommendation,
  })
  .meta({ id: "AgentCheck" });
export type AgentCheck = z.infer<typeof agentCheck>;

/** Most agents in one comparison. */
export const MAX_COMPARED = 5;

export const compareInput = z.strictObject({
  walletAddresses: z
    .array(walletSchema)
    .min(2)
    .max(MAX_COMPARED)
    .superRefine((wallets, issue) => {
      for (const [index, wallet] of wallets.entries()) {
        const first = wallets.indexOf(wallet);
        if (first === index) continue;
        const message = `is the same wallet as entry ${first + 1}`;
        issue.addIssue({ code: "custom", message, path: [index] });
      }
    })
    .meta({ description: `Two to ${MAX_COMPARED} different wallet addresses`, uniqueItems: true }),
  valueUsdc,
  category,
});

export const agentComparison = z
  .strictObject({
    agents: z.array(agentCheck).meta({
      description: "The best recommendation first, then the highest score",
    }),
  })
  .meta({ id: "AgentComparison" });
export type AgentComparison = z.infer<typeof agentComparison>;

import { z } from "zod";
import { namedWallet } from "@/server/agents/schema";
import { clientRecord } from "@/server/agreements/schema";
import { describeLimit, LIMIT_RULES } from "@/server/lib/describe-limit";
import { categorySchema, idSchema, usdcSchema } from "@/server/lib/schema";
import { toChecksumAddress, walletOutputSchema, walletSchema } from "@/server/lib/wallet";
import { reputation } from "@/server/reputation/schema";

/** Kinds of risk, the most serious first. */
export const RISKS = [
  "recent-collapse",
  "fails-often",
  "failures-in-a-row",
  "agreements-not-delivered",
  "ring-payments",
  "overturned-verdicts",
  "single-client",
  "few-confirmed-clients",
  "unverified-wallet",
  "reported-failures",
  "dormant",
] as const;

const riskFlag = z
  .strictObject({
    risk: z.enum(RISKS).meta({ description: "Kind of risk; kinds may be added" }),
    severity: z.enum(["danger", "caution", "notice"]).meta({
      description:
        "danger: a reason not to hire; caution: check first; notice: worth knowing, no sign of bad work",
    }),
    title: z.string().meta({ description: "A few words, such as `5 failures in a row`" }),
    detail: z.string().meta({ description: "The evidence in one or two sentences" }),
    outcomeIds: z
      .array(idSchema)
      .meta({ description: "Outcomes that show it, newest first; at most 20" }),
    wallets: z.array(walletOutputSchema).meta({
      description: "Clients concerned; at most 20",
    }),
  })
  .meta({ id: "RiskFlag", description: "One risk, with its evidence" });
export type RiskFlag = z.infer<typeof riskFlag>;

export const riskAssessment = z
  .strictObject({
    level: z.enum(["danger", "caution", "none"]).meta({
      description: "The highest severity among the flags; `none` if there are only notices",
    }),
    flags: z.array(riskFlag).meta({ description: "The most serious first" }),
  })
  .meta({ id: "RiskAssessment", description: "What to know before hiring the agent" });
export type RiskAssessment = z.infer<typeof riskAssessment>;

/** What a client can do about an agent, the kindest first. */
export const ACTIONS = ["hire", "use-escrow", "unknown", "do-not-hire"] as const;

export type Action = (typeof ACTIONS)[number];

export const recommendation = z
  .strictObject({
    action: z.enum(ACTIONS).meta({
      description:
        "hire: from TRUSTED on, without a caution, and at a value within the limit, if you pay under an agreement; use-escrow: pay only for accepted work; unknown: no recorded outcomes; do-not-hire: the record shows bad work or faked work",
    }),
    label: z.string().meta({
      description: "The recommendation in a few words, as lists and badges show it",
      example: "Hire up to 110 USDC",
    }),
    summary: z.string().meta({
      description: "The recommendation in one sentence",
      example: describeLimit("110"),
    }),
    reasons: z.array(z.string()).meta({ description: "What decided it, with figures" }),
    valueUsdc: z.number().nullable().meta({
      description:
        "The value at stake that was asked about; null if none was given: that for 1 USDC",
    }),
    limitUsdc: z.number().meta({
      description:
        "Up to which value the action is `hire`: the limit, or 0 below TRUSTED and with a caution or a danger. Plain payments are not covered.",
    }),
  })
  .meta({ id: "Recommendation", description: "What to do about the agent, and why" });
export type Recommendation = z.infer<typeof recommendation>;

export const agentLimit = z
  .strictObject({
    limitUsdc: z.number().meta({
      description: "`earnedUsdc` − `failedUsdc` − `reservedUsdc`, at least 0",
    }),
    category: categorySchema
      .nullable()
      .meta({ description: "The category that `earnedUsdc` is restricted to; null for all" }),
    earnedUsdc: z.number().meta({
      description: `A: what anchored clients paid for work that succeeded in the last ${LIMIT_RULES.earnedDays} days, each counted up to ${LIMIT_RULES.usdcPerClient.toLocaleString("en")} USDC, without the largest client`,
    }),
    failedUsdc: z.number().meta({
      description: `P: what was paid in the last ${LIMIT_RULES.failedDays} days for work that failed, or that was agreed and not decided`,
    }),
    reservedUsdc: z.number().meta({
      description:
        "X: value of the upfront terms that the agent signed and that have no recorded outcome yet: agreements, and what can still be paid until `startBy`, also if only the agent signed it or it was withdrawn. Agreements are not on chain, so this is the service's word; the ledger proves the others",
    }),
    clients: z
      .array(
        namedWallet.extend({
          paidUsdc: z.number().meta({ description: "What it counts for, before the others" }),
        }),
      )
      .meta({
        description: "The anchored clients behind it, the largest first, which A leaves out",
      }),
  })
  .meta({
    id: "AgentLimit",
    description: "How much an agent can be trusted with in payments under an agreement",
  });
export type AgentLimit = z.infer<typeof agentLimit>;

export const EVIDENCE_LEVELS = ["none", "limited", "moderate", "strong"] as const;

export const evidenceLevel = z.enum(EVIDENCE_LEVELS).meta({
  id: "EvidenceLevel",
  description:
    "Amount of evidence behind the score, by its confidence: strong from 0.75, moderate from 0.5, otherwise limited",
});
export type EvidenceLevel = z.infer<typeof evidenceLevel>;

export const confirmedClients = z.int().meta({
  description: "Clients with a paid or anchored outcome",
});

/** Newest outcomes of an agent among which those under an agreement are counted. */
export const MAX_AGREEMENT_SCAN = 200;

export const agreementFigures = z
  .strictObject({
    outcomes: z.int().meta({ description: "Recorded outcomes, without refunded ones" }),
    agreed: z.int().meta({ description: "Of these, those whose terms both parties had signed" }),
    delivered: z.int().meta({ description: "Of these, those with a delivery by the deadline" }),
  })
  .meta({
    id: "AgreementFigures",
    description: `How much of its work the agent did under signed terms, of the newest ${MAX_AGREEMENT_SCAN} outcomes`,
  });

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

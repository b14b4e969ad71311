import { z } from "zod";
import { timestampSchema } from "@/server/lib/schema";

/** The registry counts its agents from 0, so fifteen digits suffice, and a number holds them. */
export const erc8004AgentIdSchema = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})$/, "must be a decimal number of at most 15 digits")
  .meta({ description: "Id in the ERC-8004 identity registry, in decimal", example: "4711" });

/** Returns the id in `4711` or `erc8004:4711`, or null. */
export function parseErc8004Id(text: string): string | null {
  const parsed = erc8004AgentIdSchema.safeParse(text.replace(/^erc8004:/i, ""));
  return parsed.success ? parsed.data : null;
}

export const IDENTITY_PROOFS = ["owner", "agent-wallet", "operator"] as const;

export const linkedIdentitySchema = z
  .strictObject({
    agentId: erc8004AgentIdSchema,
    registry: z.string().meta({
      description: "The identity registry as `eip155:{chainId}:{address}`",
      example: "eip155:8453:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
    }),
    proof: z.enum(IDENTITY_PROOFS).meta({
      description:
        "What gives it to the agent: its wallet is the identity's owner, its agent wallet, or an operator that the owner approved",
    }),
    checkedBlock: z.int().meta({ description: "Block at which the registry was last asked" }),
    checkedAt: timestampSchema,
    explorerUrl: z
      .url()
      .nullable()
      .meta({ description: "Page of the identity in an explorer; null on a local chain" }),
  })
  .meta({
    id: "LinkedIdentity",
    description:
      "The ERC-8004 identity that the agent has linked and its wallet holds. The link is checked again when the identity changes, and daily",
  });
export type LinkedIdentity = z.infer<typeof linkedIdentitySchema>;

export const EXAMPLE_IDENTITY: LinkedIdentity = {
  agentId: "4711",
  registry: "eip155:8453:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  proof: "owner",
  checkedBlock: 38_400_210,
  checkedAt: "2026-11-21T12:00:00.000Z",
  explorerUrl: "https://www.8004scan.io/agents/base/4711",
};

/** What an owner sees about the identity of its agent. */
export const ownIdentitySchema = z.strictObject({
  linked: linkedIdentitySchema.nullable(),
  /** The link that ended, and why; null once another identity is linked. */
  lost: z
    .strictObject({ agentId: erc8004AgentIdSchema, reason: z.string(), lostAt: timestampSchema })
    .nullable(),
  /** Ids of identities that the wallet owns or acts for, according to the index; the newest first. */
  held: z.array(erc8004AgentIdSchema),
});
export type OwnIdentity = z.infer<typeof ownIdentitySchema>;

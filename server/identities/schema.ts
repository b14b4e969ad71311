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

/** Kinds of services that ERC-8004 names, as scanners know them. */
export const SERVICE_KINDS = ["A2A", "MCP", "web", "OASF", "ENS", "DID", "email"] as const;

export const identityFileSchema = z
  .strictObject({
    uri: z.string().nullable().meta({
      description:
        "Where the file is; null if the registry holds it itself (a `data:` URI), or if there is none",
    }),
    problem: z
      .string()
      .nullable()
      .meta({ description: "Why nothing of the file is shown; null if it could be read" }),
    name: z.string().nullable().meta({ description: "Name of the agent" }),
    description: z.string().nullable().meta({ description: "What the agent does" }),
    services: z
      .array(
        z.strictObject({
          kind: z
            .enum(SERVICE_KINDS)
            .nullable()
            .meta({ description: "Kind of service, if ERC-8004 names it" }),
          name: z.string().nullable().meta({ description: "Kind of service, as the file says" }),
          endpoint: z.string().nullable().meta({ description: "Where it is; never fetched" }),
          version: z.string().nullable().meta({ description: "Version of its interface" }),
        }),
      )
      .meta({ description: "At most 20 services" }),
    readAt: timestampSchema,
  })
  .meta({
    id: "IdentityFile",
    description:
      "What the agent says of itself in the registration file of its identity, shortened. The service has checked none of it",
  });
export type IdentityFile = z.infer<typeof identityFileSchema>;
export type StoredFile = Omit<IdentityFile, "readAt">;

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
    file: identityFileSchema.nullable().meta({
      description:
        "Registration file of the identity; null until it was read, about a minute later",
    }),
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
  file: {
    uri: null,
    problem: null,
    name: "Ledger Lint",
    description: "Finds mistakes in ledgers.",
    services: [
      {
        kind: "MCP",
        name: "MCP",
        endpoint: "https://ledger-lint.example/mcp",
        version: "2025-06-18",
      },
    ],
    readAt: "2026-11-21T12:01:00.000Z",
  },
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

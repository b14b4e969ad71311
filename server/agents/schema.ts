import { z } from "zod";
import {
  erc8004AgentIdSchema,
  linkedIdentitySchema,
  ownIdentitySchema,
} from "@/server/identities/schema";
import { findInvisibleCodePoint, formatCodePoint } from "@/server/lib/invisible";
import {
  CATEGORIES,
  categorySchema,
  httpUrlSchema,
  idSchema,
  textSchema,
  timestampSchema,
} from "@/server/lib/schema";
import { walletOutputSchema, walletSchema } from "@/server/lib/wallet";
import { ENDPOINT_KINDS } from "./endpoint-kinds";

export const namedWallet = z
  .strictObject({
    walletAddress: walletOutputSchema,
    name: z.string().nullable().meta({
      description: "Name of the agent registered for the wallet; null if there is none",
    }),
  })
  .meta({ id: "NamedWallet", description: "A party of an outcome" });
export type NamedWallet = z.infer<typeof namedWallet>;

/** Matches control characters and line breaks. */
const FORBIDDEN_IN_NAMES = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/**
 * Matches a visible character: not whitespace, unassigned, ignorable (such as Hangul fillers) or
 * blank Braille.
 */
const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const nameSchema = textSchema(1, 80)
  .superRefine((name, issue) => {
    const [control] = FORBIDDEN_IN_NAMES.exec(name) ?? [];
    if (control !== undefined) {
      const message = `must not contain ${formatCodePoint(control)}: no controls or line breaks`;
      issue.addIssue({ code: "custom", message });
    } else if (name !== "" && !VISIBLE.test(name)) {
      issue.addIssue({ code: "custom", message: "must contain a visible character" });
    } else {
      rejectInvisible(name, issue);
    }
  })
  .meta({
    description:
      "Display name: at least one visible character, no control characters or line breaks, and no invisible characters except joiners between letters and emoji",
  });
export const descriptionSchema = textSchema(0, 1_000).superRefine(rejectInvisible).meta({
  description:
    "Short description of what the agent does; no invisible characters except joiners between letters and emoji",
});

/** Refuses characters that hide text from people but not from the models that read it. */
function rejectInvisible(text: string, issue: z.RefinementCtx<string>): void {
  const found = findInvisibleCodePoint(text);
  if (found === null) return;
  issue.addIssue({ code: "custom", message: `must not contain ${found}: it is invisible` });
}

export const categoriesSchema = z
  .array(categorySchema)
  .max(CATEGORIES.length)
  .transform((categories) => [...new Set(categories)])
  .meta({ description: "Categories of work that the agent offers" });

/** Where to find more about an agent; shown as links on its profile, and never fetched. */
export const linksSchema = z
  .strictObject({
    website: httpUrlSchema.optional().meta({ description: "The agent's own page" }),
    endpoint: httpUrlSchema.optional().meta({ description: "Where to reach the agent itself" }),
    endpointKind: z
      .enum(ENDPOINT_KINDS)
      .optional()
      .meta({ description: "Protocol of the endpoint, by the names of ERC-8004" }),
    source: httpUrlSchema.optional().meta({ description: "Its source code" }),
  })
  .meta({ id: "AgentLinks", description: "Where to find more; shown on the profile" });
export type AgentLinks = z.infer<typeof linksSchema>;

/** An ERC-4361 message and its signature (EOA, ERC-1271 or ERC-6492), as 0x-prefixed hex. */
export const walletProofSchema = z
  .strictObject({
    message: z
      .string()
      .min(1)
      .max(4_000)
      .meta({ description: "The ERC-4361 message, exactly as signed" }),
    signature: z
      .string()
      .regex(/^0x([0-9a-fA-F]{2})+$/, "must be 0x followed by pairs of hexadecimal characters")
      .max(20_000)
      .meta({ description: "Signature of the message: of an account, ERC-1271 or ERC-6492" }),
  })
  .meta({
    id: "WalletProof",
    description: "Proves control of the wallet; `POST /auth/nonce` returns what to sign",
  });
export type WalletProof = z.infer<typeof walletProofSchema>;

export const registerInput = z.strictObject({
  agentAddress: walletSchema,
  name: nameSchema,
  description: descriptionSchema.optional(),
  categories: categoriesSchema.optional(),
  links: linksSchema.optional(),
  ownerEmail: z
    .email()
    .max(254)
    .optional()
    .meta({ description: "Contact address of the owner; never shown" }),
  walletProof: walletProofSchema.optional(),
});
export type RegisterInput = z.infer<typeof registerInput>;

export const registrationSchema = z
  .strictObject({
    agentId: idSchema,
    apiKey: z.string().meta({ description: "Shown only once." }),
    walletAddress: walletOutputSchema,
    walletVerified: z
      .boolean()
      .meta({ description: "Whether a wallet proof was sent, now or earlier" }),
    takeover: z.boolean().meta({
      description: "True if this replaced an unverified registration of the same wallet.",
    }),
  })
  .meta({ id: "Registration", description: "A registered agent and its new key" });
export type Registration = z.infer<typeof registrationSchema>;

export const walletVerificationSchema = registrationSchema
  .extend({ apiKey: z.null().meta({ description: "There is no new key" }) })
  .meta({
    id: "WalletVerification",
    description:
      "The request sent the agent's current key and a wallet proof: the wallet is verified, and the key stays",
  });
export type WalletVerification = z.infer<typeof walletVerificationSchema>;

export const nonceSchema = z
  .strictObject({
    nonce: z.string().meta({ description: "`Nonce` of the message" }),
    domain: z.string().meta({ description: "Domain of the message, its first line" }),
    uri: z.string().meta({ description: "`URI` of the message" }),
    chainId: z.int().meta({ description: "`Chain ID` of the message" }),
    expiresAt: timestampSchema.meta({ description: "When the nonce expires" }),
    statements: z
      .strictObject({
        register: z.string().meta({ description: "To register an agent" }),
        signIn: z.string().meta({ description: "To sign in on the pages" }),
      })
      .meta({ description: "The statement that the signed message must carry, by purpose" }),
  })
  .meta({ id: "Nonce" });
export type Nonce = z.infer<typeof nonceSchema>;

export const apiKeyEntrySchema = z
  .strictObject({
    keyId: idSchema,
    name: z.string().meta({ description: "The owner's note; empty if it has none." }),
    lastFour: z.string().meta({ description: "Last four characters of the key" }),
    createdAt: timestampSchema,
    lastUsedAt: timestampSchema.nullable().meta({ description: "Null if it was never used" }),
    expiresAt: timestampSchema.nullable().meta({ description: "Null if it does not expire" }),
    revokedAt: timestampSchema.nullable().meta({ description: "Null if it is not revoked" }),
    current: z.boolean().meta({ description: "Whether this key made the request." }),
  })
  .meta({ id: "ApiKeyEntry" });
export type ApiKeyEntry = z.infer<typeof apiKeyEntrySchema>;

export const createKeyInput = z
  .strictObject({
    name: textSchema(0, 60)
      .optional()
      .meta({ description: "A note to tell the key apart, such as where it is used." }),
  })
  .optional();

export const revokeKeyInput = z.strictObject({ keyId: idSchema });

export const newApiKeySchema = z
  .strictObject({
    keyId: idSchema,
    apiKey: z.string().meta({ description: "Shown only once." }),
    createdAt: timestampSchema,
    previousKeysExpireAt: timestampSchema,
  })
  .meta({ id: "NewApiKey" });
export type NewApiKey = z.infer<typeof newApiKeySchema>;

/** The agent's description of itself; an update replaces all of it. */
export const profileInput = z.strictObject({
  name: nameSchema,
  description: descriptionSchema,
  categories: categoriesSchema,
  links: linksSchema.default({}),
  ownerEmail: z.email().max(254).nullable(),
});
export type ProfileInput = z.infer<typeof profileInput>;

export const linkIdentityInput = z.strictObject({
  erc8004AgentId: erc8004AgentIdSchema.nullable().meta({
    description: "Id of the identity in the ERC-8004 registry, in decimal; null removes the link",
  }),
});

export const identityLinkSchema = z
  .strictObject({
    erc8004: linkedIdentitySchema
      .nullable()
      .meta({ description: "The linked identity; null without one" }),
  })
  .meta({ id: "IdentityLink", description: "The identity that the agent has linked" });

/** The agent of an API key, with what only its owner sees. */
export const ownAgentSchema = identityLinkSchema
  .extend({
    agentId: idSchema,
    walletAddress: walletOutputSchema,
    walletVerified: z.boolean().meta({ description: "Whether a wallet proof was accepted" }),
    name: z.string().meta({ description: "Public name" }),
    description: z.string().meta({ description: "What it does; empty if not given" }),
    categories: z.array(categorySchema).meta({ description: "Its categories of work" }),
    links: linksSchema,
    ownerEmail: z
      .string()
      .nullable()
      .meta({ description: "Contact address of the owner, never shown to others" }),
    registeredAt: timestampSchema,
  })
  .meta({ id: "OwnAgent", description: "The agent of the API key" });
export type OwnAgent = z.infer<typeof ownAgentSchema>;

export const signInInput = z.strictObject({
  walletAddress: walletSchema,
  walletProof: walletProofSchema,
});

/** The wallet that this browser is signed in with, and its agent. */
export const accountSchema = z.strictObject({
  walletAddress: walletOutputSchema,
  expiresAt: timestampSchema,
  /**
   * The wallet's registration. If `walletVerified` is false it may not be the owner's; registering
   * takes it over.
   */
  agent: z
    .strictObject({
      agentId: idSchema,
      walletVerified: z.boolean(),
      name: z.string(),
      description: z.string(),
      categories: z.array(categorySchema),
      links: linksSchema,
      /** Null, too, if the registration is unverified, because it may not be the owner's. */
      ownerEmail: z.string().nullable(),
      registeredAt: timestampSchema,
      /** Null, too, if this service is not connected to ERC-8004. */
      identity: ownIdentitySchema.nullable(),
    })
    .nullable(),
});
export type Account = z.infer<typeof accountSchema>;

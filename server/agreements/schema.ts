import { z } from "zod";
import {
  checkedDeliverable,
  deliverableShape,
  requirementSchema,
} from "@/server/judging/requirements/schema";
import {
  categorySchema,
  exactTextSchema,
  hashSchema,
  idSchema,
  partySchema,
  timestampSchema,
  txHashSchema,
  usdcSchema,
} from "@/server/lib/schema";
import { rawWalletSchema, walletOutputSchema, walletSchema } from "@/server/lib/wallet";

export { checkedDeliverable };

/** Largest canonical JSON of the terms, in bytes. */
export const MAX_TERMS_BYTES = 32 * 1024;

const payment = z.enum(["upfront", "escrow", "on-delivery"]).meta({
  id: "AgreementPayment",
  description: "escrow: by an ERC-8183 job; on-delivery: not recorded as paid",
});
const delivery = z.enum(["content", "content-or-url"]).meta({
  id: "AgreementDelivery",
  description: "content: only text can be delivered",
});

const requirements = z
  .array(requirementSchema)
  .min(1)
  .max(20)
  .meta({ description: "Conditions that code decides. All must hold" });
const criteria = z
  .array(exactTextSchema(1, 500))
  .max(10)
  .meta({ description: "Sentences that only a language model can decide. All must be met" });
const title = exactTextSchema(1, 80).meta({
  description: "Title of the job; public if the outcome's submission repeats it as `title`",
});
const task = exactTextSchema(1, 20_000).meta({ description: "What is requested, in words" });
/** A time of the terms, which are signed in Unix seconds. */
const wholeSeconds = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.000)?Z$/,
    "must be ISO 8601 in UTC with whole seconds, such as 2026-12-01T12:00:00Z",
  )
  // JavaScript reads February 30 as March 2.
  .refine((value) => {
    const time = Date.parse(value);
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value.slice(0, 19));
  }, "must be an existing date");
const startBy = wholeSeconds.meta({
  description:
    "End of the time to accept, ISO 8601 in UTC with whole seconds: at most 7 days after the proposal, and at most half-way from it to `deliverBy`",
});
const deliverBy = wholeSeconds.meta({
  description: "Deadline, ISO 8601 in UTC with whole seconds",
});
export const signatureSchema = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})+$/, "must be 0x and pairs of hexadecimal characters")
  .max(20_002)
  .meta({ description: "EIP-712 signature of the agreement; ERC-1271 for a contract wallet" });

/**
 * The terms, exactly as they are hashed and signed. Nothing is converted, so texts must not start or
 * end with white space and addresses must be in EIP-55 form; `POST /agreements/draft` returns such a
 * document.
 */
export const termsSchema = z
  .strictObject({
    version: z.literal(2).meta({ description: "Version of the terms" }),
    chainId: z.int().min(1).meta({ description: "Chain of the registry, as in GET /network" }),
    requester: rawWalletSchema.meta({
      description: "Wallet that asks for the work, in EIP-55 form",
    }),
    contractor: rawWalletSchema.meta({ description: "Wallet that does the work, in EIP-55 form" }),
    title: title.optional(),
    task,
    category: categorySchema,
    valueMicro: z
      .string()
      .regex(
        /^(0|[1-9]\d{0,14}|10{15})$/,
        "must be a whole number up to 1000000000000000, without leading zeros",
      )
      .meta({ description: "Value in millionths of a USDC, as decimal text" }),
    payment,
    startBy,
    deliverBy,
    delivery,
    requirements,
    criteria,
    nonce: hashSchema.meta({ description: "32 random bytes: 0x and 64 hexadecimal characters" }),
  })
  .meta({ id: "AgreementTerms", description: "The document that both parties sign" });
export type Terms = z.infer<typeof termsSchema>;

export const draftInput = z.strictObject({
  requester: walletSchema,
  contractor: walletSchema,
  title: title.optional(),
  task,
  category: categorySchema,
  valueUsdc: usdcSchema.meta({ description: "Value in USDC, at most 6 decimals" }),
  payment,
  startBy: timestampSchema.optional().meta({
    description: "End of the time to accept. Default: in an hour, or half-way if sooner",
  }),
  deliverBy: timestampSchema.meta({ description: "Deadline" }),
  delivery: delivery.optional().meta({ description: "Default: content, only text" }),
  requirements,
  criteria: criteria.optional(),
});
export type DraftInput = z.infer<typeof draftInput>;

const typedField = z.strictObject({
  name: z.string().meta({ description: "Field of the message" }),
  type: z.string().meta({ description: "Its Solidity type" }),
});

/** EIP-712 typed data in the form that wallets and libraries take; numbers as decimal text. */
export const agreementTypedData = z
  .strictObject({
    domain: z
      .strictObject({
        name: z.literal("Standing").meta({ description: "Name of the signing domain" }),
        version: z.literal("2").meta({ description: "Version of the signing domain" }),
        chainId: z.int().min(1).meta({ description: "EIP-155 chain id" }),
        verifyingContract: walletOutputSchema.meta({ description: "The registry" }),
      })
      .meta({ description: "EIP-712 domain" }),
    types: z
      .strictObject({
        Agreement: z.array(typedField).meta({ description: "Fields in signing order" }),
      })
      .meta({ description: "EIP-712 types" }),
    primaryType: z.literal("Agreement").meta({ description: "EIP-712 type of the message" }),
    message: z
      .strictObject({
        requester: walletOutputSchema,
        contractor: walletOutputSchema,
        valueMicro: z.string().meta({ description: "Millionths of a USDC" }),
        startBy: z.string().meta({ description: "Unix seconds" }),
        deliverBy: z.string().meta({ description: "Unix seconds" }),
        summary: z.string().meta({ description: "The terms in a few words, without the task" }),
        termsHash: hashSchema,
      })
      .meta({ description: "What the wallet shows" }),
  })
  .meta({ id: "AgreementTypedData", description: "What both wallets sign" });
export type AgreementTypedData = z.infer<typeof agreementTypedData>;

const termsHash = hashSchema.meta({
  description: "SHA-256 of the terms as canonical JSON (RFC 8785)",
});

const unresponsiveUrls = z.array(z.string()).meta({
  description:
    "URLs of the terms that did not respond when requirements about pages were proposed; links to them count",
});

export const draft = z
  .strictObject({ terms: termsSchema, termsHash, typedData: agreementTypedData, unresponsiveUrls })
  .meta({ id: "AgreementDraft" });
export type Draft = z.infer<typeof draft>;

export const proposeInput = z.strictObject({ terms: termsSchema, signature: signatureSchema });

export const agreementStatusSchema = z
  .enum([
    "PROPOSED",
    "AGREED",
    "DELIVERED",
    "NOT_DELIVERED",
    "DECLINED",
    "CANCELLED",
    "EXPIRED",
    "LAPSED",
  ])
  .meta({
    id: "AgreementStatus",
    description:
      "PROPOSED: one party signed; AGREED: both did; DELIVERED: the contractor delivered, see `outcomeId`; NOT_DELIVERED: the requester reported that it did not; DECLINED: the other party refused; CANCELLED: ended by agreement, before acceptance, or by the refund of the payment; EXPIRED: not accepted or paid in time; LAPSED: agreed, and neither delivered nor reported.",
  });
export type AgreementStatus = z.infer<typeof agreementStatusSchema>;

export const agreementSchema = z
  .strictObject({
    agreementId: idSchema,
    status: agreementStatusSchema,
    proposedBy: partySchema,
    terms: termsSchema,
    termsHash,
    typedData: agreementTypedData,
    signatures: z
      .strictObject({
        requester: signatureSchema.nullable().meta({ description: "Null until it signs" }),
        contractor: signatureSchema.nullable().meta({ description: "Null until it signs" }),
      })
      .meta({ description: "Signatures of both parties" }),
    paymentTxHash: txHashSchema.nullable().meta({
      description:
        "Upfront payment, found on the chain: by an EIP-3009 authorisation whose nonce is the digest. It also signs for the requester",
    }),
    requirements: z
      .array(z.string())
      .meta({ description: "The requirements in words, in the order of the terms" }),
    unresponsiveUrls,
    checkPassedAt: timestampSchema.nullable().meta({
      description: "When a deliverable last passed the requirements in a check of either party",
    }),
    refundTxHash: txHashSchema.nullable().meta({
      description:
        "The contractor's refund, found on the chain: an EIP-3009 authorisation with the same nonce",
    }),
    proposedAt: timestampSchema.meta({ description: "When it was proposed, in whole seconds" }),
    agreedAt: timestampSchema.nullable().meta({ description: "When the second party signed" }),
    paidAt: timestampSchema
      .nullable()
      .meta({ description: "Block time of the upfront payment, or of the funding of the escrow" }),
    endedAt: timestampSchema.nullable().meta({ description: "When it ended" }),
    settledAt: timestampSchema.nullable().meta({
      description: "When the contractor confirmed that it was paid for delivered work",
    }),
    deliveryPaymentTxHash: txHashSchema.nullable().meta({
      description:
        "Under on-delivery terms: the transfer that paid for the work. Found within a minute if the agreement's digest is its EIP-3009 nonce, and searched for from seven days after the work succeeded otherwise",
    }),
    cancellationRequestedBy: partySchema.nullable().meta({
      description:
        "Party that signed the cancellation of an AGREED agreement, while the other did not",
    }),
    outcomeId: idSchema.nullable().meta({ description: "The outcome, once it is submitted" }),
  })
  .meta({ id: "Agreement", description: "Terms of a job, as only its parties see them" });
export type Agreement = z.infer<typeof agreementSchema>;

export const clientRecord = z
  .strictObject({
    summary: z.string().meta({
      description: "The record in one sentence",
      example: "As a client: 12 of 14 jobs paid (540.00 USDC), none left unpaid, 0 disputes lost.",
    }),
    ordered: z.int().meta({
      description:
        "Recorded jobs that it ordered: under an agreement, submitted by itself, or paid with at least 0.50 USDC. Not those whose payment was returned",
    }),
    paid: z.int().meta({
      description:
        "Of these, those for which a payment of at least 0.50 USDC, or an escrow's, is on chain",
    }),
    paidUsdc: z.number().meta({ description: "What was paid for them, in USDC" }),
    leftUnpaid: z.int().nullable().meta({
      description:
        "Jobs under on-delivery terms whose work succeeded undisputed, without a transfer of at least the value since the proposal seven days later, or later: one transfer pays for one job, the oldest first. Not those that the contractor has marked as settled. Null without any paid or unpaid job, which is no record",
    }),
    leftUnpaidUsdc: z.number().nullable().meta({ description: "Their value, in USDC" }),
    disputesLost: z.int().meta({ description: "Disputes that it lost as a client" }),
    expired: z.int().meta({
      description: "Agreements that ended because an upfront payment did not arrive. No judgement",
    }),
    refunded: z.int().meta({
      description:
        "Jobs whose payment the contractor or the escrow returned, in none of the other counts. No judgement",
    }),
  })
  .meta({
    id: "ClientRecord",
    description: "How a wallet paid for the work that it ordered; there is no score of clients",
  });
export type ClientRecord = z.infer<typeof clientRecord>;

/** An agreement, with what a contractor should know before it signs. */
export const agreementWithClient = agreementSchema
  .extend({ requesterAsClient: clientRecord })
  .meta({ id: "AgreementWithClient" });
export type AgreementWithClient = z.infer<typeof agreementWithClient>;

/** What webhooks get, in processes that need not know the registry: the rest follows from the terms. */
export const announcedAgreement = agreementSchema
  .omit({ typedData: true })
  .meta({ id: "AnnouncedAgreement", description: "An agreement, without the typed data to sign" });
export type AnnouncedAgreement = z.infer<typeof announcedAgreement>;

export const agreementInput = z.strictObject({ agreementId: idSchema });

export const acceptInput = z.strictObject({ agreementId: idSchema, signature: signatureSchema });
export type AcceptInput = z.infer<typeof acceptInput>;

export const cancelInput = z.strictObject({
  agreementId: idSchema,
  signature: signatureSchema.optional().meta({
    description:
      "Needed to cancel an AGREED agreement, from both parties: the EIP-712 signature of `Cancellation(string summary,bytes32 termsHash)` in the same domain",
  }),
});
export type CancelInput = z.infer<typeof cancelInput>;

/** Without a deliverable, it counts as empty. */
export const checkInput = z.strictObject({ agreementId: idSchema, ...deliverableShape });
export const checkRequirementsInput = z.strictObject({ requirements, ...deliverableShape });

export const listAgreementsInput = z.strictObject({
  status: agreementStatusSchema.optional().meta({ description: "Only agreements in this state" }),
  digest: hashSchema.optional().meta({
    description: "Only the agreement with this EIP-712 digest, which its payment has as its nonce",
  }),
  cursor: z.string().max(200).optional().meta({ description: "`nextCursor` of the previous page" }),
  limit: z
    .int()
    .min(1)
    .transform((limit) => Math.min(limit, 100))
    .prefault(20)
    .meta({ description: "Entries, at most 100; larger values are reduced to 100" }),
});
export type ListAgreements = z.infer<typeof listAgreementsInput>;

export const agreementPage = z
  .strictObject({
    content: z.array(agreementSchema).meta({ description: "Newest first" }),
    nextCursor: z.string().nullable().meta({ description: "Null on the last page" }),
  })
  .meta({ id: "AgreementPage" });

import { z } from "zod";
import { signatureSchema } from "@/server/agreements/schema";
import { x402ReceiptSchema } from "@/server/chain/schema";
import { requirementResult } from "@/server/judging/requirements/schema";
import {
  categorySchema,
  hashSchema,
  httpUrlSchema,
  idSchema,
  partySchema,
  recordIndexSchema,
  textSchema,
  timestampSchema,
  titleSchema,
  txHashSchema,
  usdcSchema,
  verbatimTextSchema,
  verdictSchema,
} from "@/server/lib/schema";
import { walletOutputSchema, walletSchema } from "@/server/lib/wallet";

export const ESTIMATED_RESOLUTION_SECONDS = 30;

/** The fields of the task, which an agreement already has. */
const taskShape = {
  contractorAgentAddress: walletSchema,
  requesterAgentAddress: walletSchema,
  taskDescription: textSchema(1, 20_000).meta({
    description: "Clear description of what was requested",
  }),
  taskCategory: categorySchema,
  valueUsdc: usdcSchema.meta({ description: "Value of the task in USDC, at most 6 decimals" }),
};
const TASK_FIELDS = Object.keys(taskShape) as (keyof typeof taskShape)[];

/** Without an agreement, only these say what the task was; with one, they must equal its terms. */
const optionalTask = z.strictObject(taskShape).partial().shape;

const deliveryShape = {
  title: titleSchema.optional().meta({
    description:
      "Names the job in public, in one line. Under an agreement: the terms' title, which is private unless sent here.",
  }),
  deliverableContent: verbatimTextSchema(500_000).optional().meta({
    description: "The result of the task. Neither content nor URL, or only white space: FAILURE.",
  }),
  deliverableUrl: httpUrlSchema.optional().meta({
    description: "URL of the deliverable; fetched once and judged from that copy.",
  }),
  paymentTxHash: txHashSchema.toLowerCase().optional().meta({
    description:
      "Transaction in which the requester sent the contractor USDC for the task; any positive amount. The score counts the lesser of value and payment. A requester can name one only with a verified wallet.",
  }),
  payment: z
    .strictObject({
      x402: z.string().trim().min(1).max(8_192).meta({
        description:
          "The `PAYMENT-RESPONSE` header of the x402 response with which the contractor delivered (v1: `X-PAYMENT-RESPONSE`), unchanged. Its `transaction` is used as `paymentTxHash`; its `network` must be the chain of `GET /network`, as `eip155:{chainId}` or by its x402 v1 name. A receipt in it that the contractor signed becomes part of the evidence, if it names this payment.",
      }),
    })
    .optional()
    .meta({ description: "The payment by its receipt, instead of `paymentTxHash`" }),
};

const agreementId = idSchema.meta({
  description:
    "Agreement that this outcome ends. The contractor delivers under it; after `deliverBy`, the requester reports that nothing was delivered.",
});

export const submitInput = z
  .strictObject({ agreementId: agreementId.optional(), ...optionalTask, ...deliveryShape })
  .superRefine(requireTask, { when: () => true });

/** Reports every missing field of the task, unless an agreement has them. */
function requireTask(input: unknown, issue: z.RefinementCtx): void {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return;
  const sent = input as Record<string, unknown>;
  if (sent.agreementId !== undefined) return;
  for (const field of TASK_FIELDS) {
    if (sent[field] !== undefined) continue;
    issue.addIssue({ code: "invalid_type", expected: "string", input: undefined, path: [field] });
  }
}

/** `submitInput` as two bodies, so that clients know which fields belong together. */
export const submitBody = z
  .union([
    z.strictObject({ ...taskShape, ...deliveryShape }).meta({ id: "TaskOutcomeRequest" }),
    z
      .strictObject({ agreementId, ...optionalTask, ...deliveryShape })
      .meta({ id: "AgreementOutcomeRequest" }),
  ])
  .meta({
    id: "SubmitOutcomeRequest",
    description:
      "The outcome of a task, or of an agreement. With `agreementId`, the fields of the task may be omitted; those that are sent must equal the terms.",
  });

/** A submission as sent. */
export type Submitted = z.infer<typeof submitInput>;
/** A submission with the fields of its task, from the terms if it is under an agreement. */
export type SubmitInput = Submitted & Required<Pick<Submitted, keyof typeof taskShape>>;

export const submission = z
  .strictObject({
    outcomeId: idSchema,
    status: z.literal("EVALUATING").meta({ description: "The outcome is being judged" }),
    estimatedResolutionSeconds: z.int().meta({ description: "Usual time until the verdict" }),
    warnings: z
      .array(z.string())
      .optional()
      .meta({ description: "What is probably a mistake, such as a missing deliverable" }),
  })
  .meta({ id: "Submission" });
export type Submission = z.infer<typeof submission>;

export const refundInput = z.strictObject({
  outcomeId: idSchema,
  refundTxHash: txHashSchema.toLowerCase().meta({
    description:
      "Transaction in which the contractor sent the requester at least `paidUsdc`, in a block after the payment",
  }),
});
export type RefundInput = z.infer<typeof refundInput>;

export const refundSchema = z
  .strictObject({
    txHash: txHashSchema.meta({ description: "Transaction that returned the payment" }),
    amountUsdc: z.number().meta({ description: "Amount returned, in USDC" }),
    status: z.enum(["recording", "recorded"]).meta({
      description: "recorded: confirmed on chain, final; the outcome counts for nothing",
    }),
    refundedAt: timestampSchema.optional(),
    onChainTx: txHashSchema.optional().meta({ description: "Transaction of the refund's record" }),
    recordIndex: recordIndexSchema.optional(),
  })
  .meta({ id: "Refund", description: "The contractor returned the payment" });
export type Refund = z.infer<typeof refundSchema>;

const supersededSchema = z
  .strictObject({
    by: idSchema.meta({ description: "The payer's outcome, which has the payment now" }),
    status: z.enum(["accepted", "recorded"]).meta({
      description: "recorded: confirmed on chain; the outcome counts for nothing",
    }),
    onChainTx: txHashSchema.optional().meta({ description: "Transaction of that record" }),
    recordIndex: recordIndexSchema.optional(),
  })
  .meta({
    id: "Superseded",
    description:
      "The payer submitted its own outcome for the payment that the contractor had named",
  });
export type Superseded = z.infer<typeof supersededSchema>;

/** Response to a refund request. */
export const outcomeRefund = refundSchema
  .extend({ outcomeId: idSchema })
  .meta({ id: "OutcomeRefund" });
export type OutcomeRefund = z.infer<typeof outcomeRefund>;

/** The kind of judge that decided. Without an agreement, `heuristic` does not assess correctness. */
export const judgeSchema = z
  .strictObject({
    kind: z.enum(["llm", "heuristic", "gate"]).meta({
      description:
        "llm: a language model's findings; heuristic: code, either the built-in judge's checks or, with the id `requirements/…`, the requirements of an agreement; gate: decided without looking at the work, as an empty deliverable is.",
    }),
    id: z.string().meta({ description: "Model id, or the name of what decided" }),
  })
  .meta({ id: "Judge", description: "The judge that decided" });

const signingBlock = z.int().min(0).nullable().meta({
  description:
    "Block at which a contract wallet confirmed its signature (ERC-1271, ERC-6492); null for a plain account",
});

const agreementEvidence = z
  .strictObject({
    termsHash: hashSchema.meta({
      description: "SHA-256 of the signed terms as canonical JSON (RFC 8785)",
    }),
    startBy: z.int().meta({ description: "Signed end of the time to accept, in Unix seconds" }),
    deliverBy: z.int().meta({ description: "The signed deadline, in Unix seconds" }),
    summary: z.string().meta({ description: "The terms in a few words, as both wallets signed" }),
    agreedAt: timestampSchema.meta({
      description: "When the second party signed, by the service's clock; no signature covers it",
    }),
    contractorSignature: signatureSchema.meta({
      description: "EIP-712 signature of the contractor",
    }),
    contractorBlock: signingBlock,
    requesterSignature: signatureSchema
      .nullable()
      .meta({ description: "EIP-712 signature of the requester; null if it signed by paying" }),
    requesterBlock: signingBlock,
    paymentTxHash: txHashSchema.nullable().meta({
      description:
        "The payment that stands for the requester's signature: its `AuthorizationUsed` event has the agreement's EIP-712 digest as nonce",
    }),
    requirements: z
      .array(requirementResult.pick({ description: true, passed: true, observed: true }))
      .meta({
        description:
          "Results in the order of the terms; empty if nothing that can be read was delivered",
      }),
  })
  .meta({
    id: "AgreementEvidence",
    description:
      "What both parties signed, by its hash, and how it came out. With the record, anyone can recover both signers",
  });

/**
 * The evidence that the on-chain record commits to. Readers can hash it and compare it with the
 * other fields.
 */
const evidenceSchema = z
  .strictObject({
    outcomeId: idSchema,
    taskHash: hashSchema,
    deliverableHash: hashSchema,
    documentHash: hashSchema.nullable().meta({
      description:
        "SHA-256 of the salt's bytes followed by those of the SHA-256 of the document that was fetched from the URL; null if none was judged",
    }),
    checksHash: hashSchema.nullable().meta({
      description: "Likewise of what code checked, with private parts; null if nothing was",
    }),
    examinationsHash: hashSchema.nullable().meta({
      description: "Likewise of the examinations; null if no model was asked",
    }),
    verdict: verdictSchema,
    confPpm: z.int().meta({ description: "Confidence in millionths" }),
    judgeVersion: z.string().meta({ description: "Version of the judge's method and prompts" }),
    reasoningHash: hashSchema.meta({
      description: "SHA-256 of `llmJudgeReasoning` in UTF-8",
    }),
    agreement: agreementEvidence.optional(),
    x402Receipt: x402ReceiptSchema.optional(),
    simulated: z.literal(true).optional().meta({
      description: "Simulated; covered by the hash on chain",
    }),
  })
  .meta({ id: "Evidence", description: "What the record on chain commits to, by its hash" });

export const outcomeStatusSchema = z.enum(["EVALUATING", "RESOLVED"]).meta({
  id: "OutcomeStatus",
  description: "EVALUATING until the verdict is recorded on chain, then RESOLVED.",
});

const submitterSchema = z
  .strictObject({
    role: partySchema,
    walletAddress: walletOutputSchema,
    walletVerified: z
      .boolean()
      .meta({ description: "Whether the submitter had verified its wallet by then" }),
  })
  .meta({ id: "Submitter", description: "The party that submitted the outcome" });

/** The public view of an outcome. Fields from `verdict` on appear together, once it is resolved. */
export const publicOutcome = z
  .strictObject({
    outcomeId: idSchema,
    status: outcomeStatusSchema,
    contractorAgentAddress: walletOutputSchema,
    requesterAgentAddress: walletOutputSchema,
    taskCategory: categorySchema,
    title: z.string().nullable().meta({
      description: "What the submitter calls the job in public; null if it gave no title",
    }),
    valueUsdc: z.number().meta({ description: "Value of the task in USDC, as submitted" }),
    paidUsdc: z
      .number()
      .meta({ description: "Amount that the requester provably paid; 0 if none" }),
    paymentTxHash: txHashSchema.optional().meta({
      description:
        "Transaction that proves it. With paidUsdc 0, a reorganisation of the chain removed it.",
    }),
    clientConfirmed: z.boolean().optional().meta({
      description:
        "Of a paid outcome: whether the client confirmed it, by submitting it or by signing its terms. Otherwise only the contractor claims that the payment was for this job.",
    }),
    agreed: z.boolean().meta({
      description: "Whether both parties had signed the terms before the work, as on chain",
    }),
    disputeScope: z.enum(["work", "terms"]).meta({
      description:
        "What the review of a dispute decides. work: whether the work does what the task asks for; terms: under an agreement, only whether the signed terms hold, on the deliverable and the pages that are stored. Nothing that is delivered or said later counts, unless the favored party concedes.",
    }),
    submittedBy: submitterSchema,
    submittedAt: timestampSchema,
    taskHash: hashSchema.meta({
      description: "SHA-256 of the salt's bytes followed by the task description in UTF-8",
    }),
    deliverableHash: hashSchema.meta({
      description:
        "SHA-256 of the salt's bytes followed by the deliverable in UTF-8: its content, or its URL if the content is blank",
    }),
    verdict: verdictSchema.optional(),
    llmJudgeReasoning: z.string().optional().meta({ description: "The judge's reasoning" }),
    llmConfidence: z.number().min(0).max(1).optional().meta({
      description: "How sure the judge is, from 0 to 1; at 0.5 the verdict has no weight",
    }),
    onChainTx: txHashSchema.optional(),
    recordIndex: recordIndexSchema.optional(),
    resolvedAt: timestampSchema.optional(),
    judge: judgeSchema.optional(),
    // One outcome with malformed evidence must not break a list.
    evidence: evidenceSchema.optional().catch(undefined),
    evidenceHash: hashSchema.optional().meta({
      description:
        "Part of the record on chain: SHA-256 of `evidence` as canonical JSON (RFC 8785)",
    }),
    disputeId: idSchema.optional(),
    countsFrom: timestampSchema.optional().meta({
      description:
        "Of a failure that an unanchored requester reported: midnight UTC of the day from which it lowers the score, unless the payment is returned",
    }),
    refund: refundSchema.optional(),
    superseded: supersededSchema.optional(),
    finalVerdict: verdictSchema.optional().meta({
      description: "The verdict after a dispute; without one, the recorded verdict.",
    }),
    assessed: z.boolean().optional().meta({
      description:
        "Whether the verdict says anything. False if the judge could not assess the work, which gives a confidence of 0.5, and no dispute decided it",
    }),
    rebuilt: z.literal(true).optional().meta({
      description:
        "Imported from the chain after a database was lost: the texts, their hashes, the reasons and the evidence may be missing",
    }),
    simulated: z.literal(true).optional().meta({
      description: "Part of a simulated history, with its task and judgement",
    }),
  })
  .meta({ id: "PublicOutcome" });
export type PublicOutcome = z.infer<typeof publicOutcome>;

/** Fields that only the two parties see, with the key of an agent whose wallet is verified. */
export const partyOutcome = publicOutcome
  .extend({
    private: z
      .strictObject({
        agreementId: idSchema
          .nullable()
          .meta({ description: "The agreement that it ended; null without one" }),
        taskDescription: z.string().meta({ description: "The task, as submitted" }),
        deliverableContent: z
          .string()
          .nullable()
          .meta({ description: "The deliverable, as submitted; null if only a URL was" }),
        deliverableUrl: z.string().nullable().meta({ description: "URL of the deliverable" }),
        salt: z.string().meta({ description: "Hexadecimal; makes the public hashes checkable" }),
      })
      .optional()
      .meta({ description: "Only for the two parties, with the key of a verified agent" }),
  })
  .meta({ id: "Outcome" });
export type PartyOutcome = z.infer<typeof partyOutcome>;

export const deliverableSchema = z
  .strictObject({
    outcomeId: idSchema,
    deliverableContent: z.string().meta({ description: "The bytes that were judged" }),
    encoding: z.enum(["utf-8", "base64"]).meta({ description: "base64: they are no valid UTF-8" }),
    deliverableUrl: z.string().nullable().meta({ description: "Where they were fetched, if so" }),
    mediaType: z.string().nullable().meta({ description: "As the server of that URL sent it" }),
    bytes: z.int().meta({ description: "Number of bytes" }),
    sha256: hashSchema.meta({
      description:
        "SHA-256 of the bytes. The record has salted hashes: `deliverableHash` of submitted bytes; `evidence.documentHash` of this hash, if they were fetched under an agreement.",
    }),
  })
  .meta({ id: "Deliverable" });
export type Deliverable = z.infer<typeof deliverableSchema>;

const storedPage = z
  .strictObject({
    url: z.string().nullable().meta({ description: "URL that was fetched, once" }),
    finalUrl: z.string().nullable().meta({ description: "URL after redirects" }),
    content: z.string().nullable().meta({ description: "Text that was stored; null without one" }),
    status: z.int().nullable().meta({ description: "HTTP status; null without a response" }),
    mediaType: z.string().nullable().meta({ description: "Media type of the copy" }),
    failure: z.string().nullable().meta({ description: "Why there is no text; else null" }),
    fetchedAt: timestampSchema,
  })
  .meta({ id: "StoredPage" });

export const outcomePages = z
  .strictObject({
    outcomeId: idSchema,
    pages: z.array(storedPage).meta({ description: "In the order of `fetchedAt`" }),
  })
  .meta({ id: "OutcomePages" });
export type OutcomePages = z.infer<typeof outcomePages>;

import { z } from "zod";
import {
  categorySchema,
  disputeReviewSchema,
  disputeVerdictSchema,
  hashSchema,
  idSchema,
  judgeSetupSchema,
  partySchema,
  txHashSchema,
  verdictSchema,
} from "@/server/lib/schema";
import { STAKE_USDC } from "@/server/lib/usdc";
import { walletOutputSchema } from "@/server/lib/wallet";

/** A seller's x402 receipt of version 1, as signed, with the hash of the URL in place of the URL. */
export const x402ReceiptSchema = z
  .strictObject({
    network: z
      .string()
      .regex(/^eip155:\d{1,20}$/)
      .meta({ description: "Chain of the payment, as a CAIP-2 id", example: "eip155:8453" }),
    resourceUrlHash: hashSchema.meta({
      description: "Keccak-256 of the URL that was paid for; the URL itself may hold private words",
    }),
    payer: z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/)
      .meta({ description: "The requester's wallet, spelled as it was signed" }),
    issuedAt: z.int().min(0).meta({ description: "When it was signed, in Unix seconds" }),
    transaction: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/)
      .meta({ description: "Transaction of the payment, spelled as it was signed" }),
    signature: z
      .string()
      .regex(/^0x(?:[0-9a-fA-F]{2})+$/)
      .meta({ description: "EIP-712 signature of the contractor" }),
  })
  .meta({
    id: "X402Receipt",
    description:
      "The contractor's signed x402 receipt (version 1): it confirmed this sale, which says nothing about the work. Absent if no valid one was submitted",
  });
export type X402Receipt = z.infer<typeof x402ReceiptSchema>;

export const networkSchema = z
  .strictObject({
    chainId: z.int().meta({ description: "EIP-155 chain id", example: 8453 }),
    chainName: z.string().meta({ description: "Name of the chain", example: "Base" }),
    explorerUrl: z
      .url()
      .nullable()
      .meta({ description: "Block explorer, without a trailing slash; null on a local chain" }),
    registryAddress: walletOutputSchema.meta({ description: "The contract of the public ledger" }),
    usdcAddress: walletOutputSchema.meta({ description: "The USDC that stakes are paid in" }),
    usdc: z
      .strictObject({
        address: walletOutputSchema.meta({ description: "Same as `usdcAddress`" }),
        name: z.string().nullable().meta({
          description:
            "EIP-712 name of the contract. Null if it has no `name()`, or the node has not responded yet",
          example: "USD Coin",
        }),
        version: z.string().nullable().meta({
          description:
            "EIP-712 version of the contract. Null if it has no `version()`, or the node has not responded yet",
          example: "2",
        }),
        decimals: z.int().meta({ description: "Decimals of an amount", example: 6 }),
      })
      .meta({
        id: "UsdcToken",
        description: "The USDC, as the contract describes itself: what a signed payment needs",
      }),
    stakeAddress: walletOutputSchema.meta({ description: "Account that stakes are paid to" }),
    statements: z
      .strictObject({
        gateAddress: walletOutputSchema.meta({
          description: "The ScoreGate contract: verifies statements, and names the signer on chain",
        }),
        signer: walletOutputSchema.meta({ description: "The account that signs statements" }),
        validSeconds: z
          .int()
          .meta({ description: "How long a statement is valid", example: 86_400 }),
      })
      .nullable()
      .meta({
        id: "StatementSettings",
        description: "How score statements are signed; null if this service signs none",
      }),
    erc8004: z
      .strictObject({
        identityAddress: walletOutputSchema.meta({ description: "The identity registry" }),
        reputationAddress: walletOutputSchema.meta({ description: "The reputation registry" }),
      })
      .nullable()
      .meta({
        id: "Erc8004Registries",
        description: "The ERC-8004 registries that this service reads; null if none",
      }),
    erc8004Note: z.string().optional().meta({
      description: "Why there are no ERC-8004 registries, for the operator",
    }),
    escrows: z
      .strictObject({
        evaluator: walletOutputSchema.meta({
          description: "The account that jobs name as their evaluator",
        }),
        addresses: z.array(walletOutputSchema).meta({ description: "The escrow contracts" }),
      })
      .nullable()
      .meta({
        id: "EvaluatedEscrows",
        description:
          "ERC-8183 escrows whose jobs verdicts decide (GET /evaluator); null until the operator sets ERC8183_ESCROW_ADDRESSES and EVALUATOR_KEY",
      }),
    stakeUsdc: z.string().meta({ description: "Stake of a dispute, in USDC", example: STAKE_USDC }),
    disputeReview: disputeReviewSchema,
    judge: judgeSetupSchema,
    judgeNote: z.string().meta({ description: "What the judge can and cannot assess, and why" }),
    confirmations: z
      .int()
      .min(1)
      .meta({ description: "Depth at which a record or payment counts" }),
    policyVersion: z.string().meta({ description: "Version of the score formula" }),
    rpcUrl: z.url().optional().meta({ description: "Node to connect to, in local mode only" }),
  })
  .meta({ id: "Network" });

/** Configured ways to connect a wallet other than those in the browser. */
export const walletConnectorsSchema = z.strictObject({
  walletConnectProjectId: z.string().nullable(),
  baseAccount: z.boolean(),
});
export type WalletConnectors = z.infer<typeof walletConnectorsSchema>;

const micro = z.int().min(0).meta({ description: "Millionths of a USDC" });
const seconds = z.int().meta({ description: "Unix seconds" });
const evidenceHash = hashSchema
  .optional()
  .meta({ description: "SHA-256 of the evidence as canonical JSON (RFC 8785)" });

const place = {
  seq: z.int().min(1).meta({ description: "Counts all records from 1, without gaps" }),
  txHash: txHashSchema,
  logIndex: z.int().min(0).meta({
    description: "Counts the registry's records within the transaction from 0",
  }),
};

/** A record of the public ledger with its position on chain; the score reads nothing else. */
export const ledgerEntry = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("outcome").meta({ description: "The verdict on an outcome" }),
      id: idSchema,
      contractor: walletOutputSchema,
      requester: walletOutputSchema,
      category: categorySchema,
      valueMicro: micro,
      paidMicro: micro,
      submittedBy: partySchema,
      proven: z
        .boolean()
        .meta({ description: "Whether the submitter had verified its wallet by then" }),
      agreed: z.boolean().meta({
        description: "Whether both parties had signed the terms before the work",
      }),
      verdict: verdictSchema,
      confPpm: z.int().min(0).max(1_000_000).meta({ description: "Confidence in millionths" }),
      resolvedAt: seconds,
      evidenceHash,
      ...place,
    }),
    z.strictObject({
      type: z.literal("dispute").meta({ description: "The verdict of a dispute" }),
      outcomeId: idSchema,
      verdict: disputeVerdictSchema,
      assessed: z.boolean().meta({
        description:
          "Whether the review examined the work, or the contractor conceded its own success. A verdict that it overturned weighs nothing otherwise.",
      }),
      resolvedAt: seconds,
      evidenceHash,
      ...place,
    }),
    z.strictObject({
      type: z.literal("refund").meta({ description: "The contractor returned the payment" }),
      outcomeId: idSchema,
      at: seconds,
      paymentTx: txHashSchema.optional().meta({
        description: "Transaction whose USDC transfer returned the payment",
      }),
      ...place,
    }),
    z.strictObject({
      type: z.literal("superseded").meta({
        description:
          "The payer submitted its own outcome for the payment that the contractor named",
      }),
      outcomeId: idSchema.meta({ description: "The contractor's outcome, void from now on" }),
      by: idSchema.meta({ description: "The payer's outcome" }),
      ...place,
    }),
    z.strictObject({
      type: z.literal("anchor").meta({ description: "The operator trusts a requester" }),
      wallet: walletOutputSchema,
      from: seconds,
      until: seconds.nullable().meta({ description: "Null: no end" }),
      ...place,
    }),
    z.strictObject({
      type: z
        .literal("anchor-revoked")
        .meta({ description: "An anchor counts for nothing any more" }),
      anchorSeq: z.int().min(1).meta({ description: "`seq` of the anchor's record" }),
      ...place,
    }),
    z.strictObject({
      type: z
        .literal("takeover")
        .meta({ description: "The owner of a wallet replaced an unverified registration" }),
      wallet: walletOutputSchema,
      at: seconds,
      ...place,
    }),
  ])
  .meta({ id: "LedgerEntry", description: "A record of the public ledger" });
export type LedgerEntry = z.infer<typeof ledgerEntry>;

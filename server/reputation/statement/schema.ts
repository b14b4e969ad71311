import { z } from "zod";
import { TIERS } from "@/server/lib/schema";
import { walletOutputSchema } from "@/server/lib/wallet";
import { totalOutcomesSchema } from "@/server/reputation/schema";

const hash = z.string().regex(/^0x[0-9a-f]{64}$/);
/** The last second that dates in ISO 8601 with four digits of the year can express. */
const LAST_SECOND = Date.parse("9999-12-31T23:59:59Z") / 1000;
const unixSeconds = z.int().min(0).max(LAST_SECOND);

const scoreStatement = z
  .strictObject({
    wallet: walletOutputSchema.meta({ description: "The wallet that the statement is about" }),
    scoreCenti: z
      .int()
      .min(0)
      .max(10_000)
      .meta({ description: "Score in hundredths of a point: 7621 is 76.21" }),
    tier: z
      .int()
      .min(0)
      .max(TIERS.length - 1)
      .meta({ description: `Index of the tier in ${TIERS.join(", ")}, from 0` }),
    outcomes: totalOutcomesSchema,
    policy: hash.meta({
      description: "Keccak-256 of the numbers of the score formula, as canonical JSON (RFC 8785)",
    }),
    seq: z.int().min(0).meta({
      description: "The last ledger record that the score includes; it includes all before it",
    }),
    head: hash.meta({ description: "The registry's hash chain at `seq`" }),
    issuedAt: unixSeconds.meta({
      description: "Unix seconds. The score is that of the UTC day of this time",
    }),
    expiresAt: unixSeconds.meta({
      description: "Unix seconds; the statement is valid before then",
    }),
  })
  .meta({ id: "ScoreStatement", description: "A wallet's score at one state of the ledger" });
export type ScoreStatement = z.infer<typeof scoreStatement>;

const typedField = z.strictObject({
  name: z.string().meta({ description: "Field of the message" }),
  type: z.string().meta({ description: "Its Solidity type" }),
});

/** A statement as EIP-712 typed data, in the form that wallets and libraries take, and its signature. */
export const signedStatement = z
  .strictObject({
    domain: z
      .strictObject({
        name: z.literal("Standing").meta({ description: "Name of the signing domain" }),
        version: z.literal("1").meta({ description: "Version of the signing domain" }),
        chainId: z.int().min(1).meta({ description: "EIP-155 chain id" }),
        verifyingContract: walletOutputSchema.meta({
          description: "The ScoreGate contract, as in GET /network",
        }),
      })
      .meta({ description: "EIP-712 domain" }),
    types: z
      .strictObject({
        ScoreStatement: z.array(typedField).meta({ description: "Fields in signing order" }),
      })
      .meta({ description: "EIP-712 types" }),
    primaryType: z.literal("ScoreStatement").meta({ description: "EIP-712 type of the message" }),
    message: scoreStatement,
    signature: z
      .string()
      .regex(/^0x[0-9a-f]{130}$/)
      .meta({ description: "ECDSA signature: r, s and v, 65 bytes" }),
    signer: walletOutputSchema.meta({
      description:
        "The account that signed. Compare it with GET /network or the ScoreGate contract",
    }),
  })
  .meta({ id: "SignedStatement" });
export type SignedStatement = z.infer<typeof signedStatement>;

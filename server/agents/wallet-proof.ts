import { type Address, type Hex, hashMessage } from "viem";
import { checkSignature } from "@/server/chain/signature";
import type { Context, Transaction } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { consumeNonce, isUsableNonce } from "./nonce";
import {
  createProofTerms,
  type ProofPurpose,
  parseProofMessage,
  STATEMENTS,
} from "./proof-message";
import type { WalletProof } from "./schema";

/** A valid proof; it takes effect once `consumeProof` has consumed its nonce. */
export interface VerifiedProof {
  nonce: string;
}

interface ProofClaim {
  wallet: Address;
  proof: WalletProof;
  purpose: ProofPurpose;
}

/**
 * Verifies a wallet proof (ERC-4361): the message's fields, its nonce, and the wallet's signature.
 * Only reads; `consumeProof` consumes the nonce in the transaction
 * that the proof authorizes.
 *
 * Throws `wallet-proof-invalid` with the reason, and the error of `checkSignature`.
 */
export async function verifyProof(
  ctx: Pick<Context, "db" | "env" | "chain" | "request">,
  { wallet, proof, purpose }: ProofClaim,
): Promise<VerifiedProof> {
  const terms = { ...createProofTerms(ctx), statement: STATEMENTS[purpose] };
  const message = parseProofMessage(proof.message, wallet, terms, Date.now());
  if ("refusal" in message) throw createProofError(message.refusal);
  if (!(await isUsableNonce(ctx, message.nonce))) throw createNonceError();
  const signed = { hash: hashMessage(proof.message), signature: proof.signature as Hex };
  const { problem } = await checkSignature(ctx.chain, { wallet, ...signed }, "message");
  if (problem) throw createProofError(`The signature ${problem}.`);
  return { nonce: message.nonce };
}

/** Consumes the proof. Throws `wallet-proof-invalid` if another request has used it. */
export async function consumeProof(tx: Transaction, proof: VerifiedProof): Promise<void> {
  if (!(await consumeNonce(tx, proof.nonce))) throw createNonceError();
}

function createNonceError(): AppError {
  return createProofError(
    "The nonce is unknown, expired or used. Request a new one with POST /auth/nonce.",
  );
}

function createProofError(reason: string): AppError {
  return new AppError("wallet-proof-invalid", reason);
}

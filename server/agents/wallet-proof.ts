import { type Address, type Hex, hashMessage } from "viem";
import { checkSignature } from "@/server/chain/signature";
import type { Context, Transaction } from "@/server/lib/context";
import { consumeNonce, isUsableNonce } from "./nonce";
import {
  createProofError,
  createProofTerms,
  type ProofPurpose,
  parseProofMessage,
  STATEMENTS,
} from "./proof-message";
import type { WalletProof } from "./schema";

interface ProofClaim {
  wallet: Address;
  proof: WalletProof;
  purpose: ProofPurpose;
}

/**
 * Verifies a wallet proof (ERC-4361): the message's fields, its nonce, and the wallet's signature.
 * Returns the nonce. Only reads; the proof takes effect once `consumeProof` has consumed the nonce in
 * the transaction that the proof authorizes.
 *
 * Throws `wallet-proof-invalid` with the reason, and the error of `checkSignature`.
 */
export async function verifyProof(
  ctx: Pick<Context, "db" | "env" | "chain" | "request">,
  { wallet, proof, purpose }: ProofClaim,
): Promise<string> {
  const terms = { ...createProofTerms(ctx), statement: STATEMENTS[purpose] };
  const nonce = parseProofMessage(proof.message, wallet, terms, Date.now());
  if (!(await isUsableNonce(ctx, nonce))) throw createNonceError();
  const signed = { hash: hashMessage(proof.message), signature: proof.signature as Hex };
  const { problem } = await checkSignature(ctx.chain, { wallet, ...signed }, "message");
  if (problem) throw createProofError(`The signature ${problem}.`);
  return nonce;
}

/** Consumes a proof by its nonce. Throws `wallet-proof-invalid` if another request has used it. */
export async function consumeProof(tx: Transaction, nonce: string): Promise<void> {
  if (!(await consumeNonce(tx, nonce))) throw createNonceError();
}

const createNonceError = () =>
  createProofError(
    "The nonce is unknown, expired or used. Request a new one with POST /auth/nonce.",
  );

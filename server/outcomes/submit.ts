import { randomUUID } from "node:crypto";
import { createUnauthenticatedError } from "@/server/agents/authenticate";
import { queryChain, requirePayment } from "@/server/chain/payments/require-payment";
import { readX402Transaction } from "@/server/chain/payments/x402";
import { refuseReservedAddress } from "@/server/chain/reserved-addresses";
import { isBlank } from "@/server/judging/canonicalise";
import type { Context, Core } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { hashClientKey } from "@/server/rate-limit/client";
import type { NamedPayment } from "./attach-payment";
import { addTerms, findAgreement, requireAgreedPayment } from "./deliver";
import { findByIdempotencyKey, hashInput, type StoredSubmission } from "./idempotency";
import {
  ESTIMATED_RESOLUTION_SECONDS,
  type Submission,
  type SubmitInput,
  type Submitted,
} from "./schema";
import { type NewSubmission, type Submitter, storeSubmission } from "./store-submission";

interface Accepted {
  response: Submission;
  /** Whether the response is that of an earlier submission under the same key. */
  replayed: boolean;
}

/** A submission's idempotency key, and the earlier submission under it, if any. */
interface Idempotency {
  key: string;
  stored: StoredSubmission | null;
}

type SubmitContext = Pick<Context, "db" | "env" | "publish" | "chain" | "log"> & {
  request: Pick<Context["request"], "ip">;
};

/**
 * Accepts an outcome, or returns the response to the earlier submission under the same key. The
 * outcome, its payment, its idempotency key, the response and the event that triggers judging are
 * written in one transaction, so an acknowledged outcome can't be lost or judged twice, and a
 * payment counts once. Reads the chain only if a payment is named.
 *
 * Throws `invalid-party`, `same-party`, `forbidden` (the key's agent is neither party),
 * `idempotency-key-reused` (the key belongs to a different input), `unauthenticated` (a concurrent
 * takeover ended the agent) and the errors of `resolvePayment`, `findAgreement`, `findPayment`,
 * `requireAgreedPayment` and `storeSubmission`.
 */
export async function submitOutcome(
  ctx: SubmitContext,
  submitter: Submitter,
  idempotency: Idempotency | null,
  sent: Submitted,
): Promise<Accepted> {
  const submitted = resolvePayment(ctx.chain, sent);
  const inputHash = hashInput(submitted);
  if (idempotency?.stored) return replay(idempotency.stored, inputHash);
  const key = idempotency?.key ?? null;
  const findWinner = async () => key && (await findByIdempotencyKey(ctx.db, submitter.id, key));
  try {
    const response = await acceptSubmission(ctx, submitter, { submitted, inputHash, key });
    if (response) return { response, replayed: false };
  } catch (error) {
    // It may have been a concurrent request with the same key that ended the agreement.
    const isEnded = error instanceof AppError && error.code === "agreement-ended";
    const winner = isEnded && (await findWinner());
    if (winner) return replay(winner, inputHash);
    throw error;
  }
  // A concurrent request with the same key won, so its response is returned.
  const winner = await findWinner();
  // If it is missing, a takeover has ended the registration that the key belonged to.
  if (!winner) throw createUnauthenticatedError();
  return replay(winner, inputHash);
}

/** Returns the response, or null if a concurrent request has used the idempotency key. */
async function acceptSubmission(
  ctx: SubmitContext,
  submitter: Submitter,
  { submitted, inputHash, key }: { submitted: Submitted; inputHash: string; key: string | null },
): Promise<Submission | null> {
  const agreement = await findAgreement(ctx, submitter, submitted);
  // Without an agreement, the schema requires the fields of the task.
  const input = agreement ? addTerms(submitted, agreement) : (submitted as SubmitInput);
  for (const field of ["contractorAgentAddress", "requesterAgentAddress"] as const) {
    refuseReservedAddress(ctx.chain, input[field], field);
  }
  const submittedBy = getSubmitterRole(submitter.wallet, input);
  const named = await findPayment(ctx, submitter, input);
  const payment = agreement ? requireAgreedPayment(agreement, submittedBy, named) : named;
  const id = randomUUID();
  const isReport = agreement !== null && submittedBy === "requester";
  const response: Submission = {
    outcomeId: id,
    status: "EVALUATING",
    estimatedResolutionSeconds: ESTIMATED_RESOLUTION_SECONDS,
    // JSON drops what is undefined, so a mistake in a program looks like this.
    ...(isBlank(input.deliverableContent ?? "") && !input.deliverableUrl && !isReport
      ? { warnings: ["No deliverable was sent: the verdict will be FAILURE."] }
      : {}),
  };
  const submission: NewSubmission = {
    id,
    input,
    inputHash,
    submitter,
    submittedBy,
    agreement,
    idempotencyKey: key,
    client: hashClientKey(ctx.env, ctx.request.ip, "submission").toString("hex"),
    response,
  };
  return (await storeSubmission(ctx, submission, payment)) ? response : null;
}

function replay({ inputHash, storedAnswer }: StoredSubmission, hash: string): Accepted {
  if (inputHash !== hash) {
    throw new AppError(
      "idempotency-key-reused",
      "This Idempotency-Key was used for a submission with another body. Use a new key for a new outcome.",
    );
  }
  return { response: JSON.parse(storedAnswer) as Submission, replayed: true };
}

function getSubmitterRole(wallet: string, input: SubmitInput): "contractor" | "requester" {
  if (input.contractorAgentAddress === input.requesterAgentAddress) {
    throw new AppError(
      "same-party",
      "contractorAgentAddress and requesterAgentAddress must differ.",
    );
  }
  if (wallet === input.contractorAgentAddress) return "contractor";
  if (wallet === input.requesterAgentAddress) return "requester";
  throw new AppError(
    "forbidden",
    "Only the contractor or the requester of an outcome may submit it, and this key belongs to neither.",
  );
}

/**
 * Returns the input with the transaction of its x402 receipt as `paymentTxHash`, so that naming the
 * payment either way is the same submission. Throws `payment-invalid` if both are given, and as
 * `readX402Transaction` does.
 */
function resolvePayment(chain: Core["chain"], input: Submitted): Submitted {
  const { payment, ...rest } = input;
  if (payment === undefined) return rest;
  if (rest.paymentTxHash !== undefined) {
    const detail = "names the payment a second time; send either it or `paymentTxHash`";
    throw new AppError("payment-invalid", `#/payment ${detail}.`, {
      errors: [{ pointer: "#/payment", detail, code: "conflicting-fields" }],
    });
  }
  const payer = rest.requesterAgentAddress;
  const receipt = { header: payment.x402, payer, pointer: "#/payment/x402" };
  return { ...rest, paymentTxHash: readX402Transaction(chain, receipt) };
}

/**
 * Returns the USDC transfers from requester to contractor in the transaction that a submission
 * names; null if it names no transaction. Throws as `requirePayment` does, and `payment-invalid` if
 * the submitter may not name this payment.
 */
async function findPayment(
  core: Pick<Core, "chain" | "log">,
  submitter: Submitter,
  { paymentTxHash, requesterAgentAddress, contractorAgentAddress }: SubmitInput,
): Promise<NamedPayment | null> {
  if (paymentTxHash === undefined) return null;
  // A failure counts against a paid contractor, and payments are public. Without this check, anyone
  // could register the wallet of a past requester without proof and report failures in its name.
  if (submitter.wallet === requesterAgentAddress && !submitter.walletVerified) {
    throw new AppError(
      "payment-invalid",
      "A requester can name its USDC payment only with a verified wallet: register again with a walletProof and this key.",
    );
  }
  const transfers = await requirePayment(core, {
    txHash: paymentTxHash,
    from: requesterAgentAddress,
    to: contractorAgentAddress,
    minMicro: 1n,
  });
  if (submitter.wallet !== requesterAgentAddress) return { transfers, paidAt: null };
  const [{ blockNumber }] = transfers;
  const { timestamp } = await queryChain(core, () => core.chain.client.getBlock({ blockNumber }));
  return { transfers, paidAt: new Date(Number(timestamp) * 1000) };
}

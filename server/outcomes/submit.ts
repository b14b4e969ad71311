import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { type Caller, createUnauthenticatedError, lockAgent } from "@/server/agents/authenticate";
import type { UsdcTransfer } from "@/server/chain/payments/payment";
import { requirePayment, requireUnusedTransfer } from "@/server/chain/payments/require-payment";
import { readX402Transaction } from "@/server/chain/payments/x402";
import { refuseReservedAddress } from "@/server/chain/reserved-addresses";
import { isBlank } from "@/server/judging/canonicalise";
import { commitTo } from "@/server/judging/evidence";
import type { Context, Core, Transaction } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { toMicro } from "@/server/lib/usdc";
import { outcomeSubmitted } from "./events";
import { findByIdempotencyKey, hashInput, type StoredSubmission } from "./idempotency";
import { ESTIMATED_RESOLUTION_SECONDS, type Submission, type SubmitInput } from "./schema";
import { outcomes } from "./tables";

interface Submitter extends Caller {
  wallet: string;
  walletVerified: boolean;
}

/** Another submission of the agent has the same idempotency key. */
class SubmittedBefore extends Error {
  override name = "SubmittedBefore";
}

interface Submitted {
  response: Submission;
  /** Whether the response is that of an earlier submission under the same key. */
  replayed: boolean;
}

/** A submission's idempotency key, and the earlier submission under it, if any. */
interface Idempotency {
  key: string;
  stored: StoredSubmission | null;
}

/**
 * Accepts an outcome, or returns the response to the earlier submission under the same key. The
 * outcome, its payment, its idempotency key, the response and the event that triggers judging are
 * written in one transaction, so an acknowledged outcome can't be lost or judged twice, and a
 * payment counts once. Reads the chain only if a payment is named.
 *
 * Throws `invalid-party`, `same-party`, `forbidden` (the key's agent is neither party),
 * `idempotency-key-reused` (the key belongs to a different input), `unauthenticated` (a concurrent
 * takeover ended the agent) and the errors of `resolvePayment`, `findPaymentTransfers` and
 * `attachPayment`.
 */
export async function submitOutcome(
  ctx: Pick<Context, "db" | "publish" | "chain" | "log">,
  submitter: Submitter,
  idempotency: Idempotency | null,
  submitted: SubmitInput,
): Promise<Submitted> {
  const input = resolvePayment(ctx.chain, submitted);
  const inputHash = hashInput(input);
  if (idempotency?.stored) return replay(idempotency.stored, inputHash);
  for (const field of ["contractorAgentAddress", "requesterAgentAddress"] as const) {
    refuseReservedAddress(ctx.chain, input[field], field);
  }
  const submittedBy = getSubmitterRole(submitter.wallet, input);
  const payment = await findPaymentTransfers(ctx, submitter, input);
  const id = randomUUID();
  const salt = randomBytes(16);
  const response: Submission = {
    outcomeId: id,
    status: "EVALUATING",
    estimatedResolutionSeconds: ESTIMATED_RESOLUTION_SECONDS,
  };
  const storing = ctx.db.transaction(async (tx) => {
    const locking = lockAgent(tx, submitter);
    const inserting = tx
      .insert(outcomes)
      .values({
        id,
        contractor: input.contractorAgentAddress,
        requester: input.requesterAgentAddress,
        taskDescription: input.taskDescription,
        taskCategory: input.taskCategory,
        deliverableContent: input.deliverableContent ?? null,
        deliverableUrl: input.deliverableUrl ?? null,
        valueMicro: toMicro(input.valueUsdc),
        submittedBy,
        submitterAgentId: submitter.id,
        proven: submitter.walletVerified,
        salt,
        taskHash: commitTo(salt, input.taskDescription),
        deliverableHash: commitTo(salt, getJudgedText(input)),
        idempotencyKey: idempotency?.key,
        inputHash,
        storedAnswer: JSON.stringify(response),
      })
      .onConflictDoNothing({ target: [outcomes.submitterAgentId, outcomes.idempotencyKey] })
      .returning({ id: outcomes.id })
      .execute();
    const publishing = ctx.publish(tx, [
      { id: `outcome-submitted:${id}`, name: outcomeSubmitted.name, data: { outcomeId: id } },
    ]);
    // The statements share a round trip; if one finds a reason to refuse, none takes effect. Of
    // several reasons, an ended registration is the cause of the others.
    await Promise.allSettled([locking, inserting, publishing]);
    await locking;
    const [inserted] = await Promise.all([inserting, publishing]);
    if (inserted.length === 0) throw new SubmittedBefore();
    await attachPayment(ctx, tx, id, payment);
  });
  try {
    await storing;
    return { response, replayed: false };
  } catch (error) {
    if (!(error instanceof SubmittedBefore)) throw error;
  }

  // A concurrent request with the same key won, so its response is returned.
  const winner = idempotency && (await findByIdempotencyKey(ctx.db, submitter.id, idempotency.key));
  // If it is missing, a takeover has ended the registration that the key belonged to.
  if (!winner) throw createUnauthenticatedError();
  return replay(winner, inputHash);
}

function replay({ inputHash, storedAnswer }: StoredSubmission, hash: string): Submitted {
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
 * Returns the text that the judge will look at: the content, or the URL if the content is blank.
 */
function getJudgedText({ deliverableContent = "", deliverableUrl }: SubmitInput): string {
  return isBlank(deliverableContent) ? (deliverableUrl ?? deliverableContent) : deliverableContent;
}

/**
 * Returns the input with the transaction of its x402 receipt as `paymentTxHash`, so that naming the
 * payment either way is the same submission. Throws `payment-invalid` if both are given, and as
 * `readX402Transaction` does.
 */
function resolvePayment(chain: Core["chain"], input: SubmitInput): SubmitInput {
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
 * names; none if it names no transaction. Throws as `requirePayment` does, and `payment-invalid` if
 * the submitter may not name this payment.
 */
async function findPaymentTransfers(
  core: Pick<Core, "chain" | "log">,
  submitter: Submitter,
  { paymentTxHash, requesterAgentAddress, contractorAgentAddress }: SubmitInput,
): Promise<UsdcTransfer[]> {
  if (paymentTxHash === undefined) return [];
  // A failure counts against a paid contractor, and payments are public. Without this check, anyone
  // could register the wallet of a past requester without proof and report failures in its name.
  if (submitter.wallet === requesterAgentAddress && !submitter.walletVerified) {
    throw new AppError(
      "payment-invalid",
      "A requester can name its USDC payment only with a verified wallet: register again with a walletProof and this key.",
    );
  }
  return requirePayment(core, {
    txHash: paymentTxHash,
    from: requesterAgentAddress,
    to: contractorAgentAddress,
    minMicro: 1n,
  });
}

/**
 * Assigns the first unused of `transfers` to the outcome. Throws `payment-used` if there is none.
 */
export async function attachPayment(
  { chain }: Pick<Core, "chain">,
  tx: Transaction,
  outcomeId: string,
  transfers: UsdcTransfer[],
): Promise<void> {
  if (transfers.length === 0) return;
  const transfer = await requireUnusedTransfer(tx, chain, transfers, "payment");
  const { id: paymentTransferId, txHash: paymentTxHash, amountMicro: paidMicro } = transfer;
  await tx
    .update(outcomes)
    .set({ paymentTransferId, paymentTxHash, paidMicro })
    .where(eq(outcomes.id, outcomeId));
}

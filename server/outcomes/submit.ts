import { randomUUID } from "node:crypto";
import canonicalize from "canonicalize";
import { createUnauthenticatedError } from "@/server/agents/authenticate";
import { queryChain, requirePayment } from "@/server/chain/payments/require-payment";
import { readX402Transaction } from "@/server/chain/payments/x402";
import { refuseReservedAddress } from "@/server/chain/reserved-addresses";
import { columns } from "@/server/db/arrays";
import { createBatcher, REQUEST_BATCH_OPTIONS } from "@/server/db/batch";
import { isBlank } from "@/server/judging/canonicalise";
import type { Context, Core, Database } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { sha256 } from "@/server/lib/hash";
import { DAY_MS } from "@/server/lib/time";
import { hashClientKey } from "@/server/rate-limit/client";
import type { NamedPayment } from "./attach-payment";
import { ESTIMATED_RESOLUTION_SECONDS, type Submission, type SubmitInput } from "./schema";
import { type NewSubmission, type Submitter, storeSubmission } from "./store-submission";

/** Time after a transfer in which its payer can take it over from the contractor's outcome. */
const PAYER_WINDOW_MS = 7 * DAY_MS;

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
 * takeover ended the agent) and the errors of `resolvePayment`, `findPayment` and
 * `storeSubmission`.
 */
export async function submitOutcome(
  ctx: Pick<Context, "db" | "env" | "publish" | "chain" | "log"> & {
    request: Pick<Context["request"], "ip">;
  },
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
  const payment = await findPayment(ctx, submitter, input);
  const id = randomUUID();
  const response: Submission = {
    outcomeId: id,
    status: "EVALUATING",
    estimatedResolutionSeconds: ESTIMATED_RESOLUTION_SECONDS,
    // JSON drops what is undefined, so a mistake in a program looks like this.
    ...(isBlank(input.deliverableContent ?? "") && !input.deliverableUrl
      ? { warnings: ["No deliverable was sent: the verdict will be FAILURE."] }
      : {}),
  };
  const submission: NewSubmission = {
    id,
    input,
    inputHash,
    submitter,
    submittedBy,
    idempotencyKey: idempotency?.key ?? null,
    client: hashClientKey(ctx.env, ctx.request.ip, "submission").toString("hex"),
    response,
  };
  if (await storeSubmission(ctx, submission, payment)) return { response, replayed: false };

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
  if (submitter.wallet !== requesterAgentAddress) return { transfers, payerUntil: null };
  const [{ blockNumber }] = transfers;
  const { timestamp } = await queryChain(core, () => core.chain.client.getBlock({ blockNumber }));
  return { transfers, payerUntil: new Date(Number(timestamp) * 1000 + PAYER_WINDOW_MS) };
}

/** What is stored of a submission to detect a repetition and replay its response. */
export interface StoredSubmission {
  /** See `hashInput`. */
  inputHash: string;
  /** The response, as JSON. */
  storedAnswer: string;
}

/** Returns whether the header is present and has 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(header: string | null): header is string {
  return header !== null && /^[\x20-\x7e]{1,255}$/.test(header);
}

/**
 * Returns the `Idempotency-Key` header (1 to 255 printable ASCII characters), or null if there is
 * none. Throws `invalid-request` for anything else.
 */
export function readIdempotencyKey(header: string | null): string | null {
  const length = header?.length ?? 0;
  if (header === null || isIdempotencyKey(header)) return header;
  const lengthHint = length > 255 ? `; it has ${length} characters` : "";
  const detail = `must be 1 to 255 printable ASCII characters${lengthHint}`;
  throw new AppError("invalid-request", `Idempotency-Key ${detail}.`, {
    errors: [{ pointer: "#/header/Idempotency-Key", detail, code: "invalid-format" }],
  });
}

/** Hashes the canonical JSON (RFC 8785) of the validated input, to detect identical submissions. */
export function hashInput(input: SubmitInput): `0x${string}` {
  return sha256(canonicalize(input) ?? "");
}

/**
 * Returns the submission that an agent made under an idempotency key, or null if there is none.
 * Concurrent calls share one query.
 */
export const findByIdempotencyKey = (
  db: Database,
  agentId: string,
  key: string,
): Promise<StoredSubmission | null> => getBatchedFinder(db)({ agentId, key });

/** Returns the function that combines concurrent lookups into one query. */
const getBatchedFinder = prepareOnce((db: Database) =>
  createBatcher(async (lookups: { agentId: string; key: string }[]) => {
    const rows = await db.sql<(StoredSubmission & { ordinal: number })[]>`
      select ordinal::int, input_hash as "inputHash", stored_answer as "storedAnswer"
      from unnest(${columns(db.sql, lookups, { agentId: "uuid", key: "text" })})
        with ordinality as lookup(agent_id, key, ordinal)
      join outcomes on submitter_agent_id = agent_id and idempotency_key = key`;
    const byOrdinal = new Map(rows.map(({ ordinal, ...submission }) => [ordinal, submission]));
    // Ordinality counts from 1.
    return lookups.map((_, index) => byOrdinal.get(index + 1) ?? null);
  }, REQUEST_BATCH_OPTIONS),
);

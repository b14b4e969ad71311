import { randomUUID } from "node:crypto";
import { createUnauthenticatedError } from "@/server/agents/authenticate";
import { createKeyReusedError, hashInput } from "@/server/agents/idempotency";
import { refuseReservedAddress } from "@/server/chain/reserved-addresses";
import { columns } from "@/server/db/arrays";
import { createBatcher, REQUEST_BATCH_OPTIONS } from "@/server/db/batch";
import { isBlank } from "@/server/judging/canonicalise";
import type { Context, Database } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { hashClientKey } from "@/server/rate-limit/client";
import { addTerms, findAgreement } from "./deliver";
import { findPayment, resolvePayment } from "./find-payment";
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
 * takeover ended the agent) and the errors of `resolvePayment`, `findAgreement`, `findPayment` and
 * `storeSubmission`.
 */
export async function submitOutcome(
  ctx: SubmitContext,
  submitter: Submitter,
  idempotency: Idempotency | null,
  sent: Submitted,
): Promise<Accepted> {
  const { submitted, x402Receipt } = resolvePayment(ctx.chain, sent);
  const inputHash = hashInput(submitted);
  if (idempotency?.stored) return replay(idempotency.stored, inputHash);
  const key = idempotency?.key ?? null;
  const accepted = { submitted, x402Receipt, inputHash, key };
  try {
    return { response: await acceptSubmission(ctx, submitter, accepted), replayed: false };
  } catch (error) {
    // Whatever stopped this request, a concurrent one with the same key may have succeeded.
    const mayBeSecond = key !== null && error instanceof AppError;
    const winner = mayBeSecond && (await findByIdempotencyKey(ctx.db, submitter.id, key));
    if (winner) return replay(winner, inputHash);
    throw error;
  }
}

async function acceptSubmission(
  ctx: SubmitContext,
  submitter: Submitter,
  {
    submitted,
    x402Receipt,
    inputHash,
    key,
  }: ReturnType<typeof resolvePayment> & { inputHash: string; key: string | null },
): Promise<Submission> {
  const agreement = await findAgreement(ctx, submitter, submitted);
  // Without an agreement, the schema requires the fields of the task.
  const input = agreement ? addTerms(submitted, agreement) : (submitted as SubmitInput);
  for (const field of ["contractorAgentAddress", "requesterAgentAddress"] as const) {
    refuseReservedAddress(ctx.chain, input[field], field);
  }
  const submittedBy = getSubmitterRole(submitter.wallet, input);
  const payment = await findPayment(ctx, submitter, input, x402Receipt);
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
  // Its key is used by now. If not by a request whose response is stored, a takeover has ended the
  // registration that the key belonged to.
  if (!(await storeSubmission(ctx, submission, payment))) throw createUnauthenticatedError();
  return response;
}

function replay({ inputHash, storedAnswer }: StoredSubmission, hash: string): Accepted {
  if (inputHash !== hash) throw createKeyReusedError();
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

/** What is stored of a submission to detect a repetition and replay its response. */
export interface StoredSubmission {
  /** See `hashInput`. */
  inputHash: string;
  /** The response, as JSON. */
  storedAnswer: string;
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

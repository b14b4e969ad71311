import { eq } from "drizzle-orm";
import { summarize } from "@/packages/sdk/src/summarize";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import { queryChain } from "@/server/chain/payments/require-payment";
import { columns } from "@/server/db/arrays";
import type { Context, Transaction } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import type { Party } from "@/server/lib/schema";
import { createFieldErrors } from "@/server/lib/to-app-error";
import { agreementAgreed, agreementEnded, createAgreementEvent } from "./events";
import { findTransfers } from "./find-transfers";
import { type AgreementRow, requireParty, toAgreement } from "./public-agreement";
import { findAgreements, lockAgreement, requireOwnAgreement } from "./queries";
import type { Agreement, CancelInput } from "./schema";
import { createEndedError, getStatus, isUpfront } from "./status";
import { agreements } from "./tables";
import { toCancellationTypedData } from "./typed-data";
import { requireSignature } from "./verify-signature";

/** What a request changes; null if it was made before. */
type Change = Partial<typeof agreements.$inferInsert> | null;

const DECLINED: Change = { status: "DECLINED" };
const CANCELLED: Change = { status: "CANCELLED" };

/**
 * Ends a proposal by the party that did not sign it. Declining again changes nothing. Throws
 * `not-found`, `forbidden`, `conflict` once both have signed, and `agreement-ended`.
 */
export const declineAgreement = (
  ctx: Context,
  agent: AuthenticatedAgent,
  agreementId: string,
): Promise<Agreement> =>
  changeAgreement(ctx, agent, agreementId, (row, party, now) => {
    if (party === row.proposedBy) {
      throw new AppError("forbidden", "Your agent proposed these terms: cancel them instead.");
    }
    const status = getStatus(row, now);
    if (status === "DECLINED") return null;
    if (status === "PROPOSED") return DECLINED;
    if (status !== "AGREED") throw createEndedError(row, now);
    throw new AppError("conflict", "Both parties have signed: cancel the agreement together.");
  });

/**
 * Ends a proposal by its author, or an agreement by both parties, each with a signature, while work or payment
 * has not begun. Cancelling again changes nothing.
 *
 * Throws `not-found`, `forbidden`, `agreement-ended`, `conflict` once it is paid or too late,
 * `invalid-request` without a needed signature, `unavailable` if its payment can't be looked up, and the errors of `requireSignature`.
 */
export async function cancelAgreement(
  ctx: Context,
  agent: AuthenticatedAgent,
  { agreementId, signature }: CancelInput,
): Promise<Agreement> {
  const { row: found } = await requireOwnAgreement(ctx.db, agent, agreementId);
  if (signature !== undefined) {
    const { terms, termsHash } = found;
    const cancellation = { chainId: terms.chainId, summary: summarize(terms), termsHash };
    const typedData = toCancellationTypedData(ctx.chain.registryAddress, cancellation);
    await requireSignature(ctx.chain, { wallet: agent.wallet, typedData, signature });
  }
  if (found.status === "AGREED" && isUpfront(found) && found.paymentTransferId === null) {
    // The search that runs every minute may not have found its payment yet.
    await queryChain(ctx, () => findTransfers(ctx, agreementId));
  }
  const hasSigned = signature !== undefined;
  return changeAgreement(ctx, agent, agreementId, (row, party, now) => {
    const status = getStatus(row, now);
    if (status === "CANCELLED") return null;
    if (status === "PROPOSED") {
      if (party === row.proposedBy) return CANCELLED;
      throw new AppError(
        "forbidden",
        "The other party proposed these terms: decline them instead.",
      );
    }
    if (status !== "AGREED") throw createEndedError(row, now);
    requireCancellable(row, now);
    if (row.cancellationRequestedBy === party) return null;
    if (!hasSigned) throw createMissingSignatureError();
    return row.cancellationRequestedBy === null ? { cancellationRequestedBy: party } : CANCELLED;
  });
}

/**
 * Stores that the contractor was paid for work that it delivered first, however that was. Repeating it changes
 * nothing. Throws `not-found`, `forbidden`, `conflict` before the delivery and for other terms, and
 * `agreement-ended` after none.
 */
export const settleAgreement = (ctx: Context, agent: AuthenticatedAgent, agreementId: string) =>
  changeAgreement(ctx, agent, agreementId, (row, party, now) => {
    const status = getStatus(row, now);
    if (party === "requester") {
      throw new AppError("forbidden", "Only the contractor can say that it was paid.");
    }
    if (row.terms.payment !== "on-delivery" || ["PROPOSED", "AGREED"].includes(status)) {
      throw new AppError(
        "conflict",
        "Only payments for delivered work, on delivery, are confirmed.",
      );
    }
    if (status !== "DELIVERED") throw createEndedError(row, now);
    return row.settledAt ? null : { settledAt: now };
  });

/**
 * Throws `conflict` if a signature can't cancel the agreement. The requester's may be old, and the contractor
 * could add its own after it was paid.
 */
function requireCancellable(row: AgreementRow, now: Date): void {
  if (row.paymentTransferId !== null) {
    const detail =
      "It has been paid: only the contractor's refund ends it, an EIP-3009 transfer of at least the payment whose nonce is the agreement's digest.";
    throw new AppError("conflict", detail);
  }
  const until = isUpfront(row) ? row.startBy : row.deliverBy;
  if (now < until) return;
  throw new AppError("conflict", `It could be cancelled until ${until.toISOString()}.`);
}

function createMissingSignatureError(): AppError {
  const detail =
    "is missing: both parties have signed, so both sign the cancellation, as typed data `Cancellation(string summary,bytes32 termsHash)` in the domain of the agreement";
  return createFieldErrors([{ pointer: "#/signature", detail, code: "missing" }]);
}

/** Changes an agreement as `decide` says about its current state, under its lock, and announces it. */
export async function changeAgreement(
  { db, chain, publish }: Context,
  agent: AuthenticatedAgent,
  agreementId: string,
  decide: (row: AgreementRow, party: Party, now: Date) => Change,
): Promise<Agreement> {
  await requireOwnAgreement(db, agent, agreementId);
  return db.transaction(async (tx) => {
    const { row, now } = await lockAgreement(tx, agent, agreementId);
    const party = requireParty(row, agent.wallet);
    const change = decide(row, party, now);
    if (change === null) return toAgreement(chain, row, now);
    const { status } = change;
    const [time, event] =
      status === "AGREED" ? ["agreedAt", agreementAgreed] : ["endedAt", agreementEnded];
    await tx
      .update(agreements)
      .set({ ...change, ...(status && { [time]: databaseNow }) })
      .where(eq(agreements.id, agreementId));
    if (status) await publish(tx, [createAgreementEvent(event, agreementId)]);
    const [changed = row] = await findAgreements(tx, [agreementId]);
    return toAgreement(chain, changed, now);
  });
}

/** An outcome that ends an agreement: the contractor's delivery or the requester's report. */
interface EndingOutcome {
  agreementId: string;
  outcomeId: string;
  submittedBy: Party;
}

/**
 * Ends agreements by outcomes at `at`, or else at the time of the lock, and locks them until `tx` ends: by a
 * delivery before the deadline, by a report from a minute after it until the agreement lapses, upfront terms
 * once they are paid. Skips the others, and those that another transaction has locked, so it waits for none: an
 * agreement that it ends has the outcome's id. The caller publishes `agreementEnded` of each.
 */
export function endByOutcomes({ sql }: Transaction, outcomes: EndingOutcome[], at?: Date) {
  const endings = outcomes.map(({ submittedBy, ...outcome }) => ({
    ...outcome,
    status: submittedBy === "contractor" ? "DELIVERED" : "NOT_DELIVERED",
  }));
  const types = { agreementId: "uuid", outcomeId: "uuid", status: "text" } as const;
  const time = at ? sql`${at.toISOString()}::timestamptz` : sql`clock_timestamp()`;
  return sql`
    with locked as materialized (
      select id, end_status, ended_by
      from unnest(${columns(sql, endings, types)}) as ending(agreement_id, ended_by, end_status)
      join agreements on id = agreement_id
      where status = 'AGREED'
        and (paid_at is not null or value_micro = 0 or terms ->> 'payment' = 'on-delivery'
          or terms ->> 'payment' = 'escrow' and ${time} <= start_by)
        and case end_status when 'DELIVERED' then ${time} < deliver_by
          else ${time} >= deliver_by + interval '1 minute' and ${time} < deliver_by + interval '30 days' end
      for no key update of agreements skip locked
    )
    update agreements
    set status = end_status, outcome_id = ended_by, ended_at = date_trunc('milliseconds', now())
    from locked where agreements.id = locked.id`;
}

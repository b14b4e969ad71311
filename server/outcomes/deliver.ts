import type { Address } from "viem";
import type { Caller } from "@/server/agents/authenticate";
import { type AgreementRow, requireParty } from "@/server/agreements/public-agreement";
import { lockAgreement, requireOwnAgreement } from "@/server/agreements/queries";
import { refuseUrl } from "@/server/agreements/refuse-url";
import type { Core, Transaction } from "@/server/lib/context";
import { AppError, type FieldError } from "@/server/lib/errors";
import type { Party } from "@/server/lib/schema";
import { MINUTE_MS } from "@/server/lib/time";
import { formatMicro, fromMicro, toMicro } from "@/server/lib/usdc";
import type { NamedPayment } from "./attach-payment";
import type { SubmitInput, Submitted } from "./schema";

/**
 * Returns the agreement that a party's submission is under; null if it names none. The submission may
 * still be late: `storeSubmission` decides that.
 *
 * Throws `not-found` (also for third parties), `forbidden` (an unverified wallet, or a deliverable
 * sent by the requester), `agreement-mismatch`, and the errors of `requireTurn`.
 */
export async function findAgreement(
  { db }: Pick<Core, "db">,
  party: { wallet: string; walletVerified: boolean },
  submitted: Submitted,
): Promise<AgreementRow | null> {
  if (submitted.agreementId === undefined) return null;
  const { row: agreement, now } = await requireOwnAgreement(db, party, submitted.agreementId);
  // Anyone can register a wallet without proof, and could then fail it by a delivery in its name.
  if (!party.walletVerified) {
    throw new AppError(
      "forbidden",
      "Only the owner of a wallet can end its agreements: register again with a walletProof and this key.",
    );
  }
  requireEqualTerms(submitted, agreement);
  const role = requireParty(agreement, party.wallet);
  if (role === "requester") requireNoDeliverable(submitted);
  else refuseUrl(agreement.terms, submitted.deliverableUrl);
  requireTurn(agreement, role, now);
  return agreement;
}

/**
 * Returns the submission with the fields of its task from the terms, and without a payment that the
 * agreement has already.
 */
export function addTerms(
  { paymentTxHash, ...submitted }: Submitted,
  { terms, paymentTransferId }: AgreementRow,
): SubmitInput {
  return {
    ...submitted,
    ...(paymentTransferId === null ? { paymentTxHash } : {}),
    contractorAgentAddress: terms.contractor as Address,
    requesterAgentAddress: terms.requester as Address,
    taskDescription: terms.task,
    taskCategory: terms.category,
    valueUsdc: fromMicro(BigInt(terms.valueMicro)),
  };
}

/** Throws `agreement-mismatch` with every field that was sent and differs from the terms. */
function requireEqualTerms(submitted: Submitted, { terms, paymentTxHash }: AgreementRow): void {
  const { contractorAgentAddress, requesterAgentAddress, taskDescription } = submitted;
  const { taskCategory, title, valueUsdc } = submitted;
  const paidBy = paymentTxHash?.toLowerCase();
  const namedPayment = paidBy && submitted.paymentTxHash;
  const valueMicro = valueUsdc === undefined ? undefined : String(toMicro(valueUsdc));
  const compared: [keyof Submitted, string | undefined, string, string?][] = [
    ["contractorAgentAddress", contractorAgentAddress, terms.contractor, terms.contractor],
    ["requesterAgentAddress", requesterAgentAddress, terms.requester, terms.requester],
    ["taskDescription", taskDescription, terms.task],
    ["taskCategory", taskCategory, terms.category, terms.category],
    ["title", title, terms.title ?? "", terms.title],
    ["paymentTxHash", namedPayment, paidBy ?? "", paidBy],
    ["valueUsdc", valueMicro, terms.valueMicro, String(fromMicro(BigInt(terms.valueMicro)))],
  ];
  const errors = compared.flatMap(([field, sent, agreed, suggestion]): FieldError[] => {
    if (sent === undefined || sent === agreed) return [];
    const detail =
      field === "title" && !suggestion
        ? "must be left out, since the terms have none"
        : suggestion
          ? `must be ${suggestion}, as agreed`
          : "must be the agreed task";
    return [{ pointer: `#/${field}`, detail, code: "not-as-agreed", suggestion }];
  });
  const [first] = errors;
  if (!first) return;
  const detail = `${first.pointer} ${first.detail}. Omit the field, or send it as agreed.`;
  throw new AppError("agreement-mismatch", detail, { errors });
}

function requireNoDeliverable({ deliverableContent, deliverableUrl }: Submitted): void {
  const sent = { deliverableContent, deliverableUrl };
  const errors = Object.entries(sent).flatMap(([field, value]): FieldError[] => {
    const detail = "only the contractor delivers; leave the field out";
    return value === undefined ? [] : [{ pointer: `#/${field}`, detail, code: "not-accepted" }];
  });
  if (errors.length === 0) return;
  throw new AppError(
    "forbidden",
    "Only the contractor delivers under an agreement. The requester can report, without a deliverable, that nothing was delivered.",
    { errors },
  );
}

/**
 * Checks that it is this party's turn at `now`: the contractor delivers before the deadline, the
 * requester reports after it. Throws `agreement-not-agreed`, `agreement-ended` and
 * `delivery-pending`.
 */
function requireTurn(
  { status, outcomeId, deliverBy }: AgreementRow,
  submittedBy: Party,
  now: Date,
): void {
  if (status === "PROPOSED") {
    throw new AppError("agreement-not-agreed", "Only one party has signed the terms so far.");
  }
  if (status !== "AGREED") {
    const outcome = outcomeId ? ` Its outcome is ${outcomeId}.` : "";
    throw new AppError("agreement-ended", `The agreement is ${status}.${outcome}`, {
      extra: outcomeId ? { outcomeId } : {},
    });
  }
  const msLeft = deliverBy.getTime() - now.getTime();
  const until = `The contractor could deliver until ${deliverBy.toISOString()}.`;
  if (submittedBy === "contractor" && msLeft <= 0) throw new AppError("agreement-ended", until);
  if (submittedBy === "requester" && msLeft > 0) {
    const isNear = msLeft <= MINUTE_MS;
    throw new AppError("delivery-pending", until.replace("could", "can"), {
      headers: isNear ? { "Retry-After": String(Math.ceil(msLeft / 1000)) } : {},
    });
  }
}

/**
 * Returns the payment of a submission under an agreement. A report of an upfront job must show the
 * agreed one, unless the requester signed by paying: at least the value, paid after the proposal and
 * before the deadline, since an earlier payment was for something else. Throws `not-paid`.
 */
export function requireAgreedPayment(
  { terms, valueMicro, paymentTransferId, proposedAt, deliverBy }: AgreementRow,
  submittedBy: Party,
  named: NamedPayment | null,
): NamedPayment | null {
  if (submittedBy === "contractor" || terms.payment !== "upfront") return named;
  if (paymentTransferId !== null || valueMicro === 0n) return named;
  const agreed = `The terms ask for ${formatMicro(valueMicro)} USDC before the work`;
  if (!named) throw new AppError("not-paid", `${agreed}, and no payment was named.`);
  const { paidAt } = named;
  const [first, ...more] = named.transfers.filter(({ amountMicro }) => amountMicro >= valueMicro);
  if (!first) throw new AppError("not-paid", `${agreed}, and the transaction moves less at once.`);
  if (paidAt === null || paidAt < proposedAt || paidAt >= deliverBy) {
    const period = `${proposedAt.toISOString()} and ${deliverBy.toISOString()}`;
    throw new AppError("not-paid", `${agreed}, and the payment was not made between ${period}.`);
  }
  return { ...named, transfers: [first, ...more] };
}

/**
 * Locks the agreement of a submission as `lockAgreement` does, and checks by the database's time that it
 * is the submitter's turn: the lock decides between a delivery and a report. Returns that time. Throws as
 * `requireTurn`, and as `lockAgent`.
 */
export async function lockTurn(
  tx: Transaction,
  agreementId: string,
  { submitter, submittedBy }: { submitter: Caller; submittedBy: Party },
): Promise<Date> {
  const { row, now } = await lockAgreement(tx, submitter, agreementId);
  requireTurn(row, submittedBy, now);
  return now;
}

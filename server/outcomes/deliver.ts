import type { Address } from "viem";
import type { Caller } from "@/server/agents/authenticate";
import { findTransfers } from "@/server/agreements/find-transfers";
import { REPORT_DELAY_MS } from "@/server/agreements/periods";
import { type AgreementRow, requireParty } from "@/server/agreements/public-agreement";
import { lockAgreement, requireOwnAgreement } from "@/server/agreements/queries";
import { getStatus, isUpfront, lacksMoney } from "@/server/agreements/status";
import { refuseUrl } from "@/server/agreements/validate-terms";
import { queryChain } from "@/server/chain/payments/require-payment";
import type { Core, Transaction } from "@/server/lib/context";
import { AppError, type FieldError } from "@/server/lib/errors";
import type { Party } from "@/server/lib/schema";
import { formatMicro, fromMicro, toMicro } from "@/server/lib/usdc";
import type { SubmitInput, Submitted } from "./schema";

/** About as long as a payment takes to be confirmed on Base. */
const UNPAID_RETRY_SECONDS = 10;

/**
 * Returns the agreement that a party's submission is under; null if it names none. The submission may
 * still be late: `storeSubmission` decides that.
 *
 * Throws `not-found` (also for third parties), `forbidden` (an unverified wallet, or a deliverable
 * sent by the requester), `agreement-mismatch`, `unavailable`, and the errors of `requireTurn`.
 */
export async function findAgreement(
  core: Pick<Core, "db" | "chain" | "log" | "publish">,
  party: { wallet: string; walletVerified: boolean },
  submitted: Submitted,
): Promise<AgreementRow | null> {
  if (submitted.agreementId === undefined) return null;
  const { agreementId } = submitted;
  const found = await requireOwnAgreement(core.db, party, agreementId);
  // Anyone can register a wallet without proof, and could then fail it by a delivery in its name.
  if (!party.walletVerified) {
    throw new AppError(
      "forbidden",
      "Only the owner of a wallet can end its agreements: register again with a walletProof and this key.",
    );
  }
  requireEqualTerms(submitted, found.row);
  const role = requireParty(found.row, party.wallet);
  if (role === "requester") requireNoDeliverable(submitted);
  else refuseUrl(found.row.terms, submitted.deliverableUrl);
  const { row, now } = await addTransfers(core, party, found, role);
  requireTurn(row, role, now);
  return row;
}

/**
 * Looks on the chain for a missing payment of upfront terms, and before a report for the refund, which the
 * next search would only find within a minute. Returns the agreement as it is then.
 */
async function addTransfers(
  core: Parameters<typeof findAgreement>[0],
  party: Parameters<typeof requireOwnAgreement>[1],
  found: Awaited<ReturnType<typeof requireOwnAgreement>>,
  role: Party,
) {
  const { row } = found;
  if (!isUpfront(row) || row.outcomeId !== null) return found;
  if (row.paymentTransferId !== null && role === "contractor") return found;
  await queryChain(core, () => findTransfers(core, row.id));
  return requireOwnAgreement(core.db, party, row.id);
}

/** Returns the submission with the fields of its task from the terms. */
export const addTerms = (submitted: Submitted, { terms }: AgreementRow): SubmitInput => ({
  ...submitted,
  contractorAgentAddress: terms.contractor as Address,
  requesterAgentAddress: terms.requester as Address,
  taskDescription: terms.task,
  taskCategory: terms.category,
  valueUsdc: fromMicro(BigInt(terms.valueMicro)),
});

/** Throws `agreement-mismatch` with every field that was sent and differs from the terms. */
function requireEqualTerms(submitted: Submitted, { terms }: AgreementRow): void {
  const { contractorAgentAddress, requesterAgentAddress, taskDescription } = submitted;
  const { taskCategory, title, valueUsdc } = submitted;
  const valueMicro = valueUsdc === undefined ? undefined : String(toMicro(valueUsdc));
  const compared: [keyof Submitted, string | undefined, string, string?][] = [
    ["contractorAgentAddress", contractorAgentAddress, terms.contractor, terms.contractor],
    ["requesterAgentAddress", requesterAgentAddress, terms.requester, terms.requester],
    ["taskDescription", taskDescription, terms.task],
    ["taskCategory", taskCategory, terms.category, terms.category],
    ["title", title, terms.title ?? "", terms.title],
    ["paymentTxHash", submitted.paymentTxHash, ""],
    ["valueUsdc", valueMicro, terms.valueMicro, String(fromMicro(BigInt(terms.valueMicro)))],
  ];
  const errors = compared.flatMap(([field, sent, agreed, suggestion]): FieldError[] => {
    if (sent === undefined || sent === agreed) return [];
    const detail =
      field === "paymentTxHash"
        ? "must be left out: only the transfer whose EIP-3009 nonce is the agreement's digest counts, and it is found on the chain"
        : field === "title" && !suggestion
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
 * requester reports from a minute after it. Throws `agreement-not-agreed`, `agreement-ended`, `not-paid`
 * and `delivery-pending`.
 */
function requireTurn(row: AgreementRow, submittedBy: Party, now: Date): void {
  const { outcomeId, startBy, deliverBy, valueMicro } = row;
  const status = getStatus(row, now);
  if (status === "PROPOSED") {
    throw new AppError("agreement-not-agreed", "Only one party has signed the terms so far.");
  }
  if (status !== "AGREED") {
    const outcome = outcomeId ? ` Its outcome is ${outcomeId}.` : "";
    throw new AppError("agreement-ended", `The agreement is ${status}.${outcome}`, {
      extra: outcomeId ? { outcomeId } : {},
    });
  }
  if (lacksMoney(row, now)) {
    const detail = `The terms ask for ${formatMicro(valueMicro)} USDC until ${startBy.toISOString()}, and no confirmed block has that payment.`;
    const headers = { "Retry-After": String(UNPAID_RETRY_SECONDS) };
    throw new AppError("not-paid", detail, { headers });
  }
  const until = `The contractor could deliver until ${deliverBy.toISOString()}.`;
  if (submittedBy === "contractor" && now >= deliverBy)
    throw new AppError("agreement-ended", until);
  const msLeft = deliverBy.getTime() + REPORT_DELAY_MS - now.getTime();
  if (submittedBy === "requester" && msLeft > 0) {
    const headers: Record<string, string> = {};
    if (msLeft <= 2 * REPORT_DELAY_MS) headers["Retry-After"] = String(Math.ceil(msLeft / 1000));
    const problem = `${until.replace("could", "can")} Report it a minute later.`;
    throw new AppError("delivery-pending", problem, { headers });
  }
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

import { PARTY_NAMES } from "@/components/disputes/describe-dispute";
import { getResult } from "@/components/outcomes/result";
import { formatDateTime, formatDay, formatUsdc } from "@/components/ui/format";
import {
  PAYMENT_SEARCH_DAYS,
  REPORT_DELAY_MS,
  REPORT_WITHIN_MS,
} from "@/server/agreements/periods";
import type { Agreement } from "@/server/agreements/schema";
import { getOtherParty } from "@/server/disputes/parties";
import type { Party } from "@/server/disputes/schema";
import { SUBMIT_WITHIN_MS } from "@/server/escrows/limits";
import type { EscrowJobView } from "@/server/escrows/schema";
import { DAY_MS } from "@/server/lib/time";
import { fromMicro } from "@/server/lib/usdc";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** What an agreement waits for. */
type Step = "sign" | "pay" | "fund" | "deliver" | "submit" | "report" | "nothing";

export interface NextStep {
  step: Step;
  /** Whose turn it is; null if it has ended, or can't be reported yet. */
  party: Party | null;
  /** End of the step, ISO 8601; null if it has none, or is overdue. */
  until: string | null;
  /** The same as shown: with the hour if it is less than two days away. */
  deadline: string | null;
}

type Facts = Pick<
  Agreement,
  | "status"
  | "proposedBy"
  | "paidAt"
  | "endedAt"
  | "settledAt"
  | "deliveryPaymentTxHash"
  | "cancellationRequestedBy"
> & { terms: Pick<Agreement["terms"], "payment" | "valueMicro" | "startBy" | "deliverBy"> };

type Delivered = Pick<PublicOutcome, "finalVerdict" | "assessed" | "disputeId" | "resolvedAt">;

/**
 * Returns what an agreement waits for at the time `now` (milliseconds); `outcome` is null until it has one.
 * If the escrow `job` was not read, a delivery counts as submitted to it once its outcome is recorded; null says that
 * there is none.
 */
export function getNextStep(
  agreement: Facts,
  outcome: Delivered | null,
  now: number,
  job?: Pick<EscrowJobView, "status"> | null,
): NextStep {
  const { status, proposedBy, paidAt, endedAt, terms } = agreement;
  const wait = (step: Step, party: Party | null = null, end: string | null = null): NextStep => {
    const leftMs = end === null ? 0 : Date.parse(end) - now;
    const until = leftMs > 0 ? end : null;
    return { step, party, until, deadline: until && formatDeadline(until, leftMs) };
  };
  if (status === "PROPOSED" && now < Date.parse(terms.startBy)) {
    return wait("sign", getOtherParty(proposedBy), terms.startBy);
  }
  if (status === "DELIVERED" && outcome?.resolvedAt && isOwed(agreement, outcome)) {
    const due = Date.parse(outcome.resolvedAt) + PAYMENT_SEARCH_DAYS.from * DAY_MS;
    return wait("pay", "requester", new Date(due).toISOString());
  }
  if (status === "DELIVERED" && terms.payment === "escrow" && paidAt && outcome) {
    const isSubmitted =
      job === undefined ? outcome.resolvedAt : job !== null && job.status !== "funded";
    if (!isSubmitted && outcome.finalVerdict !== "FAILURE") {
      // The service counts from the verdict, which follows the delivery.
      const end = Date.parse(endedAt ?? "") + SUBMIT_WITHIN_MS;
      return wait("submit", "contractor", new Date(end).toISOString());
    }
  }
  if (status !== "AGREED") return wait("nothing");
  if (terms.payment === "escrow" && paidAt === null) {
    return wait("fund", "requester", terms.startBy);
  }
  if (terms.payment === "upfront" && terms.valueMicro !== "0" && paidAt === null) {
    return wait("pay", "requester", terms.startBy);
  }
  const deadline = Date.parse(terms.deliverBy);
  if (now < deadline) return wait("deliver", "contractor", terms.deliverBy);
  const canReport = now >= deadline + REPORT_DELAY_MS;
  const end = canReport ? new Date(deadline + REPORT_WITHIN_MS).toISOString() : null;
  return wait("report", canReport ? "requester" : null, end);
}

const formatDeadline = (until: string, leftMs: number) =>
  leftMs < 2 * DAY_MS ? formatDateTime(until) : formatDay(until);

/** Returns whether delivered work succeeded and no payment for it is known yet. */
const isOwed = (
  { terms, settledAt, deliveryPaymentTxHash }: Facts,
  { finalVerdict, assessed, disputeId }: Delivered,
) =>
  terms.payment === "on-delivery" &&
  terms.valueMicro !== "0" &&
  !settledAt &&
  !deliveryPaymentTxHash &&
  finalVerdict === "SUCCESS" &&
  assessed === true &&
  !disputeId;

/** Returns which party of the terms a wallet is. */
export const getRole = ({ contractor }: { contractor: string }, wallet: string): Party =>
  contractor === wallet ? "contractor" : "requester";

/** What to do, for the party whose turn it is, and what the other one waits for. */
const STEP_LABELS: Record<Step, { own: string; other: string }> = {
  sign: { own: "Sign or decline", other: "Awaiting signature" },
  pay: { own: "Pay", other: "Awaiting payment" },
  fund: { own: "Fund the escrow", other: "Awaiting funding" },
  deliver: { own: "Deliver", other: "Awaiting delivery" },
  submit: { own: "Submit to the escrow", other: "Awaiting submission" },
  report: { own: "Report non-delivery", other: "Deadline passed" },
  nothing: { own: "", other: "" },
};

const STATUS_LABELS: Record<Agreement["status"], string> = {
  PROPOSED: "Not started in time",
  AGREED: "Agreed",
  DELIVERED: "Delivered",
  NOT_DELIVERED: "Not delivered",
  DECLINED: "Declined",
  CANCELLED: "Cancelled",
  EXPIRED: "Not started in time",
  LAPSED: "Not reported in time",
};

type End = Pick<Agreement, "status" | "refundTxHash">;

/** Says in a word or two what is known of the payment of delivered work; undefined if nothing is. */
export const describePayment = ({
  deliveryPaymentTxHash,
  settledAt,
}: Pick<Agreement, "deliveryPaymentTxHash" | "settledAt">): string | undefined =>
  deliveryPaymentTxHash ? "Paid" : settledAt ? "Payment confirmed" : undefined;

/** Describes how an agreement ended. */
export const describeEnd = ({ status, refundTxHash }: End): string =>
  status === "CANCELLED" && refundTxHash ? "Refunded" : STATUS_LABELS[status];

type Valued = { terms: Pick<Agreement["terms"], "valueMicro"> };

/** Says what a party does in its step: "Pay 2.50 USDC". */
export const describeStep = ({ terms }: Valued, step: Step): string =>
  step === "pay" ? `Pay ${formatUsdc(fromMicro(Number(terms.valueMicro)))}` : STEP_LABELS[step].own;

/** Describes the state of an agreement to one of its parties, in a few words: "Deliver". */
export function describeState(
  agreement: End & Valued & Parameters<typeof describePayment>[0],
  next: NextStep,
  role: Party,
): string {
  if (next.step === "nothing") return describePayment(agreement) ?? describeEnd(agreement);
  return next.party === role ? describeStep(agreement, next.step) : STEP_LABELS[next.step].other;
}

/**
 * Says to one of the parties what has happened, whose turn it is, and until when: "Both have signed. Your turn:
 * deliver by Nov 30, 2026". Leaves out the result of the outcome, if there is one.
 */
export function describeTurn(
  agreement: Facts & End,
  outcome: Delivered | null,
  next: NextStep,
  role: Party,
): string {
  const { step, party, deadline } = next;
  const progress =
    outcome && getResult(outcome) ? "" : `${describeProgress(agreement, step, role)}. `;
  if (step === "nothing") return progress + describeRest(agreement, outcome);
  if (party === null) return `${progress}The client can report it in a minute.`;
  const action = describeStep(agreement, step);
  const what = `${action.charAt(0).toLowerCase()}${action.slice(1)}`;
  const end = deadline ? ` by ${deadline}` : ", which is overdue";
  return party === role
    ? `${progress}Your turn: ${what}${end}`
    : `${progress}Waiting for the ${PARTY_NAMES[party]} to ${what}${end}`;
}

function describeProgress(agreement: Facts & End, step: Step, role: Party): string {
  const { proposedBy, paidAt, terms, cancellationRequestedBy } = agreement;
  if (step === "sign") {
    return `Signed by ${proposedBy === role ? "you" : `the ${PARTY_NAMES[proposedBy]}`}`;
  }
  if (step === "report") return "Nothing was delivered in time";
  if (agreement.status !== "AGREED") return describeEnd(agreement);
  if (cancellationRequestedBy) return `The ${PARTY_NAMES[cancellationRequestedBy]} asks to cancel`;
  if (!paidAt) return "Both have signed";
  return terms.payment === "escrow" ? "The escrow is funded" : "Paid";
}

/** Says what an ended agreement means for the parties, or that the verdict is still to come. */
function describeRest(
  agreement: Facts & Parameters<typeof describePayment>[0],
  outcome: Delivered | null,
): string {
  if (!outcome) return "It doesn't count";
  const result = getResult(outcome);
  if (!result) return "The verdict follows, usually within a minute";
  if (agreement.status === "NOT_DELIVERED") return "Nothing was delivered in time";
  const { payment } = agreement.terms;
  if (payment === "on-delivery" && result !== "SUCCESS") return "Nothing is owed";
  if (payment === "upfront" && result !== "REFUNDED") return "Paid upfront";
  return describePayment(agreement) ?? "";
}

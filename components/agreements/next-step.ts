import { formatDay } from "@/components/ui/format";
import type { Agreement } from "@/server/agreements/schema";
import { getOtherParty } from "@/server/disputes/parties";
import type { Party } from "@/server/disputes/schema";
import { REPORT_DELAY_MS } from "@/server/outcomes/periods";

/** What an agreement waits for. */
type Step = "sign" | "pay" | "deliver" | "report" | "nothing";

export interface NextStep {
  step: Step;
  /** Whose turn it is; null if it has ended, or can't be reported yet. */
  party: Party | null;
  /** End of the step, ISO 8601; null if it has none. */
  until: string | null;
}

type Facts = Pick<Agreement, "status" | "proposedBy" | "paidAt"> & {
  terms: Pick<Agreement["terms"], "payment" | "valueMicro" | "startBy" | "deliverBy">;
};

/** Returns what an agreement waits for at the time `now` (milliseconds). */
export function getNextStep(agreement: Facts, now: number): NextStep {
  const { status, proposedBy, paidAt, terms } = agreement;
  if (status === "PROPOSED" && now < Date.parse(terms.startBy)) {
    return { step: "sign", party: getOtherParty(proposedBy), until: terms.startBy };
  }
  if (status !== "AGREED") return { step: "nothing", party: null, until: null };
  if (terms.payment === "upfront" && terms.valueMicro !== "0" && paidAt === null) {
    return { step: "pay", party: "requester", until: terms.startBy };
  }
  const lateMs = now - Date.parse(terms.deliverBy);
  return lateMs < 0
    ? { step: "deliver", party: "contractor", until: terms.deliverBy }
    : { step: "report", party: lateMs < REPORT_DELAY_MS ? null : "requester", until: null };
}

/** Returns which party of the terms a wallet is. */
export const getRole = ({ contractor }: { contractor: string }, wallet: string): Party =>
  contractor === wallet ? "contractor" : "requester";

/** What to do, for the party whose turn it is, and what the other one waits for. */
const STEP_LABELS: Record<Step, { own: string; other: string }> = {
  sign: { own: "Sign", other: "Awaiting signature" },
  pay: { own: "Pay", other: "Awaiting payment" },
  deliver: { own: "Deliver", other: "Awaiting delivery" },
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

/** Describes how an agreement ended. */
export const describeEnd = ({ status, refundTxHash }: End): string =>
  status === "CANCELLED" && refundTxHash ? "Refunded" : STATUS_LABELS[status];

/** Describes the state of an agreement to one of its parties, in a few words: "Deliver by Nov 30, 2026". */
export function describeState(agreement: End, { step, ...next }: NextStep, role: Party): string {
  if (step === "nothing") return describeEnd(agreement);
  const { own, other } = STEP_LABELS[step];
  if (next.party !== role) return other;
  return next.until ? `${own} by ${formatDay(next.until)}` : own;
}

import type { Verdict } from "@/server/lib/schema";

/**
 * What an outcome came to: the verdict after disputes, unless the judge could assess nothing, the contractor
 * refunded the payment, or a later outcome of the payer took its place.
 */
export type Result = Verdict | "NOT_ASSESSED" | "REFUNDED" | "SUPERSEDED";

/** How each result is shown: its shape is a path in a square of 20. */
export const RESULTS: Record<Result, readonly [label: string, tone: string, shape: string]> = {
  SUCCESS: ["Success", "text-good", "M4.5 10.5l3.5 3.5 7.5-8"],
  FAILURE: ["Failure", "text-bad", "M5.5 5.5l9 9m0-9l-9 9"],
  NOT_ASSESSED: ["Not assessed", "text-muted", "M10 5.5a4.5 4.5 0 110 9 4.5 4.5 0 010-9z"],
  REFUNDED: ["Refunded", "text-muted", "M8 5L4.5 8.5 8 12M4.5 8.5h6.8a3.2 3.2 0 010 6.5H9"],
  SUPERSEDED: ["Superseded", "text-muted", "M4 10h12"],
};

/** What decides the result of an outcome; lists and pages have it in different shapes. */
interface Judged {
  /** Set if a later outcome of the payer took its place. */
  superseded?: unknown;
  /** Set if the contractor returned the payment. */
  refund?: unknown;
  assessed?: boolean | null | undefined;
  finalVerdict?: Verdict | null | undefined;
}

/** Returns what an outcome came to; undefined while it is being judged. */
export const getResult = ({ superseded, refund, ...verdict }: Judged): Result | undefined =>
  superseded ? "SUPERSEDED" : refund ? "REFUNDED" : getVerdict(verdict);

/** Returns the same, whatever happened to the payment afterwards. */
export const getVerdict = ({ assessed, finalVerdict }: Judged): Result | undefined =>
  assessed === false ? "NOT_ASSESSED" : (finalVerdict ?? undefined);

/** Returns what a disputed verdict was before the dispute. */
export const getRecordedResult = (dispute: {
  recordedVerdict: Verdict;
  recordedAssessed: boolean;
}): Result => (dispute.recordedAssessed ? dispute.recordedVerdict : "NOT_ASSESSED");

/**
 * Returns what a disputed outcome came to; undefined while the dispute is open. A review that found nothing
 * to decide by leaves a verdict that was not assessed as it is.
 */
export function getFinalResult({
  assessed,
  finalVerdict,
  ...recorded
}: Parameters<typeof getRecordedResult>[0] & Judged): Result | undefined {
  const isDecided = assessed || finalVerdict === getRecordedResult(recorded);
  return finalVerdict && !isDecided ? "NOT_ASSESSED" : (finalVerdict ?? undefined);
}

/** Names a result within a sentence; undefined means it is being judged. */
export const nameResult = (result: Result | undefined) =>
  result ? RESULTS[result][0].toLowerCase() : "being judged";

/** Says who says that a paid outcome's payment was for this job; null for an unpaid one. */
export function describeConfirmation(clientConfirmed: boolean | null | undefined): string | null {
  if (clientConfirmed == null) return null;
  return clientConfirmed ? "confirmed by the client" : "submitted by the contractor";
}

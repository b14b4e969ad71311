import type { Verdict } from "@/server/lib/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

/**
 * What an outcome came to: the verdict after disputes, unless the judge could assess nothing, or a
 * later outcome of the payer took its place.
 */
export type Result = Verdict | "NOT_ASSESSED" | "SUPERSEDED";

export const RESULT_LABELS: Record<Result, string> = {
  SUCCESS: "Success",
  FAILURE: "Failure",
  NOT_ASSESSED: "Not assessed",
  SUPERSEDED: "Superseded",
};

/** Returns what an outcome came to; undefined while it is being judged. */
export const getResult = ({
  superseded,
  assessed,
  finalVerdict,
}: Pick<PublicOutcome, "superseded" | "assessed" | "finalVerdict">): Result | undefined =>
  superseded ? "SUPERSEDED" : assessed === false ? "NOT_ASSESSED" : finalVerdict;

/** Names a result within a sentence; undefined means it is being judged. */
export const nameResult = (result: Result | undefined) =>
  result ? RESULT_LABELS[result].toLowerCase() : "being judged";

/** Says who says that a paid outcome's payment was for this job; null for an unpaid one. */
export function describeConfirmation(clientConfirmed: boolean | null | undefined): string | null {
  if (clientConfirmed == null) return null;
  return clientConfirmed ? "confirmed by the client" : "claimed by the contractor";
}

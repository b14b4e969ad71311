import type { Verdict } from "@/server/lib/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** What an outcome came to: the verdict after disputes, unless it no longer counts as superseded. */
export type Result = Verdict | "SUPERSEDED";

export const RESULT_LABELS: Record<Result, string> = {
  SUCCESS: "Success",
  FAILURE: "Failure",
  SUPERSEDED: "Superseded",
};

/** Returns what an outcome came to; undefined while it is being judged. */
export const getResult = ({
  superseded,
  finalVerdict,
  verdict,
}: Pick<PublicOutcome, "superseded" | "finalVerdict" | "verdict">): Result | undefined =>
  superseded ? "SUPERSEDED" : (finalVerdict ?? verdict);

/** Says who says that a paid outcome's payment was for this job; null for an unpaid one. */
export function describeConfirmation(clientConfirmed: boolean | null | undefined): string | null {
  if (clientConfirmed == null) return null;
  return clientConfirmed ? "confirmed by the client" : "claimed by the contractor";
}

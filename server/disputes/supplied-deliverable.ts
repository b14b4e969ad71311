import { AppError } from "@/server/lib/errors";
import type { OutcomeRow } from "@/server/outcomes/public-outcome";
import type { Party } from "./schema";

/**
 * Checks if `party` may supply what it delivered: the first judgement saw only the requester's
 * claim.
 */
export function maySupplyDeliverable(
  { submittedBy }: Pick<OutcomeRow, "submittedBy">,
  party: Party,
): boolean {
  return party === "contractor" && submittedBy === "requester";
}

/** Throws `deliverable-not-accepted`, naming the field, if `content` is given but not accepted. */
export function refuseUnacceptedDeliverable(
  outcome: Pick<OutcomeRow, "submittedBy">,
  party: Party,
  content: string | undefined,
): void {
  if (content === undefined || maySupplyDeliverable(outcome, party)) return;
  const detail =
    party === "requester"
      ? "only the contractor can supply the deliverable; leave the field out"
      : "the contractor submitted this outcome with its deliverable, and that is what is judged; leave the field out";
  throw new AppError("deliverable-not-accepted", `/deliverableContent: ${detail}.`, {
    errors: [{ pointer: "/deliverableContent", detail, code: "not-accepted" }],
  });
}

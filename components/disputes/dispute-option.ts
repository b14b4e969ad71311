import { formatPoints, hasPoints } from "@/components/ui/points";
import { getOtherParty } from "@/server/disputes/parties";
import type { DisputeTerms, Party } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { PARTY_NAMES } from "./describe-dispute";

/**
 * Says why a dispute of an outcome would change nothing or can't be opened; null if it can be of use. Overturning
 * the verdict would move the score by `ifOverturned` points; null if unknown.
 */
export function explainNoDispute(
  outcome: PublicOutcome,
  terms: DisputeTerms,
  ifOverturned: number | null,
): string | null {
  if (outcome.rebuilt) return "No dispute: the texts were lost with a database.";
  if (!terms.acceptsDisputes) return "No dispute: no language model is configured.";
  if (!getGrounds(outcome, terms)) return describeRepeat(outcome);
  return ifOverturned !== null && !hasPoints(ifOverturned)
    ? "Overturning the verdict in a dispute wouldn't move the score."
    : null;
}

type Decided = Pick<PublicOutcome, "agreed" | "judge" | "verdict" | "submittedBy">;
type Review = Pick<DisputeTerms, "disputeReview">;

/**
 * Returns what can change a verdict in a dispute besides a concession: a new examination, or only a
 * deliverable that the verdict didn't have. Null if code would repeat its decision.
 */
export function getGrounds(
  { agreed, judge, verdict, submittedBy }: Decided,
  { disputeReview }: Review,
): "examination" | "deliverable" | null {
  const hasModel = disputeReview === "model";
  if (judge?.kind === "llm") return agreed || hasModel ? "examination" : null;
  if (agreed) return null;
  // By the gate, a success means that a fault of the service kept the work from being judged.
  if (verdict === "SUCCESS") return hasModel || judge?.kind === "gate" ? "examination" : null;
  return submittedBy.role === "requester" ? "deliverable" : null;
}

/** Returns whether the parties' words can decide more than by a concession. */
export const areWordsWeighed = (outcome: Decided, review: Review): boolean =>
  review.disputeReview === "model" && !outcome.agreed && getGrounds(outcome, review) !== null;

/** Returns the party that a verdict goes against. */
export const getLoser = ({ verdict }: Pick<PublicOutcome, "verdict">): Party =>
  verdict === "SUCCESS" ? "requester" : "contractor";

const describeRepeat = (outcome: Decided) =>
  `A dispute would repeat it: code decides the same on the same deliverable, unless the ${PARTY_NAMES[getOtherParty(getLoser(outcome))]} concedes.`;

/** Says what can change a verdict; `whose` is "your" to the contractor. */
export function describeGrounds(
  outcome: Decided,
  { disputeReview, ...rest }: Review & { ifOverturned: number | null; whose?: string | undefined },
): string {
  const { ifOverturned, whose = "the contractor's" } = rest;
  const grounds = getGrounds(outcome, { disputeReview });
  const overturned = `the verdict is overturned${describeGain(ifOverturned, whose)}.`;
  if (!grounds) return describeRepeat(outcome);
  if (grounds === "deliverable") {
    const needed = `Only ${whose} own deliverable can change it: the verdict was made without it.`;
    return disputeReview === "model"
      ? `${needed} If the judge accepts it, ${overturned}`
      : `${needed} If no check fails for it, the failure stops counting; it becomes a success only if its code passes the task's examples.`;
  }
  const work = outcome.agreed
    ? "the agreed criteria"
    : `the work again${disputeReview === "model" ? ", with both parties' words" : ""}`;
  return `The judge examines ${work}. If it contradicts the verdict, ${overturned}`;
}

/** Says what overturning a verdict does to the contractor's score today. */
function describeGain(points: number | null, whose: string): string {
  if (points === null) return "";
  if (!hasPoints(points)) return ` and leaves ${whose} score as it is`;
  return ` and moves ${whose} score by ${formatPoints(points)} points`;
}

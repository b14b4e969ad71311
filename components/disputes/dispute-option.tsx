import { formatDateTime } from "@/components/ui/format";
import { formatPoints, hasPoints } from "@/components/ui/points";
import { getOtherParty } from "@/server/disputes/parties";
import type { DisputeTerms, Party } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { formatDuration, PARTY_NAMES } from "./describe-dispute";

/** Whether an outcome without a dispute can be disputed, until when, or why not. */
export type DisputeOption =
  | { state: "pending"; windowMs: number }
  | { state: "open"; until: string; leftMs: number; by: "contractor" | "client" }
  | { state: "over"; until: string }
  | { state: "none"; reason: string };

/**
 * Returns whether an outcome without a dispute can be disputed at `now` (milliseconds) to any use.
 * Overturning its verdict would move the score by `ifOverturned` points; null if unknown.
 */
export function getDisputeOption(
  outcome: PublicOutcome,
  terms: DisputeTerms,
  now: number,
  ifOverturned: number | null = null,
): DisputeOption {
  if (outcome.superseded)
    return { state: "none", reason: "The client's own report counts instead" };
  if (outcome.refund) return { state: "none", reason: "The payment was refunded" };
  if (outcome.rebuilt) return { state: "none", reason: "The texts were lost with a database" };
  if (!terms.acceptsDisputes) return { state: "none", reason: "No language model is configured" };
  if (!outcome.resolvedAt) return { state: "pending", windowMs: terms.disputeWindowMs };
  if (!getGrounds(outcome, terms)) return { state: "none", reason: describeRepeat(outcome) };
  const endsAt = Date.parse(outcome.resolvedAt) + terms.disputeWindowMs;
  const until = new Date(endsAt).toISOString();
  if (now > endsAt) return { state: "over", until };
  if (ifOverturned !== null && !hasPoints(ifOverturned))
    return { state: "none", reason: "Overturning it wouldn't move the score" };
  return { state: "open", until, leftMs: endsAt - now, by: PARTY_NAMES[getLoser(outcome)] };
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
  `A dispute would repeat it: code decides the same on the same deliverable, unless the ${PARTY_NAMES[getOtherParty(getLoser(outcome))]} concedes`;

/** Says what can change a verdict; `whose` is "your" to the contractor. */
export function describeGrounds(
  outcome: Decided,
  { disputeReview, ...rest }: Review & { ifOverturned: number | null; whose?: string | undefined },
): string {
  const { ifOverturned, whose = "the contractor's" } = rest;
  const grounds = getGrounds(outcome, { disputeReview });
  const overturned = `the verdict is overturned${describeGain(ifOverturned, whose)}.`;
  if (!grounds) return `${describeRepeat(outcome)}.`;
  if (grounds === "deliverable") {
    const needed = `Only ${whose} own deliverable can change it: the verdict was made without it.`;
    return disputeReview === "model"
      ? `${needed} If the judge accepts it, ${overturned}`
      : `${needed} If no check fails for it, the failure stops counting; it becomes a success only if its code passes the task's examples.`;
  }
  const work = outcome.agreed
    ? "the agreed criteria"
    : `the work again${disputeReview === "model" ? ", with both parties' words" : ""}`;
  return `The judge examines ${work}. If that contradicts the verdict, ${overturned}`;
}

/** Says what overturning a verdict does to the contractor's score today. */
function describeGain(points: number | null, whose: string): string {
  if (points === null) return "";
  if (!hasPoints(points)) return ` and leaves ${whose} score as it is`;
  return ` and moves ${whose} score by ${formatPoints(points)} points`;
}

/** Returns the value and the note of a key figure. */
export function renderDisputeOption(option: DisputeOption) {
  switch (option.state) {
    case "pending":
      return {
        value: <span className="text-muted">Not yet</span>,
        note: `Within ${formatDuration(option.windowMs)} of the verdict`,
      };
    case "open":
      return {
        value: `${formatDuration(option.leftMs)} left`,
        note: `For the ${option.by}, until ${formatDateTime(option.until)}`,
      };
    case "over":
      return {
        value: <span className="text-muted">Closed</span>,
        note: `Was possible until ${formatDateTime(option.until)}`,
      };
    case "none":
      return { value: <span className="text-muted">None</span>, note: option.reason };
  }
}

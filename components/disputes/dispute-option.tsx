import { formatDateTime, formatDay } from "@/components/ui/format";
import { hasPoints } from "@/components/ui/points";
import type { DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { formatDuration } from "./describe-dispute";

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
  if (isRepeated(outcome)) return { state: "none", reason: REPEATED };
  if (!terms.acceptsDisputes) return { state: "none", reason: "No language model is configured" };
  if (!outcome.resolvedAt) return { state: "pending", windowMs: terms.disputeWindowMs };
  const endsAt = Date.parse(outcome.resolvedAt) + terms.disputeWindowMs;
  const until = new Date(endsAt).toISOString();
  if (now > endsAt) return { state: "over", until };
  if (ifOverturned !== null && !hasPoints(ifOverturned))
    return { state: "none", reason: "Overturning it wouldn't move the score" };
  const by = outcome.verdict === "SUCCESS" ? "client" : "contractor";
  return { state: "open", until, leftMs: endsAt - now, by };
}

/** Why code's decision under an agreement is no use to dispute. */
const REPEATED = "It would repeat the same checks on the same deliverable";

/** Returns whether a dispute only repeats what code decided under an agreement. */
export const isRepeated = ({ agreed, judge }: Pick<PublicOutcome, "agreed" | "judge">): boolean =>
  agreed && judge?.kind !== "llm";

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
        note: `Was possible until ${formatDay(option.until)}`,
      };
    case "none":
      return { value: <span className="text-muted">None</span>, note: option.reason };
  }
}

import { getFinalResult, getRecordedResult, nameResult } from "@/components/outcomes/result";
import { formatCount } from "@/components/ui/format";
import { getOtherParty } from "@/server/disputes/parties";
import type { Dispute, Party } from "@/server/disputes/schema";

/** Names of the parties on pages. */
export const PARTY_NAMES = {
  contractor: "contractor",
  requester: "client",
} as const satisfies Record<Party, string>;

/** Returns what a resolved dispute did to the verdict. */
export function describeResult({ finalVerdict, recordedVerdict }: Dispute): string {
  return `Verdict ${finalVerdict === recordedVerdict ? "upheld" : "overturned"}`;
}

/** Says who won a resolved dispute and what that did: `Ada won: failure overturned to success`. */
export function describeEnd(dispute: Dispute, nameOf: (wallet: string) => string): string {
  const isSuccess = dispute.finalVerdict === "SUCCESS";
  const winner = isSuccess ? dispute.contractorAgentAddress : dispute.requesterAgentAddress;
  const [recorded, final] = [getRecordedResult(dispute), getFinalResult(dispute)].map(nameResult);
  const change = recorded === final ? `“${final}” upheld` : `${recorded} overturned to ${final}`;
  return `${nameOf(winner)} won: ${change}`;
}

/** Says what a decision means that nothing could be assessed for; undefined for any other. */
export function explainUnassessed(dispute: Dispute): string | undefined {
  const { recordedVerdict, finalVerdict } = dispute;
  if (getFinalResult(dispute) !== "NOT_ASSESSED") return undefined;
  if (finalVerdict === "FAILURE") {
    return "Not assessed counts as a failure without weight: the contractor had to show a success, and didn't";
  }
  return recordedVerdict === "SUCCESS"
    ? "Not assessed counts as a success without weight: the client had to prove a failure, and didn't"
    : "Nothing could be assessed, so the job counts neither way";
}

/** Describes the state of a dispute in a few words, after "Dispute: ". */
export function describeState(dispute: Dispute): string {
  const { phase, openedBy } = dispute;
  if (phase === "awaiting-answer") {
    return `waiting for the ${PARTY_NAMES[getOtherParty(openedBy)]}'s answer`;
  }
  if (phase === "in-review") return "under review";
  return phase === "recording" ? "being recorded on chain" : describeResult(dispute).toLowerCase();
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

const PRECISE_BELOW_SECONDS = 2 * 86_400;

/**
 * Formats a duration in whole days, rounded, or by its two largest units if it is under two days:
 * `6 days`, `5 hours 12 minutes`, `30 seconds`. Rounds up to full seconds; never negative.
 */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  if (seconds >= PRECISE_BELOW_SECONDS) return formatCount(Math.round(seconds / 86_400), "day");
  const at = UNITS.findIndex(([, length]) => seconds >= length);
  const [unit, length] = UNITS[at] ?? UNITS[3];
  const largest = formatCount(Math.floor(seconds / length), unit);
  const [nextUnit, nextLength] = UNITS[at + 1] ?? [unit, 1];
  const rest = Math.floor((seconds % length) / nextLength);
  return rest > 0 ? `${largest} ${formatCount(rest, nextUnit)}` : largest;
}

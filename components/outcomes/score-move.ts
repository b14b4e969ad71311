import { formatScore, subtractAsShown } from "@/components/ui/format";
import { formatPoints, hasPoints } from "@/components/ui/points";
import type { OutcomeEffects } from "@/server/explorer/schema";

type Change = OutcomeEffects["changes"][number];

/** Returns the points that the events themselves added, without the days before them, as shown. */
export const getMove = (changes: readonly Change[]): number =>
  changes.reduce((sum, change) => subtractAsShown(sum, -splitChange(change).own), 0);

/** Describes a change by its scores and by what age took: "78.21 → 76.61, of it −0.13 from age". */
export function describeMove(change: Change): string {
  const [before, after] = [formatScore(change.previousScore), formatScore(change.score)];
  const { days } = splitChange(change);
  const isMoved = before !== after;
  const age = days === 0 ? "" : `${formatPoints(days)} from age`;
  return `${isMoved ? `${before} → ${after}` : `at ${after}`}${age && `, ${isMoved ? "of it " : ""}${age}`}`;
}

/** Splits the difference of the shown scores into that of the event itself and that of the days. */
function splitChange({ cause, receipt, score, previousScore }: Change) {
  const all = subtractAsShown(score, previousScore);
  if (!receipt) return { own: all, days: 0 };
  const own = subtractAsShown(cause === "day" ? receipt.days : receipt.effect, 0);
  const days = subtractAsShown(all, own);
  return own !== 0 && Math.abs(days) < MIN_DAYS_POINTS ? { own: all, days: 0 } : { own, days };
}

type Rule = NonNullable<Change["receipt"]>["rule"];

const PARTNER_FULL = "This client's jobs already count as much as one client's can";
const CLASS_FULL = "Such jobs already count as much as they can";
const REASONS: Partial<Record<Rule, string>> = {
  "success-partner-full": PARTNER_FULL,
  "success-claims-full": CLASS_FULL,
  "success-open-full": CLASS_FULL,
  "success-tenure-full": "For an agent this young, no more work counts",
  "weightless-self": "A job for oneself doesn't count",
  "weightless-value": "A job of no value doesn't count",
  "weightless-stranger": "A failure reported by a client that didn't pay doesn't count",
  "weightless-unsure": "Work that was not assessed doesn't count",
  "weightless-squatter": "A job that another than the wallet's owner submitted doesn't count",
  "failure-reported": "A reported failure counts later",
  "dispute-upheld": "The verdict stays as it was",
  "dispute-unassessed": "Work that was not assessed doesn't count",
  refund: "A refunded job doesn't count",
  superseded: "The client's own report counts instead",
};

/** Says why records left the score as it was; undefined if they moved it. The last that decides anything says it. */
export function explainNoEffect(changes: readonly Change[], effect = getMove(changes)) {
  const last = changes.findLast(({ receipt }) => receipt && receipt.rule !== "dispute-upheld");
  const { receipt, score } = last ?? changes.at(-1) ?? {};
  if (!receipt || hasPoints(effect)) return undefined;
  const { rule, before, after } = receipt;
  if (REASONS[rule]) return REASONS[rule];
  if (hasPoints(receipt.effect)) return undefined;
  if (score === 0) return "The score was 0 already";
  // The limits that the rules above name, for what a dispute made of a job.
  if (before?.good !== after.good) return undefined;
  const hasMore = (["anchored", "paid", "claimed"] as const).some(
    (name) => before[name][0] !== after[name][0],
  );
  return hasMore ? CLASS_FULL : PARTNER_FULL;
}

/** A hundredth can come from rounding alone: it belongs to the event. */
const MIN_DAYS_POINTS = 0.015;

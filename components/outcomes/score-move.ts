import { capitalizeFirst, formatScore, subtractAsShown } from "@/components/ui/format";
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

/** Rules that say what counted, not what kept it from moving the score. */
const COUNTING = /^success$|^failure(-matured)?$|^dispute-(made|confirmed)-/;

/**
 * Says why records left the score as it was: the last one that decided anything says it. Undefined if they
 * moved it, or nothing is known.
 */
export function explainNoEffect(changes: readonly Change[], effect = getMove(changes)) {
  const last = changes.findLast(({ receipt }) => receipt && receipt.rule !== "dispute-upheld");
  const { receipt, score } = last ?? changes.at(-1) ?? {};
  if (!receipt || hasPoints(effect)) return undefined;
  const { rule, sentence, before, after } = receipt;
  // A sentence on a success ends with the limit that it met.
  const [fact, limit = fact] = sentence.replace(/\.$/, "").split(": ");
  if (!COUNTING.test(rule)) return capitalizeFirst(limit ?? "");
  if (score === 0) return "The score was 0 already";
  if (hasPoints(receipt.effect) || before?.good !== after.good) return undefined;
  const hasMore = (["anchored", "paid", "claimed"] as const).some(
    (name) => before[name][0] !== after[name][0],
  );
  return hasMore
    ? "Such jobs already count as much as they can"
    : "This client's jobs already count as much as one client's can";
}

/** A hundredth can come from rounding alone: it belongs to the event. */
const MIN_DAYS_POINTS = 0.015;

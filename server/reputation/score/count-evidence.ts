import { POLICY } from "@/server/reputation/policy";
import type { CountedClass, CountedEvidence, ScoreBreakdown } from "@/server/reputation/schema";

type Evidence = [good: number, bad: number];

/**
 * Splits a score's breakdown into what was recorded and what the caps leave of it, by class. The
 * same steps as `scoreEvidence`, in floating point, for display.
 */
export function countEvidence({ claimed, paid, anchored }: ScoreBreakdown): CountedEvidence {
  const claimedShare = getShare(POLICY.claimedCap, claimed);
  const open = add(scale(claimed, claimedShare), paid);
  const weighedShare = getShare(Math.max(POLICY.openCap, getTotal(anchored)), open);
  const countedShare = getShare(POLICY.openCap, open);
  const classes = {
    anchored: countClass(anchored, 1, 1),
    paid: countClass(paid, weighedShare, countedShare),
    claimed: countClass(claimed, claimedShare * weighedShare, claimedShare * countedShare),
  };
  const all = Object.values(classes);
  return {
    classes,
    total: {
      recorded: all.map(({ recorded }) => recorded).reduce(add),
      weighed: all.map(({ weighed }) => weighed).reduce(add),
      counted: all.reduce((sum, { counted }) => sum + counted, 0),
    },
  };
}

/** Scales a class by the shares of it that enter quality and confidence. */
function countClass(recorded: Evidence, weighed: number, counted: number): CountedClass {
  return { recorded, weighed: scale(recorded, weighed), counted: recorded[0] * counted };
}

/** Returns the share of `evidence` that fits under `cap`. */
const getShare = (cap: number, evidence: Evidence) =>
  Math.min(1, cap / Math.max(getTotal(evidence), Number.MIN_VALUE));

const getTotal = ([good, bad]: Evidence) => good + bad;

const scale = ([good, bad]: Evidence, share: number): Evidence => [good * share, bad * share];

const add = (a: Evidence, b: Evidence): Evidence => [a[0] + b[0], a[1] + b[1]];

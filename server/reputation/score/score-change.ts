import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { fromMicro } from "@/server/lib/usdc";
import { POLICY } from "@/server/reputation/policy";
import type {
  ScoreChangeFacts,
  ScoreChangeRule,
  StoredScoreChange,
} from "@/server/reputation/schema";
import { decay } from "./decay";
import { divide } from "./divide";
import { collectFacts, type LedgerFacts } from "./ledger-facts";
import { formatUtcDay } from "./public-reputation";
import { computeScore, type Score, type WeighedOutcome, weighOutcomes } from "./score";
import { UNIT } from "./score-evidence";
import {
  computeCountsFrom,
  getProvenValue,
  hasTakenPart,
  toUtcDay,
  type Weight,
} from "./weigh-outcome";

interface Change {
  /** The ledger of the score, including the record that moved it. */
  ledger: readonly LedgerRecord[];
  wallet: string;
  /** Number of that record; null if only days passed. */
  seq: number | null;
  /** A time on the day of the score, in unix seconds. */
  now: number;
  after: Score;
  /** Score before the change (0 if there was none), and when it was computed (unix seconds). */
  previousScoreE4: number;
  previousAt: number;
}

type Explanation = Pick<StoredScoreChange, "rule" | "facts">;

/** Tolerance for comparing units of evidence, which the breakdown has as doubles. */
const EPSILON = 1e-9;

/**
 * Explains a change of the score: the effect of the record, compared with the score of the same
 * ledger without it on the same day, and the effect of the days since the last change.
 */
export function createScoreChange(change: Change): StoredScoreChange {
  const { ledger, wallet, seq, now, after, previousScoreE4 } = change;
  const record = seq === null ? undefined : ledger.find((one) => one.seq === seq);
  const rest = ledger.filter((one) => one !== record);
  const before = record ? computeScore(rest, wallet, now) : after;
  const explanation = record ? explainRecord(change, record, rest, before) : explainDays(change);
  return buildScoreChange(explanation, { before, after, previousScoreE4 });
}

/** Scores of one day, before and after a change, and the one that was last computed. */
interface Scores {
  before: Score;
  after: Score;
  previousScoreE4: number;
}

/** Explains the change of the score by an added outcome. */
export function createOutcomeScoreChange({
  own,
  ...change
}: Scores & {
  /** The outcome. */
  own: WeighedOutcome;
  /** Whether it is the contractor's first for this requester. */
  isNewRequester: boolean;
  /** The disputes, refunds, anchors and takeovers that its weight depends on. */
  facts: LedgerFacts;
}): StoredScoreChange {
  return buildScoreChange(explainOutcome(own, change), change);
}

/** Explains a change of the score by time alone, without a reported failure that began to count. */
export function createDayScoreChange(after: Score, previousScoreE4: number): StoredScoreChange {
  return buildScoreChange({ rule: "days", facts: {} }, { before: after, after, previousScoreE4 });
}

function buildScoreChange(
  explanation: Explanation,
  { before, after, previousScoreE4 }: Scores,
): StoredScoreChange {
  return {
    ...explanation,
    effectE4: after.scoreE4 - before.scoreE4,
    daysE4: before.scoreE4 - previousScoreE4,
    before: before.totalOutcomes === 0 ? null : before.breakdown,
    after: after.breakdown,
  };
}

function explainRecord(
  change: Change,
  record: LedgerRecord,
  rest: readonly LedgerRecord[],
  before: Score,
): Explanation {
  const weighed = weighOutcomes(change.ledger, change.wallet, change.now);
  const weighedBefore = weighOutcomes(rest, change.wallet, change.now);
  if (record.type === "outcome") {
    const own = weighed.find((one) => one.record === record);
    const isNewRequester = weighedBefore.every(({ requester }) => requester !== record.requester);
    if (!own) return { rule: "days", facts: {} };
    const facts = collectFacts(change.ledger);
    return explainOutcome(own, { isNewRequester, before, after: change.after, facts });
  }
  const changed = weighed.filter((one, index) => isDifferent(one, weighedBefore[index])).length;
  if (record.type === "dispute") {
    const own = weighed.find((one) => one.record.id === record.outcomeId);
    return { rule: changed > 0 && own ? getDisputeRule(own) : "dispute-upheld", facts: {} };
  }
  const rule = record.type === "anchor" ? "anchor-added" : record.type;
  return { rule, facts: { outcomes: changed } };
}

function getDisputeRule(own: WeighedOutcome): ScoreChangeRule {
  const { final, record, bad } = own;
  if (isUnassessed(own)) return "dispute-unassessed";
  if (final === "SUCCESS") return "dispute-made-success";
  if (record.verdict === "FAILURE") return "dispute-confirmed-failure";
  return bad > 0n ? "dispute-made-failure" : "dispute-took-success";
}

/** Returns whether a dispute overturned the verdict without assessing the work. */
const isUnassessed = ({ final, record, assessed }: WeighedOutcome) =>
  final !== record.verdict && !assessed;

/**
 * Returns the rule if only days passed: whether reported failures began to count since the last
 * score.
 */
function explainDays({ ledger, wallet, now, previousAt }: Change): Explanation {
  const passed = toUtcDay(now) - toUtcDay(previousAt);
  const matured = weighOutcomes(ledger, wallet, now).filter(
    ({ reported, bad, age }) =>
      reported && bad > 0n && age >= POLICY.graceDays && age - passed < POLICY.graceDays,
  );
  const [first] = matured;
  if (!first) return { rule: "days", facts: {} };
  return { rule: "failure-matured", facts: { outcomes: matured.length, ...getValue(first) } };
}

function isDifferent(a: Weight, b: Weight | undefined): boolean {
  return (
    a.backing !== b?.backing ||
    a.final !== b.final ||
    a.good !== b.good ||
    a.bad !== b.bad ||
    (a.bad > 0n && a.reported !== b.reported)
  );
}

function explainOutcome(
  own: WeighedOutcome,
  {
    isNewRequester,
    before,
    after,
    facts: ledgerFacts,
  }: { isNewRequester: boolean; before: Score; after: Score; facts: LedgerFacts },
): Explanation {
  const facts: ScoreChangeFacts = { ...getValue(own), backing: own.backing, isNewRequester };
  if (own.good === 0n && own.bad === 0n)
    return { rule: explainZeroWeight(own, ledgerFacts), facts };
  if (own.bad > 0n) {
    if (!own.reported) return { rule: "failure", facts };
    if (own.age >= POLICY.graceDays) return { rule: "failure-matured", facts };
    const from = new Date((computeCountsFrom(own.record, ledgerFacts) ?? 0) * 1000);
    return { rule: "failure-reported", facts: { ...facts, countsFrom: formatUtcDay(from) } };
  }
  const goodBefore = before.totalOutcomes === 0 ? 0 : before.breakdown[own.backing][0];
  const added = after.breakdown[own.backing][0] - goodBefore;
  const capacity = after.breakdown.tenureCapacity;
  return { rule: findLimit(own, added, after), facts: { ...facts, capacity } };
}

const getValue = ({ record }: WeighedOutcome) => ({
  valueUsdc: fromMicro(getProvenValue(record)),
});

/** Returns the first limit in the formula that keeps the success from counting in full, if any. */
function findLimit(
  { backing, good, age }: WeighedOutcome,
  added: number,
  { breakdown }: Score,
): ScoreChangeRule {
  if (added < divide(good * decay(age), UNIT) - EPSILON) return "success-partner-full";
  const [claimed, paid, anchored] = [breakdown.claimed, breakdown.paid, breakdown.anchored].map(
    ([good, bad]) => good + bad,
  ) as [number, number, number];
  if (backing === "claimed" && claimed > POLICY.claimedCap + EPSILON) return "success-claims-full";
  const open = Math.min(claimed, POLICY.claimedCap) + paid;
  const openCap = Math.max(POLICY.openCap, anchored);
  if (backing !== "anchored" && open > openCap + EPSILON) return "success-open-full";
  return breakdown.good > breakdown.tenureCapacity - EPSILON ? "success-tenure-full" : "success";
}

function explainZeroWeight(own: WeighedOutcome, facts: LedgerFacts): ScoreChangeRule {
  const { record, final } = own;
  if (record.contractor === record.requester) return "weightless-self";
  if (facts.wasRefunded(record.id)) return "refund";
  if (facts.wasSuperseded(record.id)) return "superseded";
  if (isUnassessed(own)) return "dispute-unassessed";
  if (record.valueMicro === 0) return "weightless-value";
  if (final === "FAILURE" && !hasTakenPart(record)) return "weightless-stranger";
  const isUnsure = record.confPpm <= POLICY.minConfidence * 1_000_000;
  return isUnsure ? "weightless-unsure" : "weightless-squatter";
}

import type { LedgerRecord, OutcomeRecord } from "@/server/chain/ledger";
import type { Weighed } from "./assess";
import { decay } from "./decay";
import { UNIT } from "./evidence";
import { ratio } from "./ratio";
import type { ReceiptFacts, ReceiptRule, StoredReceipt } from "./schema";
import { computeScore, type Score, weighOwn } from "./score";
import type { Weight } from "./weight";

interface Change {
  /** What the score was computed from, the record that moved it included. */
  ledger: readonly LedgerRecord[];
  wallet: string;
  /** Of that record; null where only days passed. */
  seq: number | null;
  /** Of the score's day, unix seconds. */
  now: number;
  after: Score;
  /** Stored before; 0 where nothing was. */
  previousScoreE4: number;
}

const FULL = 1e-9;
const CLAIMED_CAP = 3;
const OPEN_CAP = 12;

/**
 * Why a score is what it is now: what the record itself did, by the score of the same ledger without
 * it on the same day, and what the days since the last change did.
 */
export function receiptOf(change: Change): StoredReceipt {
  const { ledger, wallet, seq, now, after, previousScoreE4 } = change;
  const record = seq === null ? undefined : ledger.find((one) => one.seq === seq);
  const rest = record ? ledger.filter((one) => one !== record) : ledger;
  const before = record ? computeScore(rest, wallet, now) : after;
  return {
    ...ruleOf(change, record, rest, before),
    effectE4: after.scoreE4 - before.scoreE4,
    daysE4: before.scoreE4 - previousScoreE4,
    before: before.totalOutcomes === 0 ? null : before.breakdown,
    after: after.breakdown,
  };
}

type Ruling = Pick<StoredReceipt, "rule" | "facts">;

function ruleOf(
  { ledger, wallet, now, after }: Change,
  record: LedgerRecord | undefined,
  rest: readonly LedgerRecord[],
  before: Score,
): Ruling {
  if (!record) return { rule: "days", facts: {} };
  const [now_, then] = [weighOwn(ledger, wallet, now), weighOwn(rest, wallet, now)];
  if (record.type === "outcome") {
    const own = now_.find((one) => one.record === record);
    const isNew = !then.some(({ requester }) => requester === record.requester);
    return own ? outcomeRule(record, own, isNew, before, after) : { rule: "days", facts: {} };
  }
  const moved = now_.filter((one, index) => differ(one, then[index])).length;
  if (record.type === "dispute") {
    const own = now_.find((one) => one.record.id === record.outcomeId);
    if (moved === 0 || !own) return { rule: "dispute-upheld", facts: {} };
    if (own.final === "SUCCESS") return { rule: "dispute-made-success", facts: {} };
    return { rule: own.bad > 0n ? "dispute-made-failure" : "dispute-took-success", facts: {} };
  }
  const rules = {
    refund: "refund",
    anchor: "anchor-added",
    "anchor-revoked": "anchor-revoked",
    takeover: "takeover",
  } as const;
  return { rule: rules[record.type], facts: { outcomes: moved } };
}

function differ(a: Weight, b: Weight | undefined): boolean {
  return a.backing !== b?.backing || a.final !== b.final || a.good !== b.good || a.bad !== b.bad;
}

function outcomeRule(
  record: OutcomeRecord,
  own: Weighed,
  isNewRequester: boolean,
  before: Score,
  after: Score,
): Ruling {
  const counted =
    record.paidMicro > 0 ? Math.min(record.valueMicro, record.paidMicro) : record.valueMicro;
  const facts: ReceiptFacts = {
    valueUsdc: counted / 1_000_000,
    backing: own.backing,
    isNewRequester,
  };
  if (own.good === 0n && own.bad === 0n) return { rule: weightless(record, own), facts };
  if (own.bad > 0n) return { rule: "failure", facts };
  const [kept, had] = [after.breakdown, before.breakdown];
  const added = kept[own.backing][0] - (before.totalOutcomes === 0 ? 0 : had[own.backing][0]);
  return {
    rule: limitOf(own, added, after),
    facts: { ...facts, added, capacity: kept.tenureCapacity },
  };
}

/** Which limit, if any, keeps the success from counting in full; the first that the formula meets. */
function limitOf(
  { backing, good, age }: Weighed,
  added: number,
  { breakdown }: Score,
): ReceiptRule {
  if (added < ratio(good * decay(age), UNIT) - FULL) return "success-partner-full";
  const { claimed, paid, anchored } = breakdown;
  const allClaimed = claimed[0] + claimed[1];
  if (backing === "claimed" && allClaimed > CLAIMED_CAP + FULL) return "success-claims-full";
  const open = Math.min(allClaimed, CLAIMED_CAP) + paid[0] + paid[1];
  const openCap = Math.max(OPEN_CAP, anchored[0] + anchored[1]);
  if (backing !== "anchored" && open > openCap + FULL) return "success-open-full";
  return breakdown.good > breakdown.tenureCapacity - FULL ? "success-tenure-full" : "success";
}

function weightless(record: OutcomeRecord, own: Weight): ReceiptRule {
  if (record.contractor === record.requester) return "weightless-self";
  if (record.valueMicro === 0) return "weightless-value";
  const tookPart = record.submittedBy === "contractor" || record.paidMicro > 0;
  if (own.final === "FAILURE" && !tookPart) return "weightless-stranger";
  return record.confPpm <= 500_000 ? "weightless-unsure" : "weightless-squatter";
}

import type { LedgerRecord, OutcomeRecord } from "@/server/chain/ledger";
import type { Tier } from "@/server/lib/schema";
import { assess, type Weighed } from "./assess";
import { type Facts, readFacts } from "./facts";
import type { ScoreBreakdown } from "./schema";
import { tierOf } from "./tier";
import { weigh } from "./weight";

/** What the ledger says of a wallet as contractor, in integers: scores in 1/10,000 points, rates in 1/10,000. */
export interface Score {
  wallet: string;
  scoreE4: number;
  tier: Tier;
  totalOutcomes: number;
  successRateE4: number;
  disputeRateE4: number;
  /** Of the categories in which the wallet has an outcome, by name. */
  categoryScoresE4: Record<string, number>;
  breakdown: ScoreBreakdown;
}

/**
 * The score of `wallet` by policy `qc-1` on the UTC day of `now` (unix seconds): 100 × quality ×
 * confidence, a lower bound for how sure a stranger may be of the next job. A pure function of the
 * ledger, whose records may come in any order and may speak of other wallets too. Wallets are
 * compared as opaque strings.
 */
export function computeScore(log: readonly LedgerRecord[], wallet: string, now: number): Score {
  const facts = readFacts(log);
  const byCategory = new Map<string, Weighed[]>();
  let disputed = 0;
  const weighed = weighOwn(log, wallet, now, facts).map(({ record, ...own }) => {
    const alike = byCategory.get(record.category);
    if (alike) alike.push(own);
    else byCategory.set(record.category, [own]);
    if (facts.disputeOf(record.id)) disputed += 1;
    return own;
  });
  const tenure = tenureOf(weighed);
  const { scoreE4, breakdown } = assess(weighed, tenure);
  const total = weighed.length;
  const successes = weighed.filter(({ final }) => final === "SUCCESS").length;
  return {
    wallet,
    scoreE4,
    tier: tierOf(Math.floor(scoreE4 / 100), total),
    totalOutcomes: total,
    successRateE4: rateE4(successes, total),
    disputeRateE4: rateE4(disputed, total),
    categoryScoresE4: Object.fromEntries(
      [...byCategory]
        .map(([category, own]) => [category, assess(own, tenure).scoreE4] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    breakdown,
  };
}

/** What each outcome of the contractor `wallet` weighs, those of later days than `now` left out. */
export function weighOwn(
  log: readonly LedgerRecord[],
  wallet: string,
  now: number,
  facts: Facts = readFacts(log),
): (Weighed & { record: OutcomeRecord })[] {
  const today = dayOf(now);
  const weighed: (Weighed & { record: OutcomeRecord })[] = [];
  for (const record of log) {
    if (record.type !== "outcome" || record.contractor !== wallet) continue;
    const age = today - dayOf(record.resolvedAt);
    if (age < 0) continue;
    weighed.push({ record, requester: record.requester, age, ...weigh(record, facts) });
  }
  return weighed;
}

/** Days since the first success that was paid for or that an anchor confirms; 0 where none is. */
export function tenureOf(weighed: Weighed[]): number {
  return weighed.reduce(
    (days, { backing, good, age }) =>
      backing !== "claimed" && good > 0n ? Math.max(days, age) : days,
    0,
  );
}

const SECONDS_PER_DAY = 86_400;

function dayOf(unixSeconds: number): number {
  return Math.floor(unixSeconds / SECONDS_PER_DAY);
}

function rateE4(part: number, total: number): number {
  return total === 0 ? 0 : Math.floor((part * 10_000) / total);
}

import type { LedgerRecord, OutcomeRecord } from "@/server/chain/registry/ledger";
import type { Tier } from "@/server/lib/schema";
import { POLICY } from "@/server/reputation/policy";
import type { ScoreBreakdown } from "@/server/reputation/schema";
import { collectFacts, type LedgerFacts } from "./ledger-facts";
import {
  type EvidenceByBacking,
  scoreSums,
  sumByBacking,
  type WeighedEvidence,
} from "./score-evidence";
import { isInRates, toUtcDay, weighOutcome } from "./weigh-outcome";

/**
 * The score of a wallet as contractor, in integers: scores in 1/10,000 points, rates in 1/10,000.
 */
export interface Score {
  wallet: string;
  scoreE4: number;
  tier: Tier;
  /** Every outcome up to the day of the score. */
  totalOutcomes: number;
  /** The outcomes that the rates are computed over: the agent took part, and they are not void. */
  confirmedOutcomes: number;
  /** Those of them whose verdict says anything: see `isDecided`. */
  assessedOutcomes: number;
  successRateE4: number;
  /** Likewise over `assessedOutcomes`; null without one. */
  assessedSuccessRateE4: number | null;
  disputeRateE4: number;
  /** Scores by category, for the categories in which the wallet has an outcome. */
  categoryScoresE4: Record<string, number>;
  breakdown: ScoreBreakdown;
}

/**
 * Computes the score of `wallet` by policy `qc-4` on the UTC day of `now` (unix seconds): 100 ×
 * quality × confidence, a lower bound for the probability that the next job succeeds. A pure
 * function of the ledger, whose records may be in any order and may concern other wallets too.
 * Wallets are compared as opaque strings.
 */
export function computeScore(log: readonly LedgerRecord[], wallet: string, now: number): Score {
  const facts = collectFacts(log);
  const weighed = weighOutcomes(log, wallet, now, facts);
  const counted = weighed.filter((outcome) => isInRates(outcome, outcome.age));
  const byCategory = new Map<string, WeighedEvidence[]>();
  for (const outcome of weighed) {
    const sameCategory = byCategory.get(outcome.record.category);
    if (sameCategory) sameCategory.push(outcome);
    else byCategory.set(outcome.record.category, [outcome]);
  }
  return buildScore(wallet, {
    outcomes: weighed.length,
    counted: counted.length,
    assessed: counted.filter(({ assessed }) => assessed).length,
    passed: counted.filter(({ assessed, final }) => assessed && final === "SUCCESS").length,
    successes: counted.filter(({ final }) => final === "SUCCESS").length,
    disputed: counted.filter(({ record }) => facts.getDispute(record.id)).length,
    tenure: computeTenure(weighed),
    overall: sumByBacking(weighed),
    categories: new Map(
      [...byCategory].map(([category, own]) => [category, sumByBacking(own)] as const),
    ),
  });
}

/**
 * Numbers of outcomes: all; those that the rates include (`counted`); and of these, the assessed
 * ones, the successes among the assessed ones (`passed`), all successes, and the disputed ones.
 */
export interface OutcomeCounts {
  outcomes: number;
  counted: number;
  assessed: number;
  passed: number;
  successes: number;
  disputed: number;
}

/** What a score depends on, on one day. */
export interface ScoreInputs extends OutcomeCounts {
  /** Days since the first success that is paid or anchored. */
  tenure: number;
  /** Decayed evidence, capped per requester. */
  overall: EvidenceByBacking;
  categories: ReadonlyMap<string, EvidenceByBacking>;
}

/** Computes the score of `wallet` from the sums of its evidence. */
export function buildScore(wallet: string, inputs: ScoreInputs): Score {
  const { outcomes, counted, tenure } = inputs;
  const { scoreE4, breakdown } = scoreSums(inputs.overall, tenure);
  return {
    wallet,
    scoreE4,
    tier: getTier(scoreE4, outcomes),
    totalOutcomes: outcomes,
    confirmedOutcomes: counted,
    assessedOutcomes: inputs.assessed,
    successRateE4: toRateE4(inputs.successes, counted),
    assessedSuccessRateE4: inputs.assessed === 0 ? null : toRateE4(inputs.passed, inputs.assessed),
    disputeRateE4: toRateE4(inputs.disputed, counted),
    categoryScoresE4: Object.fromEntries(
      [...inputs.categories]
        .map(([category, own]) => [category, scoreSums(own, tenure).scoreE4] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    breakdown,
  };
}

export interface WeighedOutcome extends WeighedEvidence {
  record: OutcomeRecord;
}

/** Weighs each outcome of the contractor `wallet`, excluding those of days after `now`. */
export function weighOutcomes(
  log: readonly LedgerRecord[],
  wallet: string,
  now: number,
  facts: LedgerFacts = collectFacts(log),
): WeighedOutcome[] {
  const today = toUtcDay(now);
  const weighed: WeighedOutcome[] = [];
  for (const record of log) {
    if (record.type !== "outcome" || record.contractor !== wallet) continue;
    const age = today - toUtcDay(record.resolvedAt);
    if (age < 0) continue;
    weighed.push({ record, requester: record.requester, age, ...weighOutcome(record, facts) });
  }
  return weighed;
}

/** Returns the days since the first success that is paid or anchored; 0 if there is none. */
export function computeTenure(weighed: WeighedEvidence[]): number {
  return weighed.reduce(
    (days, { backing, good, age }) =>
      backing !== "claimed" && good > 0n ? Math.max(days, age) : days,
    0,
  );
}

/** Returns the tier of a score; `UNRANKED` without outcomes. */
export function getTier(scoreE4: number, totalOutcomes: number): Tier {
  if (totalOutcomes === 0) return "UNRANKED";
  if (scoreE4 >= POLICY.eliteFrom * 10_000) return "ELITE";
  if (scoreE4 >= POLICY.verifiedFrom * 10_000) return "VERIFIED";
  return scoreE4 >= POLICY.trustedFrom * 10_000 ? "TRUSTED" : "NEWCOMER";
}

function toRateE4(part: number, total: number): number {
  return total === 0 ? 0 : Math.floor((part * 10_000) / total);
}

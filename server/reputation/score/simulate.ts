import type { LedgerRecord, OutcomeRecord } from "@/server/chain/registry/ledger";
import { DAY_SECONDS } from "@/server/lib/time";
import { toMicro } from "@/server/lib/usdc";
import { POLICY } from "@/server/reputation/policy";
import { decay } from "./decay";
import { divide } from "./divide";
import { collectFacts } from "./ledger-facts";
import { toPublishedScore } from "./public-reputation";
import { computeScore } from "./score";
import { weighOutcome } from "./weigh-outcome";

const AGENT = "the agent";
/** An arbitrary day, late enough for jobs of years ago. */
const NOW = 20_000 * DAY_SECONDS;

/** History of a hypothetical agent: numbers of its jobs and of its requesters. */
export interface HypotheticalAgent {
  successes: number;
  failures: number;
  /** Further failures, each reported by a different paying requester without anchor. */
  reported: number;
  /** Anchored requesters, which sign the terms and pay. */
  anchored: number;
  /** Requesters that pay in USDC. */
  paying: number;
  /** Requesters without payment or anchor. */
  claiming: number;
  /** Of each job. */
  valueUsdc: number;
  judgeConfidence: number;
  firstDaysAgo: number;
  lastDaysAgo: number;
  failedDaysAgo: number;
}

const NOTHING: HypotheticalAgent = {
  successes: 0,
  failures: 0,
  reported: 0,
  anchored: 0,
  paying: 0,
  claiming: 0,
  valueUsdc: 10,
  judgeConfidence: 0.95,
  firstDaysAgo: 0,
  lastDaysAgo: 0,
  failedDaysAgo: 0,
};

/**
 * Returns score and tier of a hypothetical agent, computed by the production code from a ledger
 * generated from `agent`. Jobs are assigned to the requesters round-robin and spread evenly over
 * the days between the first and the last. All failures, reported or not, are on one day.
 */
export function simulate(agent: Partial<HypotheticalAgent>) {
  const ledger = createLedger({ ...NOTHING, ...agent });
  const { scoreE4, tier } = computeScore(ledger, AGENT, NOW);
  return { score: toPublishedScore(scoreE4), tier };
}

function createLedger(input: HypotheticalAgent): LedgerRecord[] {
  const { successes, failures, failedDaysAgo } = input;
  const anchored = createNames("anchored", input.anchored);
  const requesters = [
    ...anchored,
    ...createNames("paying", input.paying),
    ...createNames("claiming", input.claiming),
  ];
  const createJob = (
    n: number,
    verdict: OutcomeRecord["verdict"],
    daysAgo: number,
    reporter?: string,
  ) => {
    const requester = reporter ?? requesters[n % requesters.length] ?? "no requester";
    const valueMicro = Number(toMicro(input.valueUsdc));
    return createOutcome({
      id: `${verdict} ${n} ${requester}`,
      requester,
      valueMicro,
      paidMicro: requester.startsWith("claiming") ? 0 : valueMicro,
      submittedBy: reporter ? "requester" : "contractor",
      // An anchor's payment alone would not count as its word.
      agreed: requester.startsWith("anchored"),
      verdict,
      confPpm: Math.round(input.judgeConfidence * 1_000_000),
      resolvedAt: NOW - daysAgo * DAY_SECONDS,
    });
  };
  const [last, first] = [input.lastDaysAgo, Math.max(input.firstDaysAgo, input.lastDaysAgo)];
  return [
    ...Array.from({ length: successes }, (_, n) => {
      const part = successes === 1 ? 0 : n / (successes - 1);
      return createJob(n, "SUCCESS", Math.round(first - (first - last) * part));
    }),
    ...Array.from({ length: failures }, (_, n) => createJob(n, "FAILURE", failedDaysAgo)),
    ...createNames("reporter", input.reported).map((reporter, n) =>
      createJob(n, "FAILURE", failedDaysAgo, reporter),
    ),
    ...anchored.map(
      (wallet, n): LedgerRecord => ({ type: "anchor", seq: n + 1, wallet, from: 0, until: null }),
    ),
  ];
}

const createNames = (kind: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${kind} ${n}`);

/** Returns a hypothetical outcome; by default a paid success of 10 USDC with a certain verdict. */
export function createOutcome(change: Partial<OutcomeRecord>): OutcomeRecord {
  return {
    type: "outcome",
    id: "outcome",
    contractor: AGENT,
    requester: "a requester",
    category: "ops",
    valueMicro: 10_000_000,
    paidMicro: 10_000_000,
    submittedBy: "contractor",
    proven: true,
    agreed: false,
    verdict: "SUCCESS",
    confPpm: 1_000_000,
    resolvedAt: 0,
    ...change,
  };
}

/** Figures for the page that explains the score, computed by the code that computes scores. */
export interface WeightCharts {
  /** Weight of a paid job of this value with a certain verdict; the largest weighs 1. */
  byValue: { valueUsdc: number; weight: number }[];
  /** Weight of a job with this verdict confidence, relative to a certain verdict. */
  byConfidence: { confidence: number; weight: number }[];
  /** Remaining weight of a success after this many days. */
  byAge: { days: number; weight: number }[];
}

const VALUES = [0.01, 0.5, 2, 10, 50, 500];
const CONFIDENCES = [0.5, 0.6, 0.7, 0.8, 0.9, 1];
const AGES = [0, 1 / 6, 1 / 2, 1, 2, 3].map((part) => part * POLICY.halfLifeDays);

/** Computes the weights that the page about the score charts. */
export function createWeightCharts(): WeightCharts {
  return {
    byValue: VALUES.map((valueUsdc) => {
      const valueMicro = Number(toMicro(valueUsdc));
      return { valueUsdc, weight: computeWeight({ valueMicro, paidMicro: valueMicro }) };
    }),
    byConfidence: CONFIDENCES.map((confidence) => ({
      confidence,
      weight: computeWeight({ confPpm: confidence * 1_000_000 }) / computeWeight({}),
    })),
    byAge: AGES.map((days) => ({ days, weight: divide(decay(days), decay(0)) })),
  };
}

function computeWeight(change: Partial<OutcomeRecord>): number {
  return divide(weighOutcome(createOutcome(change), collectFacts([])).good, 1_000_000_000n);
}

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LedgerRecord, OutcomeRecord } from "@/server/chain/registry/ledger";
import { DAY_SECONDS } from "@/server/lib/time";
import { CEILINGS } from "@/server/reputation/policy";
import {
  AGENT,
  anyConfidence,
  anyDispute,
  anyLedger,
  anyOutcome,
  anyRefund,
  anySuperseded,
  NOON,
  otherWalletsRecords,
} from "@/server/testing/fixtures/random-ledger";
import { scaleRuns } from "@/server/testing/scale-runs";
import { collectFacts } from "./ledger-facts";
import { findCeiling, toPublishedScore } from "./public-reputation";
import { computeScore, type Score } from "./score";
import { computeCountsFrom, weighOutcome } from "./weigh-outcome";

const RUNS = { numRuns: scaleRuns(60) };

const scoreOf = (log: LedgerRecord[], now = NOON): Score => computeScore(log, AGENT, now);
const added = fc.record({ log: anyLedger, outcome: anyOutcome({ id: "new" }) });

function ownOutcomes(log: LedgerRecord[]): OutcomeRecord[] {
  return log.filter((record) => record.type === "outcome");
}

/** Returns the outcomes for which `countsFrom` returns a time. */
function reportedOf(log: LedgerRecord[]): OutcomeRecord[] {
  const facts = collectFacts(log);
  return ownOutcomes(log).filter((outcome) => computeCountsFrom(outcome, facts) !== null);
}

function undisputed(log: LedgerRecord[]): OutcomeRecord[] {
  const ids = new Set(log.flatMap((record) => (record.type === "dispute" ? record.outcomeId : [])));
  return ownOutcomes(log).filter(({ id }) => !ids.has(id));
}

/** Returns the agent's score on the day of `now`, overall and in each of its categories. */
function scoresOf(log: LedgerRecord[], now = NOON): Record<string, number> {
  const { scoreE4, categoryScoresE4 } = scoreOf(log, now);
  return { overall: scoreE4, ...categoryScoresE4 };
}

/** Returns a paid failure reported `daysAgo` days ago by an unanchored requester. */
const reportedFailure = (daysAgo: number) =>
  anyOutcome(
    {
      id: "reported",
      verdict: "FAILURE",
      submittedBy: "requester",
      proven: true,
      agreed: false,
      resolvedAt: NOON - daysAgo * DAY_SECONDS,
    },
    ["reporter"],
  ).map((outcome) => ({ ...outcome, paidMicro: Math.max(500_000, outcome.paidMicro) }));

/** Generates a ledger and one of its unrefunded outcomes, or a new one if there is none. */
const withOneToRefund = fc.tuple(added, fc.nat()).map(([{ log, outcome }, pick]) => {
  const ids = new Set(log.flatMap((record) => (record.type === "refund" ? record.outcomeId : [])));
  const open = ownOutcomes(log).filter(({ id }) => !ids.has(id));
  const chosen = open[pick % Math.max(1, open.length)];
  return chosen ? { log, chosen } : { log: [...log, outcome], chosen: outcome };
});

/** Generates a ledger and one of its undisputed outcomes, or a new one if there is none. */
const withOneToDispute = fc.tuple(added, fc.nat()).map(([{ log, outcome }, pick]) => {
  const open = undisputed(log);
  const chosen = open[pick % Math.max(1, open.length)];
  return chosen ? { log, chosen } : { log: [...log, outcome], chosen: outcome };
});

const publishedOf = (log: LedgerRecord[]) => toPublishedScore(scoreOf(log).scoreE4);

/** Requesters that the ledgers know nothing of, and anchors that submit without paying. */
const STRANGERS = ["stranger 1", "stranger 2", "r0"];

function evidence({ breakdown: { claimed, paid, anchored } }: Score): number {
  return claimed[0] + paid[0] + anchored[0];
}

describe("on random ledgers", () => {
  test("a score lies between 0 and 100, in every category too", () => {
    fc.assert(
      fc.property(anyLedger, (log) => {
        const score = scoreOf(log);
        const { scoreE4, categoryScoresE4, successRateE4, disputeRateE4 } = score;
        expect(score.confirmedOutcomes).toBeLessThanOrEqual(score.totalOutcomes);
        expect(score.assessedOutcomes).toBeLessThanOrEqual(score.confirmedOutcomes);
        for (const one of [scoreE4, ...Object.values(categoryScoresE4)]) {
          expect(one).toBeGreaterThanOrEqual(0);
          expect(one).toBeLessThanOrEqual(1_000_000);
        }
        for (const rate of [successRateE4, disputeRateE4]) {
          expect(rate).toBeGreaterThanOrEqual(0);
          expect(rate).toBeLessThanOrEqual(10_000);
        }
      }),
      RUNS,
    );
  });

  test("a wallet is UNRANKED if and only if it has no outcome", () => {
    fc.assert(
      fc.property(anyLedger, (log) => {
        const some = ownOutcomes(log).some(({ resolvedAt }) => resolvedAt < NOON + DAY_SECONDS / 2);
        expect(scoreOf(log).tier === "UNRANKED").toBe(!some);
      }),
      RUNS,
    );
  });

  test("the order of the records does not matter", () => {
    const shuffles = anyLedger.chain((log) =>
      fc.record({
        log: fc.constant(log),
        shuffled: fc.shuffledSubarray(log, { minLength: log.length }),
      }),
    );
    fc.assert(
      fc.property(shuffles, ({ log, shuffled }) => {
        expect(scoreOf(shuffled)).toEqual(scoreOf(log));
      }),
      RUNS,
    );
  });

  test("a score is constant within a UTC day", () => {
    fc.assert(
      fc.property(
        anyLedger,
        fc.integer({ min: -DAY_SECONDS / 2, max: DAY_SECONDS / 2 - 1 }),
        (log, second) => {
          expect(scoreOf(log, NOON + second)).toEqual(scoreOf(log));
        },
      ),
      RUNS,
    );
  });

  test("a success never lowers a score and a failure never raises one, overall and by category", () => {
    fc.assert(
      fc.property(added, fc.boolean(), ({ log, outcome }, contractorWon) => {
        const overturned = contractorWon && outcome.verdict === "FAILURE";
        const success = outcome.verdict === "SUCCESS" || overturned;
        const before = scoreOf(log);
        const after = scoreOf([
          ...log,
          outcome,
          ...(overturned ? [anyDispute("new", "CONTRACTOR_WINS")] : []),
        ]);
        const moves = [after.scoreE4 - before.scoreE4];
        for (const [category, score] of Object.entries(after.categoryScoresE4)) {
          moves.push(score - (before.categoryScoresE4[category] ?? 0));
        }
        for (const move of moves) expect(success ? move >= 0 : move <= 0).toBe(true);
      }),
      RUNS,
    );
  });

  test("REQUESTER_WINS never raises a score", () => {
    fc.assert(
      fc.property(withOneToDispute, fc.boolean(), ({ log, chosen }, assessed) => {
        const after = scoreOf([...log, anyDispute(chosen.id, "REQUESTER_WINS", assessed)]);
        expect(after.scoreE4).toBeLessThanOrEqual(scoreOf(log).scoreE4);
      }),
      RUNS,
    );
  });

  test("CONTRACTOR_WINS on a success changes only the dispute rate and what is assessed", () => {
    fc.assert(
      fc.property(withOneToDispute, fc.boolean(), ({ log, chosen }, assessed) => {
        fc.pre(chosen.verdict === "SUCCESS");
        const {
          disputeRateE4: _,
          assessedOutcomes: __,
          assessedSuccessRateE4: ___,
          ...before
        } = scoreOf(log);
        const dispute = anyDispute(chosen.id, "CONTRACTOR_WINS", assessed);
        expect(scoreOf([...log, dispute])).toMatchObject(before);
      }),
      RUNS,
    );
  });

  test("a verdict overturned without assessing the work leaves the scores as if it had never been", () => {
    fc.assert(
      fc.property(added, ({ log, outcome }) => {
        const overturning = outcome.verdict === "SUCCESS" ? "REQUESTER_WINS" : "CONTRACTOR_WINS";
        const dispute = anyDispute("new", overturning, false);
        const before = scoresOf(log);
        const after = scoresOf([...log, outcome, dispute]);
        for (const [name, score] of Object.entries(after)) expect(score).toBe(before[name] ?? 0);
      }),
      RUNS,
    );
  });

  test("a stated value above 2 USDC changes nothing if nobody paid", () => {
    fc.assert(
      fc.property(added, fc.integer({ min: 2_000_000, max: 10 ** 15 }), (ledger, valueMicro) => {
        const unpaid = { ...ledger.outcome, paidMicro: 0 };
        const scoreWith = (stated: number) =>
          scoreOf([...ledger.log, { ...unpaid, valueMicro: stated }]);
        expect(scoreWith(valueMicro)).toEqual(scoreWith(2_000_000));
      }),
      RUNS,
    );
  });

  test("a payment of an anchor is not its word: it weighs like that of any other payer", () => {
    const unconfirmed = { id: "new", requester: "r1", agreed: false, submittedBy: "contractor" };
    fc.assert(
      fc.property(anyLedger, anyOutcome(unconfirmed as Partial<OutcomeRecord>), (log, outcome) => {
        const own = [...log.filter(({ type }) => type !== "outcome"), outcome];
        const without = own.filter(({ type }) => type !== "anchor" && type !== "anchor-revoked");
        expect(scoreOf(own)).toEqual(scoreOf(without));
      }),
      RUNS,
    );
  });

  test("refunding a failure never lowers a score and refunding a success never raises one", () => {
    fc.assert(
      fc.property(withOneToRefund, ({ log, chosen }) => {
        const { final } = weighOutcome(chosen, collectFacts(log));
        const before = scoresOf(log);
        const after = scoresOf([...log, anyRefund(chosen.id)]);
        for (const [name, score] of Object.entries(after)) {
          const move = score - (before[name] ?? 0);
          expect(final === "FAILURE" ? move >= 0 : move <= 0).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test("a refunded or superseded outcome leaves score and rates as if it had never existed", () => {
    fc.assert(
      fc.property(added, fc.constantFrom(anyRefund, anySuperseded), ({ log, outcome }, end) => {
        const { scoreE4, confirmedOutcomes, successRateE4, disputeRateE4 } = scoreOf(log);
        expect(scoreOf([...log, outcome, end("new")])).toMatchObject({
          scoreE4,
          confirmedOutcomes,
          successRateE4,
          disputeRateE4,
        });
      }),
      RUNS,
    );
  });

  test("a reported failure in its days of grace changes neither scores nor rates", () => {
    const reported = fc.integer({ min: 0, max: 2 }).chain(reportedFailure);
    fc.assert(
      fc.property(anyLedger, reported, (log, outcome) => {
        const { category } = outcome;
        const extended = [...log, outcome];
        expect(scoresOf(extended)).toEqual({ [category]: 0, ...scoresOf(log) });
        const { successRateE4, disputeRateE4, confirmedOutcomes } = scoreOf(log);
        expect(scoreOf(extended)).toMatchObject({
          successRateE4,
          disputeRateE4,
          confirmedOutcomes,
        });
      }),
      RUNS,
    );
  });

  test("a reported failure never costs more than one that the contractor submitted", () => {
    const reported = fc.integer({ min: 0, max: 400 }).chain(reportedFailure);
    fc.assert(
      fc.property(anyLedger, reported, (log, outcome) => {
        const submittedBy = "contractor";
        expect(scoreOf([...log, outcome]).scoreE4).toBeGreaterThanOrEqual(
          scoreOf([...log, { ...outcome, submittedBy }]).scoreE4,
        );
      }),
      RUNS,
    );
  });

  test("an outcome changes no score until its `countsFrom`, and never raises one after", () => {
    fc.assert(
      fc.property(
        anyLedger,
        fc.integer({ min: 0, max: 20 }).chain(reportedFailure),
        (log, outcome) => {
          const from = computeCountsFrom(outcome, collectFacts(log));
          fc.pre(from !== null);
          if (from === null) return;
          const extended = [...log, outcome];
          expect(scoreOf(extended, from - 1).scoreE4).toBe(scoreOf(log, from - 1).scoreE4);
          expect(scoreOf(extended, from).scoreE4).toBeLessThanOrEqual(scoreOf(log, from).scoreE4);
        },
      ),
      RUNS,
    );
  });

  test("a more confident verdict never weighs less", () => {
    fc.assert(
      fc.property(added, anyConfidence, anyConfidence, ({ log, outcome }, one, other) => {
        const judged = (confPpm: number) => scoreOf([...log, { ...outcome, confPpm }]).scoreE4;
        const gain = judged(Math.max(one, other)) - judged(Math.min(one, other));
        expect(outcome.verdict === "SUCCESS" ? gain >= 0 : gain <= 0).toBe(true);
      }),
      RUNS,
    );
  });

  test("records of other wallets don't affect the agent's score", () => {
    fc.assert(
      fc.property(anyLedger, otherWalletsRecords, (log, others) => {
        expect(scoreOf([...others, ...log])).toEqual(scoreOf(log));
      }),
      RUNS,
    );
  });

  test("the ceilings hold for unconfirmed evidence alone and without an anchored requester", () => {
    fc.assert(
      fc.property(anyLedger, (log) => {
        const unvouched = log.filter(({ type }) => type !== "anchor");
        expect(publishedOf(unvouched)).toBeLessThanOrEqual(CEILINGS.withoutAnchor);
        const claims = unvouched.map((record) =>
          record.type === "outcome" ? { ...record, paidMicro: 0 } : record,
        );
        expect(publishedOf(claims)).toBeLessThanOrEqual(CEILINGS.claimedOnly);
      }),
      RUNS,
    );
  });

  test("no score exceeds its ceiling, which a success of the named kind lifts", () => {
    const ceilingOf = (log: LedgerRecord[]) => findCeiling(scoreOf(log).breakdown);
    const jobUsdc = { valueMicro: 20_000_000, paidMicro: 20_000_000 };
    const paid = anyOutcome({
      id: "paid",
      requester: "client",
      submittedBy: "requester",
      verdict: "SUCCESS",
      confPpm: 950_000,
      // Evidence that has decayed to nothing lifts nothing.
      resolvedAt: NOON - DAY_SECONDS,
      ...jobUsdc,
    });
    const anchor = { type: "anchor" as const, seq: 5_000, wallet: "client", from: 0, until: null };
    fc.assert(
      fc.property(anyLedger, paid, (log, success) => {
        const ceiling = ceilingOf(log);
        expect(publishedOf(log)).toBeLessThanOrEqual(ceiling?.score ?? 100);
        const lifted = ceilingOf([...log, success]);
        if (ceiling === null) expect(lifted).toBeNull();
        else expect(lifted).toEqual({ score: CEILINGS.withoutAnchor, liftedBy: "anchor" });
        // An unproven anchor's submission is not its word.
        if (success.agreed || success.proven) {
          expect(ceilingOf([...log, success, anchor])).toBeNull();
        }
      }),
      RUNS,
    );
  });

  test("the ceiling holds for one requester in one class", () => {
    const fromOne = fc.constantFrom(0, 20_000_000).chain((paidMicro) =>
      fc.array(anyOutcome({ requester: "r0", paidMicro, agreed: true }), {
        maxLength: 60,
        size: "max",
      }),
    );
    fc.assert(
      fc.property(fromOne, fc.boolean(), (own, isAnchored) => {
        const log: LedgerRecord[] = own.map((outcome, index) => ({ ...outcome, id: `o${index}` }));
        const paid = own.some(({ paidMicro }) => paidMicro > 0);
        if (isAnchored && paid)
          log.push({ type: "anchor", seq: 1, wallet: "r0", from: 0, until: null });
        expect(publishedOf(log)).toBeLessThanOrEqual(CEILINGS.oneRequester);
      }),
      RUNS,
    );
  });

  test("twenty outcomes of a cent add less than a tenth of a unit", () => {
    const cents = fc.array(
      fc.oneof(
        anyOutcome({ valueMicro: 10_000 }),
        anyOutcome({ valueMicro: 20_000_000, paidMicro: 10_000 }),
      ),
      { minLength: 20, maxLength: 20 },
    );
    fc.assert(
      fc.property(anyLedger, cents, (log, dust) => {
        const more = dust.map((outcome, index) => ({ ...outcome, id: `dust${index}` }));
        expect(evidence(scoreOf([...log, ...more])) - evidence(scoreOf(log))).toBeLessThan(0.1);
      }),
      RUNS,
    );
  });

  test("what strangers submit unpaid or with dust lowers neither score nor rates", () => {
    const strangers = fc.array(
      fc.record({
        outcome: fc
          .integer({ min: 0, max: 499_999 })
          .chain((paidMicro) =>
            anyOutcome({ submittedBy: "requester", agreed: false, paidMicro }, STRANGERS),
          ),
        verdict: fc.constantFrom("REQUESTER_WINS" as const, "CONTRACTOR_WINS" as const, null),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(anyLedger, strangers, (log, submitted) => {
        const more = submitted.flatMap(({ outcome, verdict }, index): LedgerRecord[] => {
          const id = `stranger${index}`;
          return [{ ...outcome, id }, ...(verdict ? [anyDispute(id, verdict)] : [])];
        });
        const [before, after] = [scoreOf(log), scoreOf([...log, ...more])];
        expect(after.scoreE4).toBeGreaterThanOrEqual(before.scoreE4);
        expect(after.confirmedOutcomes).toBe(before.confirmedOutcomes);
        expect(after.successRateE4).toBe(before.successRateE4);
        expect(after.disputeRateE4).toBe(before.disputeRateE4);
      }),
      RUNS,
    );
  });
});

test("the random ledgers reach every state that the rules distinguish", () => {
  const reached: Record<string, number> = {};
  const see = (state: string, is: boolean) => {
    reached[state] = (reached[state] ?? 0) + (is ? 1 : 0);
  };
  for (const log of fc.sample(anyLedger, { numRuns: 400, seed: 1 })) {
    const score = scoreOf(log);
    const without = (type: LedgerRecord["type"]) =>
      scoreOf(log.filter((record) => record.type !== type)).scoreE4 !== score.scoreE4;
    const { claimed, paid, anchored, tenureCapacity, good } = score.breakdown;
    see("no outcome", score.totalOutcomes === 0);
    see("capped claims", claimed[0] + claimed[1] > 3);
    see("capped open evidence", Math.min(3, claimed[0] + claimed[1]) + paid[0] + paid[1] > 5.5);
    see("much anchored evidence", anchored[0] + anchored[1] > 5.5);
    see("bad evidence of every class", claimed[1] > 0 && paid[1] > 0 && anchored[1] > 0);
    see("capacity by tenure reached", good === tenureCapacity);
    see("more capacity by tenure", tenureCapacity > 10);
    const types = ["anchor", "anchor-revoked", "takeover", "dispute", "refund", "superseded"];
    for (const type of types as LedgerRecord["type"][]) {
      see(`${type} moves the score`, without(type));
    }
    const failures = reportedOf(log);
    see(
      "a reported failure in its grace",
      failures.some(({ resolvedAt }) => resolvedAt > NOON - 2 * DAY_SECONDS),
    );
    see(
      "a reported failure after its grace",
      failures.some(({ resolvedAt }) => resolvedAt < NOON - 4 * DAY_SECONDS),
    );
    see("some outcomes not assessed", score.assessedOutcomes < score.confirmedOutcomes);
    see("some outcomes not confirmed", score.confirmedOutcomes < score.totalOutcomes);
    see("above 70", score.scoreE4 >= 700_000);
    see("above 85", score.scoreE4 >= 850_000);
    see("several categories", Object.keys(score.categoryScoresE4).length > 1);
  }
  for (const [state, times] of Object.entries(reached)) {
    expect(times, state).toBeGreaterThanOrEqual(5);
  }
});

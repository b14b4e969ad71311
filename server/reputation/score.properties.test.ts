import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LedgerRecord, OutcomeRecord } from "@/server/chain/ledger";
import {
  AGENT,
  confidence,
  dispute,
  ledgers,
  NOON,
  otherWalletsRecords,
  outcomes,
} from "./random-ledger";
import { computeScore, type Score } from "./score";

const RUNS = { numRuns: 300 };
const DAY = 86_400;

const scoreOf = (log: LedgerRecord[], now = NOON): Score => computeScore(log, AGENT, now);
const added = fc.record({ log: ledgers, outcome: outcomes({ id: "new" }) });

function ownOutcomes(log: LedgerRecord[]): OutcomeRecord[] {
  return log.filter((record) => record.type === "outcome");
}

function undisputed(log: LedgerRecord[]): OutcomeRecord[] {
  const ids = new Set(log.flatMap((record) => (record.type === "dispute" ? record.outcomeId : [])));
  return ownOutcomes(log).filter(({ id }) => !ids.has(id));
}

/** Some ledger and one of its undisputed outcomes, or a new one where there is none. */
const withOneToDispute = fc.tuple(added, fc.nat()).map(([{ log, outcome }, pick]) => {
  const open = undisputed(log);
  const chosen = open[pick % Math.max(1, open.length)];
  return chosen ? { log, chosen } : { log: [...log, outcome], chosen: outcome };
});

function evidence({ breakdown: { claimed, paid, anchored } }: Score): number {
  return claimed[0] + paid[0] + anchored[0];
}

describe("on random ledgers", () => {
  test("a score lies between 0 and 100, in every category too", () => {
    fc.assert(
      fc.property(ledgers, (log) => {
        const { scoreE4, categoryScoresE4, successRateE4, disputeRateE4 } = scoreOf(log);
        for (const score of [scoreE4, ...Object.values(categoryScoresE4)]) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1_000_000);
        }
        for (const rate of [successRateE4, disputeRateE4]) {
          expect(rate).toBeGreaterThanOrEqual(0);
          expect(rate).toBeLessThanOrEqual(10_000);
        }
      }),
      RUNS,
    );
  });

  test("UNRANKED is who has no outcome, and nobody else", () => {
    fc.assert(
      fc.property(ledgers, (log) => {
        const some = ownOutcomes(log).some(({ resolvedAt }) => resolvedAt < NOON + DAY / 2);
        expect(scoreOf(log).tier === "UNRANKED").toBe(!some);
      }),
      RUNS,
    );
  });

  test("the order of the records does not matter", () => {
    const shuffles = ledgers.chain((log) =>
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

  test("within a UTC day it does not move", () => {
    fc.assert(
      fc.property(ledgers, fc.integer({ min: -DAY / 2, max: DAY / 2 - 1 }), (log, second) => {
        expect(scoreOf(log, NOON + second)).toEqual(scoreOf(log));
      }),
      RUNS,
    );
  });

  test("a success never lowers, a failure never raises, overall and in any category", () => {
    fc.assert(
      fc.property(added, fc.boolean(), ({ log, outcome }, contractorWon) => {
        const overturned = contractorWon && outcome.verdict === "FAILURE";
        const success = outcome.verdict === "SUCCESS" || overturned;
        const before = scoreOf(log);
        const after = scoreOf([
          ...log,
          outcome,
          ...(overturned ? [dispute("new", "CONTRACTOR_WINS")] : []),
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

  test("REQUESTER_WINS never raises", () => {
    fc.assert(
      fc.property(withOneToDispute, ({ log, chosen }) => {
        const after = scoreOf([...log, dispute(chosen.id, "REQUESTER_WINS")]);
        expect(after.scoreE4).toBeLessThanOrEqual(scoreOf(log).scoreE4);
      }),
      RUNS,
    );
  });

  test("CONTRACTOR_WINS on a success leaves everything but the dispute rate", () => {
    fc.assert(
      fc.property(withOneToDispute, ({ log, chosen }) => {
        fc.pre(chosen.verdict === "SUCCESS");
        const { disputeRateE4: _, ...before } = scoreOf(log);
        expect(scoreOf([...log, dispute(chosen.id, "CONTRACTOR_WINS")])).toMatchObject(before);
      }),
      RUNS,
    );
  });

  test("a surer verdict never weighs less in its direction", () => {
    fc.assert(
      fc.property(added, confidence, confidence, ({ log, outcome }, one, other) => {
        const judged = (confPpm: number) => scoreOf([...log, { ...outcome, confPpm }]).scoreE4;
        const gain = judged(Math.max(one, other)) - judged(Math.min(one, other));
        expect(outcome.verdict === "SUCCESS" ? gain >= 0 : gain <= 0).toBe(true);
      }),
      RUNS,
    );
  });

  test("what others did leaves the agent's score alone", () => {
    fc.assert(
      fc.property(ledgers, otherWalletsRecords, (log, others) => {
        expect(scoreOf([...others, ...log])).toEqual(scoreOf(log));
      }),
      RUNS,
    );
  });

  test("claims alone end at 50, without an anchored requester it ends at 80", () => {
    fc.assert(
      fc.property(ledgers, (log) => {
        const unvouched = log.filter(({ type }) => type !== "anchor");
        expect(scoreOf(unvouched).scoreE4).toBeLessThanOrEqual(800_000);
        const claims = unvouched.map((record) =>
          record.type === "outcome" ? { ...record, paidMicro: 0 } : record,
        );
        expect(scoreOf(claims).scoreE4).toBeLessThanOrEqual(500_000);
      }),
      RUNS,
    );
  });

  test("one partner in one class ends at 40", () => {
    const fromOne = fc
      .constantFrom(0, 20_000_000)
      .chain((paidMicro) =>
        fc.array(outcomes({ requester: "r0", paidMicro }), { maxLength: 60, size: "max" }),
      );
    fc.assert(
      fc.property(fromOne, fc.boolean(), (own, vouched) => {
        const log: LedgerRecord[] = own.map((outcome, index) => ({ ...outcome, id: `o${index}` }));
        const paid = own.some(({ paidMicro }) => paidMicro > 0);
        if (vouched && paid)
          log.push({ type: "anchor", seq: 1, wallet: "r0", from: 0, until: null });
        expect(scoreOf(log).scoreE4).toBeLessThanOrEqual(400_000);
      }),
      RUNS,
    );
  });

  test("twenty outcomes of a cent add less than a tenth of a unit", () => {
    const cents = fc.array(
      fc.oneof(
        outcomes({ valueMicro: 10_000 }),
        outcomes({ valueMicro: 20_000_000, paidMicro: 10_000 }),
      ),
      { minLength: 20, maxLength: 20 },
    );
    fc.assert(
      fc.property(ledgers, cents, (log, dust) => {
        const more = dust.map((outcome, index) => ({ ...outcome, id: `dust${index}` }));
        expect(evidence(scoreOf([...log, ...more])) - evidence(scoreOf(log))).toBeLessThan(0.1);
      }),
      RUNS,
    );
  });

  test("what strangers submit unpaid never lowers it, however it ends", () => {
    const strangers = fc.array(
      fc.record({
        outcome: outcomes({ submittedBy: "requester", paidMicro: 0 }),
        verdict: fc.constantFrom("REQUESTER_WINS" as const, "CONTRACTOR_WINS" as const, null),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(ledgers, strangers, (log, submitted) => {
        const more = submitted.flatMap(({ outcome, verdict }, index): LedgerRecord[] => {
          const id = `stranger${index}`;
          return [{ ...outcome, id }, ...(verdict ? [dispute(id, verdict)] : [])];
        });
        expect(scoreOf([...log, ...more]).scoreE4).toBeGreaterThanOrEqual(scoreOf(log).scoreE4);
      }),
      RUNS,
    );
  });
});

test("the random ledgers reach the states that the rules speak of", () => {
  const reached: Record<string, number> = {};
  const see = (state: string, is: boolean) => {
    reached[state] = (reached[state] ?? 0) + (is ? 1 : 0);
  };
  for (const log of fc.sample(ledgers, { numRuns: 400, seed: 1 })) {
    const score = scoreOf(log);
    const without = (type: LedgerRecord["type"]) =>
      scoreOf(log.filter((record) => record.type !== type)).scoreE4 !== score.scoreE4;
    const { claimed, paid, anchored, tenureCapacity, good } = score.breakdown;
    see("no outcome", score.totalOutcomes === 0);
    see("capped claims", claimed[0] + claimed[1] > 3);
    see("capped open evidence", Math.min(3, claimed[0] + claimed[1]) + paid[0] + paid[1] > 12);
    see("much anchored evidence", anchored[0] + anchored[1] > 12);
    see("bad evidence of every class", claimed[1] > 0 && paid[1] > 0 && anchored[1] > 0);
    see("capacity by tenure reached", good === tenureCapacity);
    see("more capacity by tenure", tenureCapacity > 10);
    for (const type of ["anchor", "anchor-revoked", "takeover", "dispute"] as const) {
      see(`${type} moves the score`, without(type));
    }
    see("above 70", score.scoreE4 >= 700_000);
    see("above 85", score.scoreE4 >= 850_000);
    see("several categories", Object.keys(score.categoryScoresE4).length > 1);
  }
  for (const [state, times] of Object.entries(reached)) {
    expect(times, state).toBeGreaterThanOrEqual(5);
  }
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LedgerRecord, OutcomeRecord } from "@/server/chain/registry/ledger";
import { DAY_SECONDS } from "@/server/lib/time";
import { collectFacts } from "@/server/reputation/score/ledger-facts";
import { computeScore, weighOutcomes } from "@/server/reputation/score/score";
import {
  createOutcomeScoreChange,
  createScoreChange,
} from "@/server/reputation/score/score-change";
import { toUtcDay, weighOutcome } from "@/server/reputation/score/weigh-outcome";
import { AGENT, anyLedger, anyOutcome, NOON } from "@/server/testing/fixtures/random-ledger";
import { type EvidenceRow, mergeRows, toEvidenceRow } from "./evidence-row";
import { recompute, recomputeText } from "./recompute";
import {
  addEvidence,
  parseTotals,
  scoreTotals,
  sumRequester,
  sumTotals,
  toStoredTotals,
} from "./totals";

const RUNS = { numRuns: 300 };
const TODAY = toUtcDay(NOON);

/** Days before and after most outcomes, and long after all. */
const anyDay = fc.oneof(fc.constant(TODAY), fc.integer({ min: TODAY - 30, max: TODAY + 400 }));

const scoreOn = (log: LedgerRecord[], day: number) => computeScore(log, AGENT, day * DAY_SECONDS);
const ownOutcomes = (log: LedgerRecord[]): OutcomeRecord[] =>
  log.filter((record) => record.type === "outcome");
const toRows = (log: LedgerRecord[]): EvidenceRow[] => {
  const facts = collectFacts(log);
  return ownOutcomes(log).map((one) => toEvidenceRow(one, weighOutcome(one, facts), facts));
};

describe("on random ledgers, bit for bit", () => {
  test("merged rows give the score of the ledger on any day", () => {
    fc.assert(
      fc.property(anyLedger, anyDay, (log, day) => {
        const { totals, rows } = recompute(log, { wallet: AGENT, day, change: null });
        expect(scoreTotals(AGENT, totals)).toEqual(scoreOn(log, day));
        expect(rows.length).toBeLessThanOrEqual(ownOutcomes(log).length);
      }),
      RUNS,
    );
  });

  test("outcomes added one at a time, in any order, give the totals of all rows", () => {
    const shuffled = fc.tuple(anyLedger, anyDay, fc.nat({ max: 80 })).chain(([log, day, known]) => {
      const rows = toRows(log);
      return fc.record({
        log: fc.constant(log),
        rows: fc.shuffledSubarray(rows, { minLength: rows.length }),
        day: fc.constant(day),
        known: fc.constant(Math.min(known, rows.length)),
      });
    });
    fc.assert(
      fc.property(shuffled, ({ log, rows, day, known }) => {
        const before = mergeRows(rows.slice(0, known));
        const totals = sumTotals(before, day);
        for (const requester of new Set(rows.map((row) => row.requester))) {
          const sums = sumRequester(
            before.filter((row) => row.requester === requester),
            day,
          );
          const added = rows.slice(known).filter((row) => row.requester === requester);
          for (const row of added) addEvidence(totals, sums, row);
        }
        expect(totals).toEqual(sumTotals(rows, day));
        expect(scoreTotals(AGENT, totals)).toEqual(scoreOn(log, day));
      }),
      RUNS,
    );
  });

  test("an added outcome gets the score change that the whole ledger gives it", () => {
    const added = fc.record({
      log: anyLedger,
      outcome: anyOutcome({ id: "new", seq: 5_000 }),
      day: anyDay,
    });
    fc.assert(
      fc.property(
        added,
        fc.integer({ min: 0, max: 1_000_000 }),
        ({ log, outcome, day }, previousScoreE4) => {
          fc.pre(toUtcDay(outcome.resolvedAt) <= day);
          const ledger = [...log, outcome];
          const after = scoreOn(ledger, day);
          const facts = collectFacts(ledger);
          const found = createOutcomeScoreChange({
            own: {
              ...weighOutcome(outcome, facts),
              record: outcome,
              requester: outcome.requester,
              age: day - toUtcDay(outcome.resolvedAt),
            },
            isNewRequester: weighOutcomes(log, AGENT, day * DAY_SECONDS).every(
              ({ requester }) => requester !== outcome.requester,
            ),
            facts,
            before: scoreOn(log, day),
            after,
            previousScoreE4,
          });
          const expected = createScoreChange({
            ledger,
            wallet: AGENT,
            seq: 5_000,
            now: day * DAY_SECONDS,
            after,
            previousScoreE4,
            previousAt: NOON,
          });
          expect(found).toEqual(expected);
        },
      ),
      RUNS,
    );
  });

  test("totals survive being stored as JSON", () => {
    fc.assert(
      fc.property(anyLedger, anyDay, (log, day) => {
        const input = { wallet: AGENT, day, change: null };
        const { totals } = recomputeText(JSON.stringify(log), input);
        const stored = JSON.parse(JSON.stringify(toStoredTotals(totals, 7)));
        expect(parseTotals({ version: 7, totals: stored })).toEqual(totals);
        expect(parseTotals({ version: 8, totals: stored })).toBeNull();
      }),
      RUNS,
    );
  });
});

test("outcomes of later days wait for their day", () => {
  const day = TODAY + 2;
  const resolvedAt = day * DAY_SECONDS;
  const [outcome] = fc.sample(anyOutcome({ id: "o", resolvedAt }), 1);
  const rows = toRows(outcome ? [outcome] : []);
  expect(sumTotals(rows, TODAY)).toEqual(sumTotals([], TODAY));
  expect(sumTotals(rows, day).outcomes).toBe(1);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LedgerRecord, OutcomeRecord } from "@/server/chain/registry/ledger";
import { DAY_SECONDS } from "@/server/lib/time";
import { AGENT, anyLedger, NOON } from "@/server/testing/fixtures/random-ledger";
import {
  createOutcomeId,
  createPaidOutcome,
  createWallet,
} from "@/server/testing/fixtures/sample-ledger";
import { describeScoreChange } from "./describe-score-change";
import { computeScore } from "./score";
import { createScoreChange } from "./score-change";

const NOW = Date.parse("2026-11-20T18:00:00Z") / 1000;
const WALLET = createWallet(1);

/** Returns the score change of the last record, in a ledger numbered from 1. */
function changeOf(log: LedgerRecord[], { wallet = WALLET, now = NOW } = {}) {
  const ledger = log.map((record, index) => ({ ...record, seq: index + 1 }));
  const after = computeScore(ledger, wallet, now);
  const seq = ledger.length;
  const found = createScoreChange({
    ledger,
    wallet,
    seq,
    now,
    after,
    previousScoreE4: 0,
    previousAt: now,
  });
  return { ...found, sentence: describeScoreChange(found) };
}

const by = (requester: number, change: Partial<OutcomeRecord> = {}) =>
  createPaidOutcome(requester, { requester: createWallet(requester), ...change });
const claim = (requester: number, change: Partial<OutcomeRecord> = {}) =>
  by(requester, { paidMicro: 0, ...change });
const many = (count: number, make: (n: number) => LedgerRecord) =>
  Array.from({ length: count }, (_, n) => make(n + 100));
const anchor = (requester: number): LedgerRecord => ({
  type: "anchor",
  seq: 1,
  wallet: createWallet(requester),
  from: 0,
  until: null,
});
const reportedFailure = { verdict: "FAILURE", submittedBy: "requester" } as const;
const refund = (outcome: number): LedgerRecord => ({
  type: "refund",
  outcomeId: createOutcomeId(outcome),
  at: NOW,
});
const dispute = (
  outcome: number,
  verdict: "REQUESTER_WINS" | "CONTRACTOR_WINS",
  assessed = true,
): LedgerRecord => ({
  type: "dispute",
  outcomeId: createOutcomeId(outcome),
  verdict,
  assessed,
  resolvedAt: NOW,
});

describe("the rule that a score change names", () => {
  const old = { resolvedAt: NOW - 100 * DAY_SECONDS };
  const cases: [string, LedgerRecord[], RegExp][] = [
    ["success", [by(100)], /^A paid success of 20\.00 USDC for a new client\.$/],
    ["success", [by(100), by(101), by(100, { id: "x" })], /for a returning client\.$/],
    [
      "success",
      [anchor(100), by(100, { agreed: true })],
      /^A success worth 20\.00 USDC for a \w+ known client/,
    ],
    [
      "success-partner-full",
      many(4, (n) => by(100, { id: `${n}` })),
      /a returning client: this client's jobs already count as much/,
    ],
    ["success-claims-full", many(7, (n) => claim(n)), /unconfirmed jobs already count as much/],
    ["success-open-full", many(30, (n) => by(n, old)), /without more work for known clients/],
    [
      "success-tenure-full",
      Array.from({ length: 14 }, (_, n) => [anchor(n + 100), by(n + 100, { agreed: true })]).flat(),
      /for an agent this young, no more/,
    ],
    ["failure", [by(100, { verdict: "FAILURE" })], /3 times while fresh/],
    ["failure", [claim(100, { verdict: "FAILURE" })], /of 2\.00 USDC .* It has no extra weight/],
    [
      "failure-reported",
      [by(100), by(101, reportedFailure)],
      /A failure of 20.00 USDC that the client reported counts from 2026-11-23, unless/,
    ],
    [
      "failure-matured",
      [by(101, { ...reportedFailure, resolvedAt: NOW - 3 * DAY_SECONDS })],
      /A reported failure of 20.00 USDC counts against the agent: its 3 days of grace are over/,
    ],
    ["failure", [anchor(100), by(100, reportedFailure)], /3 times while fresh/],
    [
      "dispute-confirmed-failure",
      [by(100, reportedFailure), dispute(100, "REQUESTER_WINS")],
      /counts at once/,
    ],
    [
      "dispute-upheld",
      [by(100, { verdict: "FAILURE" }), dispute(100, "REQUESTER_WINS")],
      /did not change/,
    ],
    ["refund", [by(100, reportedFailure), refund(100)], /returned the payment/],
    ["refund", [by(100), refund(100)], /no longer counts/],
    ["refund", [refund(100), by(100)], /returned the payment/],
    ["weightless-self", [by(1)], /for oneself/],
    ["weightless-value", [claim(100, { valueMicro: 0 })], /no value/],
    [
      "weightless-stranger",
      [claim(100, { verdict: "FAILURE", submittedBy: "requester" })],
      /lowers neither the score nor the rates/,
    ],
    ["weightless-unsure", [by(100, { confPpm: 500_000 })], /was not assessed/],
    ["dispute-made-failure", [by(100), dispute(100, "REQUESTER_WINS")], /counts 2 times/],
    [
      "dispute-took-success",
      [claim(100, { submittedBy: "requester" }), dispute(100, "REQUESTER_WINS")],
      /no longer counts for or against/,
    ],
    [
      "dispute-made-success",
      [by(100, { verdict: "FAILURE" }), dispute(100, "CONTRACTOR_WINS")],
      /this failure into a success/,
    ],
    ["dispute-upheld", [by(100), dispute(100, "CONTRACTOR_WINS")], /did not change/],
    [
      "dispute-unassessed",
      [by(100, { verdict: "FAILURE" }), dispute(100, "CONTRACTOR_WINS", false)],
      /overturned without assessing the work, so it has no weight/,
    ],
    ["dispute-unassessed", [by(100), dispute(100, "REQUESTER_WINS", false)], /no weight/],
    ["dispute-unassessed", [dispute(100, "REQUESTER_WINS", false), by(100)], /no weight/],
    [
      "anchor-added",
      [
        by(100, { agreed: true }),
        by(100, { id: "x", agreed: true }),
        by(100, { id: "y" }),
        anchor(100),
      ],
      /2 jobs for it count/,
    ],
    [
      "anchor-revoked",
      [anchor(100), by(100, { agreed: true }), { type: "anchor-revoked", anchorSeq: 1 }],
      /no longer a known client: one job for it no longer counts/,
    ],
    [
      "takeover",
      [by(100, { proven: false }), { type: "takeover", wallet: WALLET, at: NOW }],
      /one job that it submitted weighs nothing/,
    ],
  ];
  test.each(cases)("%s", (rule, log, words) => {
    expect(changeOf(log)).toMatchObject({ rule, sentence: expect.stringMatching(words) });
  });

  test("recognizes an outcome submitted by a registration that had already ended", () => {
    const log: LedgerRecord[] = [
      { type: "takeover", wallet: WALLET, at: NOW },
      by(100, { proven: false }),
    ];
    expect(changeOf(log).rule).toBe("weightless-squatter");
  });

  test("is `days` if nothing else happened", () => {
    const ledger = [by(100)];
    const after = computeScore(ledger, WALLET, NOW + 30 * DAY_SECONDS);
    const now = NOW + 30 * DAY_SECONDS;
    const found = createScoreChange({
      ledger,
      wallet: WALLET,
      seq: null,
      now,
      after,
      previousScoreE4: 7,
      previousAt: NOW,
    });
    expect(found).toMatchObject({ rule: "days", effectE4: 0, daysE4: after.scoreE4 - 7 });
  });
});

describe("the score change of days alone", () => {
  const reported = (requester: number, daysAgo: number) =>
    by(requester, { ...reportedFailure, resolvedAt: NOW - daysAgo * DAY_SECONDS });
  const old = by(100, { resolvedAt: NOW - 40 * DAY_SECONDS });

  /** Returns the score change for the days since `daysAgo`, without a new record. */
  function ofDays(ledger: LedgerRecord[], daysAgo: number) {
    const previousAt = NOW - daysAgo * DAY_SECONDS;
    const previousScoreE4 = computeScore(ledger, WALLET, previousAt).scoreE4;
    const after = computeScore(ledger, WALLET, NOW);
    const found = createScoreChange({
      ledger,
      wallet: WALLET,
      seq: null,
      now: NOW,
      after,
      previousScoreE4,
      previousAt,
    });
    return { ...found, sentence: describeScoreChange(found) };
  }

  test("names the reported failure whose grace period ended", () => {
    for (const daysAgo of [1, 2, 3]) {
      const found = ofDays([old, reported(101, 3)], daysAgo);
      expect(found).toMatchObject({
        rule: "failure-matured",
        effectE4: 0,
        sentence: expect.stringMatching(/^A reported failure of 20.00 USDC counts/),
      });
      expect(found.daysE4).toBeLessThan(-50_000);
    }
  });

  test("counts several of them", () => {
    const { sentence } = ofDays([old, reported(101, 3), reported(102, 4), reported(103, 2)], 2);
    expect(sentence).toMatch(/^2 reported failures count/);
  });

  test("names no failure in its grace, none that counted before, and none that is void", () => {
    expect(ofDays([old, reported(101, 2)], 1).rule).toBe("days");
    expect(ofDays([old, reported(101, 4)], 1).rule).toBe("days");
    expect(ofDays([old, reported(101, 3), refund(101)], 1).rule).toBe("days");
    expect(ofDays([old, reported(101, 3), dispute(101, "REQUESTER_WINS")], 1).rule).toBe("days");
  });
});

test("on any ledger a score change adds up, and its rule fits the record's effect", () => {
  fc.assert(
    fc.property(
      anyLedger,
      fc.nat(),
      fc.integer({ min: 0, max: 1_000_000 }),
      (log, pick, previous) => {
        // Revocations refer to anchors by number, so the other records are numbered after them.
        const ledger = log.map((record, n) => ({ ...record, seq: record.seq ?? 10_000 + n }));
        const record = ledger[pick % Math.max(1, ledger.length)];
        if (!record) return;
        const after = computeScore(ledger, AGENT, NOON);
        const before = computeScore(
          ledger.filter((one) => one !== record),
          AGENT,
          NOON,
        );
        const { seq } = record;
        const found = createScoreChange({
          ledger,
          wallet: AGENT,
          seq,
          now: NOON,
          after,
          previousScoreE4: previous,
          previousAt: NOON,
        });
        expect(previous + found.daysE4 + found.effectE4).toBe(after.scoreE4);
        expect(found.effectE4).toBe(after.scoreE4 - before.scoreE4);
        const { rule } = found;
        if (rule.startsWith("success")) expect(found.effectE4).toBeGreaterThanOrEqual(0);
        if (rule === "failure-reported") expect(found.effectE4).toBe(0);
        if (rule === "failure" || rule === "failure-matured")
          expect(found.effectE4).toBeLessThanOrEqual(0);
        if (rule.startsWith("weightless")) expect(found.effectE4).toBe(0);
        if (rule === "dispute-upheld") expect(found.effectE4).toBe(0);
        if (rule === "dispute-made-failure") expect(found.effectE4).toBeLessThanOrEqual(0);
        expect(describeScoreChange(found)).toMatch(/^[A-Z].*\.$/);
      },
    ),
    { numRuns: 500 },
  );
});

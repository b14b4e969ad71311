import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { LedgerRecord, OutcomeRecord } from "@/server/chain/registry/ledger";
import { toScoreRecord } from "./public-reputation";
import { computeScore } from "./score";

const VECTORS: {
  name: string;
  wallet: string;
  now: number;
  log: LedgerRecord[];
  expected: unknown;
}[] = JSON.parse(readFileSync(new URL("../vectors.json", import.meta.url), "utf8"));

describe("the worked examples of the policy", () => {
  test.each(VECTORS)("$name", ({ wallet, now, log, expected }) => {
    expect(toScoreRecord(computeScore(log, wallet, now))).toEqual(expected);
  });
});

const NOON = 1_728_043_200;

function outcome(change: Partial<OutcomeRecord> = {}): OutcomeRecord {
  return {
    type: "outcome",
    id: "o1",
    contractor: "A",
    requester: "r1",
    category: "ops",
    valueMicro: 20_000_000,
    paidMicro: 20_000_000,
    submittedBy: "contractor",
    proven: true,
    agreed: false,
    verdict: "SUCCESS",
    confPpm: 950_000,
    resolvedAt: NOON - 3600,
    ...change,
  };
}

describe("cases beyond the worked examples", () => {
  test("a job for oneself counts as an outcome and weighs nothing", () => {
    const score = computeScore([outcome({ requester: "A" })], "A", NOON);
    expect(score).toMatchObject({ totalOutcomes: 1, scoreE4: 0, tier: "NEWCOMER" });
    expect(score.categoryScoresE4).toEqual({ ops: 0 });
  });

  test("an outcome of a later day is excluded, one later the same day counts", () => {
    const log = [outcome({ resolvedAt: NOON + 3600 })];
    expect(computeScore(log, "A", NOON).totalOutcomes).toBe(1);
    expect(computeScore(log, "A", NOON - 86_400).totalOutcomes).toBe(0);
  });

  test("a payment above the value counts as the value, one below as the payment", () => {
    const scoreOf = (valueMicro: number, paidMicro: number) =>
      computeScore([outcome({ valueMicro, paidMicro })], "A", NOON).scoreE4;
    expect(scoreOf(2_000_000, 50_000_000)).toBe(scoreOf(2_000_000, 2_000_000));
    expect(scoreOf(50_000_000, 2_000_000)).toBe(scoreOf(2_000_000, 2_000_000));
  });

  test("a takeover in the same second as the outcome is not after it", () => {
    const at = NOON - 3600;
    const log = [outcome({ proven: false, paidMicro: 0 })];
    const scoreAt = (time: number) =>
      computeScore([...log, { type: "takeover", wallet: "A", at: time }], "A", NOON).scoreE4;
    expect(scoreAt(at)).toBeGreaterThan(0);
    expect(scoreAt(at + 1)).toBe(0);
  });

  test("the last of several takeovers of a wallet counts, in any order", () => {
    const takeovers = [NOON - 7200, NOON].map((at) => ({
      type: "takeover" as const,
      wallet: "A",
      at,
    }));
    const claim = outcome({ proven: false, paidMicro: 0 });
    for (const ordered of [takeovers, takeovers.toReversed()]) {
      expect(computeScore([claim, ...ordered], "A", NOON).scoreE4).toBe(0);
    }
  });

  test("open evidence is capped at the anchored amount if that is above its cap", () => {
    const partners = (
      count: number,
      verdict: OutcomeRecord["verdict"],
      prefix: string,
      agreed = false,
    ) =>
      Array.from({ length: count * 3 }, (_, index) =>
        outcome({
          id: `${prefix}${index}`,
          requester: `${prefix}${index % count}`,
          agreed,
          verdict,
        }),
      );
    const log: LedgerRecord[] = [
      ...partners(7, "SUCCESS", "a", true),
      ...partners(20, "FAILURE", "p"),
      ...Array.from({ length: 7 }, (_, index): LedgerRecord => {
        return { type: "anchor", seq: index, wallet: `a${index}`, from: 0, until: null };
      }),
    ];
    const { breakdown } = computeScore(log, "A", NOON);
    expect(breakdown).toMatchObject({ anchored: [14, 0], paid: [0, 40], quality: 0.5 });
  });

  test("an anchor is valid from its first second until before its last", () => {
    const at = NOON - 3600;
    const anchored = (from: number, until: number | null) =>
      computeScore(
        [outcome({ agreed: true }), { type: "anchor", seq: 1, wallet: "r1", from, until }],
        "A",
        NOON,
      ).breakdown.anchored[0] > 0;
    expect(anchored(at, null)).toBe(true);
    expect(anchored(at + 1, null)).toBe(false);
    expect(anchored(at, at + 1)).toBe(true);
    expect(anchored(0, at)).toBe(false);
  });

  test("records may carry further fields, and a category may have any name", () => {
    const log = [{ ...outcome(), seq: 7, evidenceHash: "0x00", policy: "qc-4" }];
    expect(computeScore(log, "A", NOON)).toEqual(computeScore([outcome()], "A", NOON));
  });
});

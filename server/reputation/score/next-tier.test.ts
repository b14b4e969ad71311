import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LedgerRecord, OutcomeRecord } from "@/server/chain/registry/ledger";
import { TIERS } from "@/server/lib/schema";
import { DAY_SECONDS } from "@/server/lib/time";
import { AGENT, anyLedger, NOON } from "@/server/testing/fixtures/random-ledger";
import { createPaidOutcome, createWallet } from "@/server/testing/fixtures/sample-ledger";
import { findNextTier } from "./next-tier";
import { computeScore } from "./score";

const WALLET = createWallet(1);
const NOW = Date.parse("2026-11-20T18:00:00Z") / 1000;

/** Returns the ledger that a way describes: the first job today, the others on the day itself. */
function withWay(
  log: LedgerRecord[],
  wallet: string,
  now: number,
  way: { by: string; successes: number; days: number },
): LedgerRecord[] {
  const jobs = Array.from(
    { length: way.successes },
    (_, n): OutcomeRecord => ({
      ...createPaidOutcome(0),
      id: `further ${n}`,
      contractor: wallet,
      requester: `further ${n}`,
      valueMicro: 10_000_000,
      paidMicro: way.by === "claimed" ? 0 : 10_000_000,
      agreed: way.by === "anchored",
      resolvedAt: n === 0 ? now : now + way.days * DAY_SECONDS,
    }),
  );
  const anchors = jobs.map(({ requester }, n): LedgerRecord => {
    return { type: "anchor", seq: 1_000_000 + n, wallet: requester, from: 0, until: null };
  });
  return [...log, ...jobs, ...(way.by === "anchored" ? anchors : [])];
}

const rank = (log: LedgerRecord[], wallet: string, now: number) =>
  TIERS.indexOf(computeScore(log, wallet, now).tier);

test("on any ledger each way leads to a higher tier, and one job fewer does not", () => {
  fc.assert(
    fc.property(anyLedger, (log) => {
      const present = rank(log, AGENT, NOON);
      const next = findNextTier(log, AGENT, NOON);
      expect(next?.tier).toBe(TIERS[present + 1]);
      for (const way of next?.ways ?? []) {
        const then = NOON + way.days * DAY_SECONDS;
        // Records of later days do not exist yet today.
        const known = log.filter(
          (record) =>
            record.type !== "outcome" ||
            Math.floor(record.resolvedAt / DAY_SECONDS) <= Math.floor(NOON / DAY_SECONDS),
        );
        expect(
          rank(withWay(known, AGENT, NOON, way), AGENT, then),
          JSON.stringify(way),
        ).toBeGreaterThan(present);
        const less = { ...way, successes: way.successes - 1 };
        if (way.by === "time") continue;
        expect(rank(withWay(known, AGENT, NOON, less), AGENT, then), JSON.stringify(less)).toBe(
          present,
        );
      }
    }),
    { numRuns: 60 },
  );
}, 120_000);

describe("the next tier", () => {
  test("takes one outcome of any kind for a wallet without outcomes", () => {
    expect(findNextTier([], WALLET, NOW)).toMatchObject({
      tier: "NEWCOMER",
      assumes: { valueUsdc: 10, confidence: 0.95 },
      ways: [
        { by: "anchored", successes: 1, days: 0 },
        { by: "paid", successes: 1, days: 0 },
        { by: "claimed", successes: 1, days: 0 },
      ],
    });
  });

  test("respects the ceilings of unconfirmed and of paid evidence", () => {
    const first = findNextTier([createPaidOutcome(1)], WALLET, NOW);
    // No payment alone leads to a tier above the first.
    expect([first?.tier, first?.ways.map(({ by }) => by)]).toEqual(["TRUSTED", ["anchored"]]);
  });

  test("takes time if tenure is too short", () => {
    const anchored = Array.from({ length: 14 }, (_, n): LedgerRecord[] => [
      { type: "anchor", seq: n + 1, wallet: createWallet(n + 100), from: 0, until: null },
      createPaidOutcome(n + 100, {
        requester: createWallet(n + 100),
        agreed: true,
        resolvedAt: NOW,
      }),
    ]).flat();
    const [way] = findNextTier(anchored, WALLET, NOW)?.ways ?? [];
    expect(way).toMatchObject({ by: "anchored", days: 14 });
  });

  test("is null for the highest tier", () => {
    const best = Array.from({ length: 300 }, (_, n): LedgerRecord[] => [
      { type: "anchor", seq: n + 1, wallet: createWallet(n + 100), from: 0, until: null },
      createPaidOutcome(n + 100, {
        requester: createWallet(n + 100),
        agreed: true,
        resolvedAt: NOW - 120 * DAY_SECONDS,
      }),
    ]).flat();
    expect(computeScore(best, WALLET, NOW).tier).toBe("ELITE");
    expect(findNextTier(best, WALLET, NOW)).toBeNull();
  });
});

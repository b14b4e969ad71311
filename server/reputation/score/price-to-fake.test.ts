import fc from "fast-check";
import { expect, test } from "vitest";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { DAY_SECONDS } from "@/server/lib/time";
import { CEILINGS } from "@/server/reputation/policy";
import { createPaidOutcome, createWallet } from "@/server/testing/fixtures/sample-ledger";
import { computePriceToFake } from "./price-to-fake";
import { computeScore } from "./score";

const NOW = Date.parse("2026-11-20T18:00:00Z") / 1000;

/** Returns the score of a ledger with exactly this evidence, `days` after its first success. */
function scoreWith({ claimed = 0, paid = 0, anchored = 0, days = 0 }): number {
  const log: LedgerRecord[] = [];
  const addClients = (count: number, offset: number, paidMicro: number) => {
    for (let client = 0; client < count; client += 1) {
      for (let job = 0; job < (paidMicro > 0 ? 3 : 5); job += 1) {
        const requester = createWallet(offset + client);
        const id = log.length;
        const agreed = offset === 3_000;
        log.push(
          createPaidOutcome(id, {
            requester,
            paidMicro,
            agreed,
            valueMicro: 10_000_000,
            resolvedAt: NOW,
          }),
        );
      }
    }
  };
  addClients(claimed, 1_000, 0);
  addClients(paid, 2_000, 10_000_000);
  addClients(anchored, 3_000, 10_000_000);
  for (let client = 0; client < anchored; client += 1) {
    const wallet = createWallet(3_000 + client);
    log.push({ type: "anchor", seq: client, wallet, from: 0, until: null });
  }
  // Starts the tenure without adding evidence that matters.
  log.push(
    createPaidOutcome(9_999, {
      requester: createWallet(9_999),
      valueMicro: 1,
      paidMicro: 1_000,
      resolvedAt: NOW - days * DAY_SECONDS,
    }),
  );
  return computeScore(log, createWallet(1), NOW).scoreE4 / 10_000;
}

test("the evidence of the price reaches the score, and one client or day less does not", () => {
  const anyPoints = fc.integer({ min: 4_200, max: 9_700 }).map((hundredths) => hundredths / 100);
  fc.assert(
    fc.property(anyPoints, (points) => {
      const price = computePriceToFake(points);
      if (!price) throw new Error("no price");
      const { claimed, paid, anchored, days } = price;
      const wallets = { claimed: claimed.wallets, paid: paid.wallets, anchored: anchored.wallets };
      expect(scoreWith({ ...wallets, days })).toBeGreaterThanOrEqual(points - 0.01);
      const [scarce] = (["anchored", "paid", "claimed"] as const).filter(
        (kind) => wallets[kind] > 0,
      );
      if (!scarce) throw new Error("no evidence");
      const fewer = { ...wallets, [scarce]: wallets[scarce] - 1 };
      expect(scoreWith({ ...fewer, days })).toBeLessThan(points);
      if (days > 0) expect(scoreWith({ ...wallets, days: days - 1 })).toBeLessThan(points);
    }),
  );
});

test("claims suffice below their ceiling, and anchors are needed above theirs", () => {
  expect(computePriceToFake(CEILINGS.claimedOnly)).toMatchObject({
    claimed: { units: 3, wallets: 2 },
    paid: { units: 0, wallets: 0, jobs: 0, usdc: 0 },
    anchored: { wallets: 0 },
    days: 0,
  });
  expect(computePriceToFake(CEILINGS.withoutAnchor)).toMatchObject({
    goodUnits: 5.5,
    paid: { units: 2.5, wallets: 2, jobs: 4, usdc: 10 },
    anchored: { wallets: 0 },
    days: 0,
  });
  expect(computePriceToFake(95)).toMatchObject({
    goodUnits: 57,
    anchored: { units: 51.5, wallets: 26, jobs: 77, usdc: 770 },
    days: 94,
  });
});

test("one coin pays for every job, so only the largest payment of the record counts", () => {
  const readUsdc = (largest: number) => computePriceToFake(60, largest)?.paid;
  expect(readUsdc(1)).toMatchObject({ jobs: 2, usdc: 1 });
  expect(readUsdc(500)).toMatchObject({ jobs: 2, usdc: 20 });
});

test("there is no price for a score of 0 or 100", () => {
  expect(computePriceToFake(0)).toBeNull();
  expect(computePriceToFake(100)).toBeNull();
});

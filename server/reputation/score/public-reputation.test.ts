import fc from "fast-check";
import { expect, test } from "vitest";
import { TIERS } from "@/server/lib/schema";
import { reputation } from "@/server/reputation/schema";
import { createWallet } from "@/server/testing/fixtures/sample-ledger";
import { createUnranked, toPublicReputation } from "./public-reputation";

// The procedures that read reputations do not validate their output: it is valid by construction.

const rate = fc.integer({ min: 0, max: 10_000 });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const evidence = fc.tuple(fraction, fraction);
const scoreE4 = fc.integer({ min: 0, max: 1_000_000 });
const time = fc.date({
  min: new Date("2000-01-01T00:00:00Z"),
  max: new Date("2100-01-01T00:00:00Z"),
  noInvalidDate: true,
});

const row = fc.record({
  wallet: fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }).map((n) => createWallet(Number(n))),
  scoreE4,
  breakdown: fc.record({
    quality: fraction,
    confidence: fraction,
    good: fraction,
    tenureCapacity: fraction,
    claimed: evidence,
    paid: evidence,
    anchored: evidence,
  }),
  tier: fc.constantFrom(...TIERS),
  totalOutcomes: fc.nat(),
  confirmedOutcomes: fc.nat(),
  assessedOutcomes: fc.nat(),
  successRateE4: rate,
  assessedSuccessRateE4: fc.option(rate),
  disputeRateE4: rate,
  categoryScoresE4: fc.dictionary(fc.constantFrom("ops", "legal", "research"), scoreE4),
  scoreDay: time.map((day) => day.toISOString().slice(0, 10)),
  // Postgres's time format, which the shared pool returns.
  lastUpdated: fc.oneof(
    time,
    time.map((at) => at.toISOString().replace("T", " ").replace("Z", "+00")),
  ),
});

test("the record of any row fits the schema of a reputation", () => {
  fc.assert(
    fc.property(row, (stored) => {
      const published = toPublicReputation(stored);
      expect(reputation.parse(published)).toEqual(published);
      expect(Date.parse(published.lastUpdated ?? "")).toBe(
        Date.parse(
          String(
            stored.lastUpdated instanceof Date
              ? stored.lastUpdated.toISOString()
              : stored.lastUpdated,
          ),
        ),
      );
    }),
  );
});

test("the record of a wallet without outcomes fits it too, at any time", () => {
  fc.assert(
    fc.property(time, (now) => {
      const published = createUnranked(createWallet(1), now);
      expect(reputation.parse(published)).toEqual(published);
    }),
  );
});

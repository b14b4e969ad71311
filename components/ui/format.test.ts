import fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatAgo,
  formatAmount,
  formatCompact,
  formatDateTime,
  formatFactors,
  formatPercent,
  formatRank,
  formatScore,
  formatSeconds,
  formatSuccessRate,
  formatTimeLeft,
  formatUsdc,
  formatValue,
  withArticle,
} from "./format";

test("USDC amounts have two decimals, and up to six if needed", () => {
  expect(formatUsdc(0.5)).toBe("0.50 USDC");
  expect(formatUsdc(1250)).toBe("1,250.00 USDC");
  expect(formatUsdc(0.000001)).toBe("0.000001 USDC");
});

test("amounts read as those of Intl, with a minus instead of a hyphen", () => {
  const format = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });
  const amounts = fc.integer({ min: -1e15, max: 1e15 }).map((millionths) => millionths / 1e6);
  const expected = (amount: number) => format.format(amount).replace("-", "−");
  fc.assert(fc.property(amounts, (amount) => formatAmount(amount) === expected(amount)));
});

test("large numbers are shortened on axes", () => {
  expect([0, 850, 1_200, 35_000, 1_500_000].map(formatCompact)).toEqual([
    "0",
    "850",
    "1.2K",
    "35K",
    "1.5M",
  ]);
});

test("only a perfect success rate is 100.0%", () => {
  const rates = [0.9048, 0.97, 0.99999, 1, null].map((rate) => formatSuccessRate(rate));
  expect(rates).toEqual(["90.5%", "97.0%", "99.9%", "100.0%", "Not assessed"]);
  expect(formatSuccessRate(0.5, 4, 5)).toBe("50.0% of 4 assessed");
  expect(formatSuccessRate(0.5, 4, 4)).toBe("50.0%");
});

test("only a whole is 100%, whatever the decimals", () => {
  expect([0.5, 0.9996, 1, 1.5].map((share) => formatPercent(share))).toEqual([
    "50%",
    "99.9%",
    "100%",
    "150%",
  ]);
  expect([0.9965, 0.99999].map((share) => formatPercent(share, 2))).toEqual(["99.65%", "99.99%"]);
});

test("quality and confidence multiply to the score, which is rounded down", () => {
  expect(formatFactors(1, 0.286973, 28.69)).toEqual(["100%", "28.69%"]);
  expect(formatFactors(0, 0.4, 0)).toEqual(["0%", "40%"]);
  const fraction = fc.double({ min: 0.01, max: 0.999, noNaN: true });
  fc.assert(
    fc.property(fraction, fraction, (quality, confidence) => {
      const score = Math.floor(quality * confidence * 10_000) / 100;
      const [a = 0, b = 0] = formatFactors(quality, confidence, score).map(Number.parseFloat);
      expect(Math.abs((a * b) / 100 - score)).toBeLessThanOrEqual(0.005 + 1e-9);
    }),
  );
});

test("scores have two decimals, seconds one", () => {
  expect([76.2, 0, 100].map(formatScore)).toEqual(["76.20", "0.00", "100.00"]);
  expect([40, 12_340].map(formatSeconds)).toEqual(["less than 0.1 s", "12.3 s"]);
});

test("times are UTC, on a clock of twelve hours", () => {
  const times = ["2026-11-22T00:05:59Z", "2026-01-01T12:00:00Z", "2026-06-30T23:59:00-04:00"];
  expect(times.map(formatDateTime)).toEqual([
    "Nov 22, 2026, 12:05 AM UTC",
    "Jan 1, 2026, 12:00 PM UTC",
    "Jul 1, 2026, 3:59 AM UTC",
  ]);
});

test("ages count months and years instead of calling them the last ones", () => {
  const now = "2026-11-22T12:00:00.000Z";
  const starts = ["2026-11-22T11:59:30Z", "2026-11-21T11:00:00Z", "2026-10-20T12:00:00Z"];
  expect(starts.map((at) => formatAgo(at, now))).toEqual(["just now", "yesterday", "1 month ago"]);
  expect(formatAgo("2025-11-01T12:00:00Z", now)).toBe("1 year ago");
});

test("a time and its day have the same age in days", () => {
  const now = "2026-11-27T17:00:00Z";
  for (const at of ["2026-11-25T17:39:35Z", "2026-11-25"])
    expect(formatAgo(at, now)).toBe("2 days ago");
  expect(formatAgo("2026-11-26T17:30:00Z", now)).toBe("23 hours ago");
});

test.each([
  [7 * 86_400_000 - 5, "7 days left"],
  [2 * 86_400_000 - 5, "1 day left"],
  [86_399_000, "23 hours left"],
  [119_000, "1 minute left"],
  [900, "0 seconds left"],
])("names the largest unit of %d ms until a deadline", (ms, text) => {
  expect(formatTimeLeft(ms)).toBe(text);
});

test("a value has both decimals or none", () => {
  expect([3557, 641.5].map(formatValue)).toEqual(["3,557 USDC", "641.50 USDC"]);
});

test("a score of zero has no place", () => {
  expect([formatRank(3, 12.5), formatRank(3, 0), formatRank(null, 12.5)]).toEqual(["#3", "–", "–"]);
});

test("categories take the article that matches their sound", () => {
  expect(["ops", "infra", "legal", "code-review"].map(withArticle)).toEqual([
    "an ops",
    "an infra",
    "a legal",
    "a code-review",
  ]);
});

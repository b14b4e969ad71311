import { describe, expect, test } from "vitest";
import { CEILINGS } from "@/server/reputation/policy";
import { createWeightCharts, type HypotheticalAgent, simulate } from "./simulate";

const agent = (change: Partial<HypotheticalAgent>) =>
  simulate({ successes: 12, paying: 3, claiming: 3, firstDaysAgo: 60, ...change });

describe("a hypothetical agent", () => {
  test("respects the ceilings of unconfirmed and of paid evidence; anchors exceed them", () => {
    const many = { successes: 400, firstDaysAgo: 900, valueUsdc: 10_000, judgeConfidence: 1 };
    expect(agent({ ...many, claiming: 60, paying: 0 }).score).toBeLessThanOrEqual(
      CEILINGS.claimedOnly,
    );
    const ring = agent({ ...many, claiming: 0, paying: 60 });
    expect(ring.score).toBeLessThanOrEqual(CEILINGS.withoutAnchor);
    expect(ring.score).toBeGreaterThan(CEILINGS.withoutAnchor - 5);
    expect(agent({ ...many, claiming: 0, paying: 0, anchored: 60 }).tier).toBe("ELITE");
  });

  test("respects the ceiling of one requester", () => {
    const one = agent({ successes: 400, paying: 1, claiming: 0, firstDaysAgo: 900 });
    expect(one.score).toBeLessThanOrEqual(CEILINGS.oneRequester);
  });

  test("a fresh failure costs more than an old one", () => {
    const fresh = agent({ failures: 2, failedDaysAgo: 0 });
    const old = agent({ failures: 2, failedDaysAgo: 200 });
    const none = agent({});
    expect(fresh.score).toBeLessThan(old.score);
    expect(old.score).toBeLessThan(none.score);
  });

  test("a reported failure costs nothing in its days of grace, then less than another", () => {
    const at = (failedDaysAgo: number) => agent({ reported: 4, failedDaysAgo }).score;
    const none = agent({}).score;
    expect([at(0), at(2)]).toEqual([none, none]);
    expect(at(3)).toBeLessThan(none);
    expect(at(3)).toBeGreaterThan(agent({ failures: 4, failedDaysAgo: 3 }).score);
  });

  test("an agent without jobs is unranked", () => {
    expect(agent({ successes: 0 })).toMatchObject({ score: 0, tier: "UNRANKED" });
  });
});

test("the charts show the numbers of the formula", () => {
  const { byValue, byConfidence, byAge } = createWeightCharts();
  expect(byValue.find(({ valueUsdc }) => valueUsdc === 2)?.weight).toBe(0.5);
  expect(byConfidence.find(({ confidence }) => confidence === 0.5)?.weight).toBe(0);
  expect(byConfidence.at(-1)?.weight).toBe(1);
  expect(byAge[0]).toEqual({ days: 0, weight: 1 });
  expect(byAge.find(({ days }) => days === 180)?.weight).toBe(0.5);
});

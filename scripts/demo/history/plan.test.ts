import { describe, expect, test } from "vitest";
import { TIERS } from "@/server/lib/schema";
import { DAY_SECONDS } from "@/server/lib/time";
import { computeScore } from "@/server/reputation/score/score";
import texts from "./jobs.json";
import { DAYS, planHistory } from "./plan";
import type { PlannedDispute, PlannedOutcome } from "./planned-events";
import { buildLedger } from "./testing/build-ledger";

const NOW = Date.parse("2026-11-21T10:30:00Z") / 1_000;
/** The default seed and some others. */
const SEEDS = [1, 2, 3, 4_711];

const simulate = (seed: number) => {
  const plan = planHistory({ seed, now: NOW });
  const ledger = buildLedger(plan);
  const getScore = (wallet: string, now = NOW) =>
    computeScore(
      ledger.filter((record) => record.type !== "outcome" || record.resolvedAt <= now),
      wallet,
      now,
    );
  const outcomes = plan.events.filter((event): event is PlannedOutcome => event.type === "outcome");
  const disputes = plan.events.filter((event): event is PlannedDispute => event.type === "dispute");
  return { plan, ledger, outcomes, disputes, getScore };
};

test("returns the same history for the same seed and time, and another for another seed", () => {
  const plan = planHistory({ seed: 1, now: NOW });
  expect(planHistory({ seed: 1, now: NOW })).toEqual(plan);
  const other = planHistory({ seed: 2, now: NOW });
  const wallets = new Set(plan.agents.map(({ wallet }) => wallet));
  expect(other.agents.some(({ wallet }) => wallets.has(wallet))).toBe(false);
});

describe.each(SEEDS)("the history of seed %i", (seed) => {
  const { plan, outcomes, disputes, getScore } = simulate(seed);
  const findByRole = (role: string) => plan.agents.filter((agent) => agent.role === role);

  test("has agents of every tier and outcomes of every category with texts", () => {
    const tiers = plan.agents.map(({ wallet }) => getScore(wallet).tier);
    expect([...new Set(tiers)].sort()).toEqual([...TIERS].sort());
    expect(new Set(outcomes.map(({ category }) => category))).toEqual(
      new Set(Object.keys(texts.trades)),
    );
    expect(outcomes.length).toBeGreaterThan(2_000);
    expect(outcomes.every(({ title }) => /^[A-Z][^#]{8,79}$/.test(title))).toBe(true);
  });

  test("has disputes by both parties, with and without a response, won and lost", () => {
    const kinds = disputes.map(({ openedBy, verdict }) => `${openedBy}: ${verdict}`);
    expect(new Set(kinds)).toEqual(
      new Set([
        "contractor: CONTRACTOR_WINS",
        "contractor: REQUESTER_WINS",
        "requester: CONTRACTOR_WINS",
        "requester: REQUESTER_WINS",
      ]),
    );
    expect(new Set(disputes.map(({ answer }) => answer === null))).toEqual(new Set([true, false]));
  });

  test("has an exit scam that scores above 85 before and ten points less at the end", () => {
    const [scam] = findByRole("scam");
    const before = getScore(scam?.wallet ?? "", NOW - 20 * DAY_SECONDS).scoreE4;
    expect(before).toBeGreaterThan(850_000);
    expect(getScore(scam?.wallet ?? "").scoreE4).toBeLessThan(before - 100_000);
  });

  test("has a ring whose members only hire each other and score below 80", () => {
    const ring = new Set(findByRole("ring").map(({ wallet }) => wallet));
    for (const { contractor, requester } of outcomes) {
      if (ring.has(contractor) || ring.has(requester)) {
        expect([ring.has(contractor), ring.has(requester)]).toEqual([true, true]);
      }
    }
    for (const wallet of ring) expect(getScore(wallet).scoreE4).toBeLessThan(800_000);
  });

  test("has one anchor that was revoked and one that expired", () => {
    const anchors = plan.events.filter(({ type }) => type === "anchor");
    expect(anchors.length).toBeGreaterThan(30);
    expect(plan.events.filter(({ type }) => type === "anchor-revoked")).toHaveLength(1);
    expect(
      anchors.filter((event) => event.type === "anchor" && event.until && event.until < NOW),
    ).toHaveLength(1);
  });

  test("has its events in the half-year before its end, each after those it refers to", () => {
    const known = new Set<string>();
    let last = 0;
    for (const event of plan.events) {
      expect(event.at).toBeGreaterThanOrEqual(last);
      expect(event.at).toBeLessThanOrEqual(NOW);
      expect(event.at).toBeGreaterThan(NOW - (DAYS + 1) * DAY_SECONDS);
      if (event.type === "dispute") expect(known).toContain(event.outcomeId);
      else if (event.type === "anchor-revoked") expect(known).toContain(event.anchorId);
      if ("id" in event) known.add(event.id);
      last = event.at;
    }
    expect(known.size).toBe(plan.events.filter((event) => "id" in event).length);
  });

  test("has no outcome before its parties are registered, and none within one agent", () => {
    const registered = new Map(plan.agents.map((agent) => [agent.wallet, agent.registeredAt]));
    for (const { contractor, requester, submittedAt } of outcomes) {
      expect(registered.get(contractor)).toBeLessThan(submittedAt);
      expect(registered.get(requester)).toBeLessThan(submittedAt);
      expect(contractor).not.toBe(requester);
    }
  });
});

import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { EXAMPLE_PROFILE } from "@/server/explorer/profile-example";
import type { OutcomeEffects, ScoreMoves } from "@/server/explorer/schema";
import { explainScore } from "@/server/reputation/score/explain-score";
import { ScoreFigures } from "./account/overview";
import { LimitDetails } from "./agents/limit-details";
import { ScoreBreakdownTable } from "./agents/score-breakdown";
import { ScoreChanges } from "./agents/score-changes";
import { ScoreSummary } from "./agents/score-summary";
import { CompareTable } from "./compare/compare-table";
import { formatDuration } from "./disputes/describe-dispute";
import { ScoreEffect } from "./outcomes/score-effect";
import { ScoreLimits } from "./score/score-rules";
import { Points } from "./ui/points";

/** Lists which surfaces lack a text. */
const findLacking = (surfaces: Record<string, string>, text: string) =>
  Object.entries(surfaces).flatMap(([name, html]) => (html.includes(text) ? [] : [name]));

const render = <P extends object>(component: FunctionComponent<P>, props: P) =>
  renderToStaticMarkup(createElement(component, props));

describe("one figure reads the same on every page", () => {
  const reputation = { ...EXAMPLE_PROFILE.reputation, score: 76.2, assessedSuccessRate: 0.9965 };
  const breakdown = { ...EXAMPLE_PROFILE.breakdown, quality: 0.9965 } as never;
  const agent = { agent: EXAMPLE_PROFILE, simulated: false } as never;
  const profile = { ...EXAMPLE_PROFILE, reputation, ...(agent as object), prices: null } as never;
  const past = { prices: null, delivery: null };
  const now = "2026-11-22T12:00:00.000Z";

  test("score, success rate and clients of an agent", () => {
    const surfaces = {
      profile: render(ScoreSummary, { profile, past, monthChange: null }),
      dashboard: render(ScoreFigures, { profile }),
      compare: render(CompareTable, { agents: [profile], job: {}, now }),
    };
    expect(findLacking(surfaces, "76.20")).toEqual([]);
    expect(findLacking(surfaces, ">99.7%")).toEqual([]);
    const { dashboard: _, ...withClients } = surfaces;
    expect(findLacking(withClients, "Paying clients")).toEqual([]);
  });

  test("the factors of a score", () => {
    const part = { recorded: [1, 0], weighed: [1, 0], counted: 1 };
    const classes = { anchored: part, paid: part, claimed: part };
    const evidence = { total: part, classes } as never;
    const losses = { failures: 0.35, missing: 23.45 };
    const sum = render(ScoreBreakdownTable, { breakdown, evidence, score: 76.2, losses });
    expect(sum).toContain("99.65% quality");
    expect(sum).not.toContain("100%");
  });

  test.each([
    { previousScore: 60, score: 68.21, effect: 8.2049, shown: "+8.21" },
    { previousScore: 74, score: 72.1, effect: -1.89, shown: "−1.90" },
  ])("the points that a job moved a score are the difference of the scores: $shown", (of) => {
    const move = {
      ...{ at: now, version: 1, tier: "NEWCOMER", ...of },
      ...{ totalOutcomes: 1, cause: "outcome", outcomeId: "x", disputeId: null, seq: 1 },
      receipt: { rule: "success", facts: {}, sentence: "", effect: of.effect, days: 0.0051 },
    } as unknown as ScoreMoves[number] & OutcomeEffects["changes"][number];
    const surfaces = {
      outcome: render(ScoreEffect, { changes: [move] }),
      timeline: render(ScoreChanges, { moves: [move], isOfOutcome: true }),
      score: render(ScoreChanges, { moves: [move] }),
    };
    expect(findLacking(surfaces, of.shown)).toEqual([]);
  });

  test("the ceiling without known clients", () => {
    const ceiling = { score: 64.7, liftedBy: "anchor" } as const;
    const surfaces = {
      profile: explainScore({ ...reputation, score: 64.7, ceiling }, breakdown),
      newcomer: explainScore({ ...reputation, ceiling }, breakdown),
      rules: render(ScoreLimits, {}),
    };
    expect(findLacking(surfaces, "64.70")).toEqual([]);
  });

  test("what is taken off has a minus, not a hyphen", () => {
    const limit = { ...EXAMPLE_PROFILE.limit, failedUsdc: 5301, clients: [] };
    const surfaces = {
      limit: render(LimitDetails, { limit, recommendation: EXAMPLE_PROFILE.recommendation }),
      sum: render(Points, { points: -5301 }),
    };
    expect(surfaces.limit).toContain("−5,301 USDC");
    expect(Object.values(surfaces).join("")).not.toMatch(/>-\d/);
  });

  test("the days left", () => expect(formatDuration(7 * 86_400_000 - 1_000)).toBe("7 days"));
});

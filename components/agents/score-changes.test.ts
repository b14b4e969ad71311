import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ScoreMoves } from "@/server/explorer/schema";
import { describeScoreChange } from "@/server/reputation/score/describe-score-change";
import { ScoreChanges } from "./score-changes";

const fail = (version: number, valueUsdc: number): ScoreMoves[number] => ({
  at: "2026-11-20T12:00:00.000Z",
  version,
  score: 60,
  previousScore: 61,
  tier: "NEWCOMER",
  totalOutcomes: version,
  cause: "outcome",
  outcomeId: null,
  disputeId: null,
  seq: version,
  receipt: {
    rule: "failure",
    facts: { valueUsdc },
    sentence: describeScoreChange({ rule: "failure", facts: { valueUsdc } }),
    effect: -1,
    days: 0,
  } as unknown as ScoreMoves[number]["receipt"],
});

test("a rule is explained once, at the newest change by it", () => {
  const html = renderToStaticMarkup(
    createElement(ScoreChanges, { moves: [fail(2, 1_550), fail(1, 20)] }),
  );
  expect(html.match(/halves every/g)).toHaveLength(1);
  expect(html).toContain("A failure of 1,550.00 USDC counts against the agent<");
  expect(html).toContain("A failure of 20.00 USDC counts against the agent<");
});

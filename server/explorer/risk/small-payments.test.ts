import fc from "fast-check";
import { expect, test } from "vitest";
import type { LedgerRecord, OutcomeRecord } from "@/server/chain/registry/ledger";
import { DAY_SECONDS } from "@/server/lib/time";
import { collectFacts } from "@/server/reputation/score/ledger-facts";
import { computeLimit, toLimitRow } from "@/server/reputation/score/limit";
import { toPublishedScore } from "@/server/reputation/score/public-reputation";
import { computeScore } from "@/server/reputation/score/score";
import { toUtcDay, weighOutcome } from "@/server/reputation/score/weigh-outcome";
import { splitOutcomes } from "@/server/testing/fixtures/risk-facts";
import {
  createOutcomeId,
  createPaidOutcome,
  createWallet,
} from "@/server/testing/fixtures/sample-ledger";
import { scaleRuns } from "@/server/testing/scale-runs";
import { assessRisk } from "./assess-risk";
import { toRiskOutcome } from "./risk-outcome";
import { RISK_RULES } from "./rules";

const AGENT = createWallet(1);
const NOW = Date.parse("2026-11-20T18:00:00Z") / 1000;
const daysAgo = (days: number) => NOW - days * DAY_SECONDS;

/** Twenty jobs of 50 USDC for three to twenty clients, some of them anchors. */
const honestWork = fc
  .record({
    clients: fc.integer({ min: 3, max: 20 }),
    anchors: fc.nat(20),
    days: fc.array(fc.integer({ min: 5, max: 120 }), { minLength: 20, maxLength: 20 }),
  })
  .map(({ clients, anchors, days }): LedgerRecord[] => [
    ...days.map((age, n) =>
      createPaidOutcome(n, {
        requester: createWallet(100 + (n % clients)),
        valueMicro: 50_000_000,
        paidMicro: 50_000_000,
        resolvedAt: daysAgo(age),
      }),
    ),
    ...Array.from({ length: Math.min(anchors, clients) }, (_, n): LedgerRecord => {
      return { type: "anchor", seq: n + 1, wallet: createWallet(100 + n), from: 0, until: null };
    }),
  ]);

/** What strangers submit for payments of less than 20 USDC in all, and how they dispute it. */
const strangersWork = fc
  .array(
    fc.record({
      paidMicro: fc.constantFrom(0, 1, 499_999, 500_000, 500_000, 1_000_000, 5_000_000),
      stranger: fc.nat(60),
      verdict: fc.constantFrom("FAILURE" as const, "FAILURE" as const, "SUCCESS" as const),
      isDisputed: fc.boolean(),
      age: fc.integer({ min: 0, max: 40 }),
      valueMicro: fc.constantFrom(0, 500_000, 50_000_000, 1_000_000_000),
    }),
    { maxLength: 80, size: "max" },
  )
  .map((drawn) => {
    let spent = 0;
    return drawn.flatMap(({ stranger, isDisputed, age, ...job }, n): LedgerRecord[] => {
      if (spent + job.paidMicro >= 20_000_000) return [];
      spent += job.paidMicro;
      const id = createOutcomeId(1_000 + n);
      const outcome: OutcomeRecord = createPaidOutcome(1_000 + n, {
        ...job,
        id,
        submittedBy: "requester",
        requester: createWallet(500 + stranger),
        confPpm: 1_000_000,
        resolvedAt: daysAgo(age),
      });
      // A requester disputes its own success; it never wins against a failure that it reported.
      const dispute: LedgerRecord[] =
        isDisputed && job.verdict === "SUCCESS"
          ? [
              {
                type: "dispute",
                outcomeId: id,
                verdict: "REQUESTER_WINS",
                assessed: true,
                resolvedAt: NOW,
              },
            ]
          : [];
      return [outcome, ...dispute];
    });
  });

/** Returns the agent's risk, as the service gives it. */
function check(log: LedgerRecord[]) {
  const score = computeScore(log, AGENT, NOW);
  const facts = collectFacts(log);
  const own = log.filter((record) => record.type === "outcome");
  const weights = new Map(
    own.map((record) => [record.id, Number(weighOutcome(record, facts).good) / 1e9]),
  );
  const earnedMicro = computeLimit(
    own.map((record) => toLimitRow(record, weighOutcome(record, facts))),
    toUtcDay(NOW),
  ).earned;
  const scores = Array.from({ length: RISK_RULES.collapseDays + 1 }, (_, days) => ({
    score: toPublishedScore(computeScore(log, AGENT, daysAgo(days)).scoreE4),
    at: new Date(daysAgo(days) * 1000),
  }));
  const risk = assessRisk(
    {
      wallet: AGENT,
      score: toPublishedScore(score.scoreE4),
      peak: scores.reduce((peak, own) => (own.score > peak.score ? own : peak)),
      confirmedClients: 3,
      isWalletVerified: true,
      lastActive: new Date(NOW * 1000),
      ...splitOutcomes(
        own
          .map((record) => toRiskOutcome(record, facts, new Date(NOW * 1000)))
          .sort((a, b) => b.resolvedAt.getTime() - a.resolvedAt.getTime()),
        ({ outcomeId }) => weights.get(outcomeId) ?? 0,
        new Date(NOW * 1000),
      ),
      earnedMicro,
      payments: [],
    },
    new Date(NOW * 1000),
  );
  return { level: risk.level, flags: risk.flags.map((flag) => flag.risk) };
}

test("strangers with less than 20 USDC never make an honest agent a danger", () => {
  fc.assert(
    fc.property(honestWork, strangersWork, (honest, attack) => {
      expect(check(honest).level).not.toBe("danger");
      const { level, flags } = check([...honest, ...attack]);
      expect(level).not.toBe("danger");
      for (const risk of ["fails-often", "failures-in-a-row", "reported-failures"])
        expect(flags).not.toContain(risk);
    }),
    { numRuns: scaleRuns(40) },
  );
});

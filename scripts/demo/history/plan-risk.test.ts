import { describe, expect, test } from "vitest";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import type { Payments, RiskFacts } from "@/server/explorer/risk/assess-risk";
import { assessRisk } from "@/server/explorer/risk/assess-risk";
import { toRiskOutcome } from "@/server/explorer/risk/risk-outcome";
import { RISK_RULES } from "@/server/explorer/risk/rules";
import { RISKS } from "@/server/explorer/risk/schema";
import { DAY_SECONDS } from "@/server/lib/time";
import { collectFacts } from "@/server/reputation/score/ledger-facts";
import { toPublishedScore } from "@/server/reputation/score/public-reputation";
import { computeScore } from "@/server/reputation/score/score";
import { splitOutcomes } from "@/server/testing/fixtures/risk-facts";
import { planHistory } from "./plan";
import type { Plan, PlannedAgent, PlannedOutcome } from "./planned-events";
import { buildLedger } from "./testing/build-ledger";

const NOW = Date.parse("2026-11-21T10:30:00Z") / 1_000;
/** Agents with a role that shows a risk, and those risks. */
const EXPECTED: Partial<Record<PlannedAgent["role"], (typeof RISKS)[number][]>> = {
  scam: ["recent-collapse", "failures-in-a-row"],
  ring: ["ring-payments"],
  overturned: ["overturned-verdicts"],
  "single-client": ["single-client"],
  unverified: ["unverified-wallet"],
  quiet: ["dormant"],
};

/** Risks that depend on the last three days, or that no planned role has. */
const UNPLANNED: (typeof RISKS)[number][] = [
  "fails-often",
  "reported-failures",
  "agreements-not-delivered",
];

test("every risk has an agent that shows it", () => {
  const shown = [...Object.values(EXPECTED).flat(), ...UNPLANNED, "few-confirmed-clients"];
  expect(shown.toSorted()).toEqual(RISKS.toSorted());
});

describe.each([1, 2, 3, 4_711])("the history of seed %i", (seed) => {
  const plan = planHistory({ seed, now: NOW });
  const getFacts = createFacts(plan);

  test("has each risk where it belongs and nowhere else", () => {
    const found = plan.agents.map((agent) => {
      const { flags } = assessRisk(getFacts(agent), new Date(NOW * 1_000));
      const planned = flags.map(({ risk }) => risk).filter((risk) => !UNPLANNED.includes(risk));
      return [agent.name, planned.sort()];
    });
    const expected = plan.agents.map(({ name, role, jobs }) => [
      name,
      role === "fresh" && jobs < RISK_RULES.confirmedClients
        ? ["few-confirmed-clients"]
        : (EXPECTED[role] ?? []).toSorted(),
    ]);
    expect(found).toEqual(expected);
  });

  test("money never comes back to its payer, except in the ring", () => {
    const ring = new Set(
      plan.agents.filter(({ role }) => role === "ring").map((own) => own.wallet),
    );
    const position = new Map(plan.agents.map(({ wallet }, index) => [wallet, index]));
    for (const { contractor, requester } of listOutcomes(plan)) {
      if (ring.has(contractor)) continue;
      expect(position.get(requester)).toBeGreaterThan(position.get(contractor) ?? 0);
    }
  });
});

const listOutcomes = ({ events }: Plan) =>
  events.filter((event): event is PlannedOutcome => event.type === "outcome");

/** Returns a function that builds the facts of an agent's assessment from the planned events. */
function createFacts(plan: Plan): (agent: PlannedAgent) => RiskFacts {
  const ledger = buildLedger(plan);
  const outcomes = listOutcomes(plan);
  return ({ wallet, isWalletVerified }) => {
    const own = outcomes.filter(({ contractor }) => contractor === wallet).toReversed();
    const records = selectRecords(ledger, wallet);
    const facts = collectFacts(records);
    const score = computeScore(records, wallet, NOW);
    return {
      wallet,
      score: toPublishedScore(score.scoreE4),
      peak: findPeak(records, wallet),
      confirmedClients: new Set(
        own.filter(({ paidMicro }) => paidMicro > 0).map(({ requester }) => requester),
      ).size,
      isWalletVerified,
      lastActive: own[0] ? new Date(own[0].submittedAt * 1_000) : null,
      ...splitOutcomes(
        records
          .filter((record) => record.type === "outcome")
          .map((record) => toRiskOutcome(record, facts, new Date(NOW * 1_000)))
          .toReversed(),
        () => 0.75,
        new Date(NOW * 1_000),
      ),
      earnedMicro: 0n,
      payments: listPayments(outcomes, wallet),
    };
  };
}

/** Returns the records that the score of a wallet depends on. */
function selectRecords(ledger: LedgerRecord[], wallet: string): LedgerRecord[] {
  const ids = new Set<string>();
  return ledger.filter((record) => {
    if (record.type === "outcome" && record.contractor === wallet) ids.add(record.id);
    if (record.type === "outcome") return record.contractor === wallet;
    return record.type !== "dispute" || ids.has(record.outcomeId);
  });
}

/** Returns the highest score after any record of the last days, as the score history has it. */
function findPeak(records: LedgerRecord[], wallet: string): RiskFacts["peak"] {
  const since = NOW - RISK_RULES.collapseDays * DAY_SECONDS;
  const times = records.flatMap((record) =>
    "resolvedAt" in record && record.resolvedAt > since ? [record.resolvedAt] : [],
  );
  return [since, ...times]
    .map((at) => {
      const known = records.filter((one) => !("resolvedAt" in one) || one.resolvedAt <= at);
      const { scoreE4 } = computeScore(known, wallet, at);
      return { score: toPublishedScore(scoreE4), at: new Date(at * 1_000) };
    })
    .reduce((peak, own) => (own.score >= peak.score ? own : peak));
}

/** Returns all payments of a wallet, and those of everyone that it trades with. */
function listPayments(outcomes: PlannedOutcome[], wallet: string): Payments[] {
  const paid = outcomes.filter(({ paidMicro }) => paidMicro > 0);
  const isParty = (outcome: PlannedOutcome, wallets: Set<string>) =>
    wallets.has(outcome.contractor) || wallets.has(outcome.requester);
  const own = paid.filter((outcome) => isParty(outcome, new Set([wallet])));
  const members = new Set(own.flatMap(({ contractor, requester }) => [contractor, requester]));
  const all = members.size > RISK_RULES.closedGroupMembers ? own : paid;
  const payments = new Map<string, Payments>();
  for (const outcome of all.filter((one) => isParty(one, members))) {
    const { requester: payer, contractor: payee, paidMicro } = outcome;
    const key = `${payer} ${payee}`;
    const before = payments.get(key) ?? { payer, payee, jobs: 0, usdc: 0 };
    payments.set(key, {
      ...before,
      jobs: before.jobs + 1,
      usdc: before.usdc + paidMicro / 1_000_000,
    });
  }
  return [...payments.values()];
}

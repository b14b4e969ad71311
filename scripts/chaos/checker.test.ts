import { expect, test } from "vitest";
import { checkAll, INVARIANTS } from "./checker";
import type { Facts } from "./facts";
import {
  buildValidFacts,
  call,
  contractor,
  formatPayload,
  outcome,
  refunded,
  rejected,
  requester,
  resolved,
  stake,
  submitted,
} from "./testing/valid-facts";

const findViolated = (facts: Facts) =>
  checkAll(facts)
    .filter(({ violations }) => violations.length > 0)
    .map(({ invariant }) => invariant.name);

/** Returns the first item, for a test to plant a violation in. */
function first<T>(list: T[]): T {
  const [one] = list;
  if (one === undefined) throw new Error("the list is empty");
  return one;
}

/** Adds a copy of the first record of a type, with some fields changed. */
const copyRecord = ({ chain }: Facts, type: string, fields: object = {}) =>
  chain.records.push({
    ...first(chain.records.filter((record) => record.type === type)),
    seq: 10,
    ...fields,
  });

test("valid facts pass every invariant, and each invariant checks something", () => {
  expect(findViolated(buildValidFacts())).toEqual([]);
  const unused = checkAll(buildValidFacts()).filter(({ checked }) => checked === 0);
  expect(unused.map(({ invariant }) => invariant.name)).toEqual([]);
});

type Violations = Record<string, (facts: Facts) => unknown>;

/** Planted violations by the invariant that must detect them. */
const PLANTED: Record<string, Violations> = {
  "acknowledged outcomes": {
    "an outcome is lost": ({ rows }) => rows.outcomes.pop(),
    "an outcome has no verdict": ({ rows }) =>
      Object.assign(first(rows.outcomes), { status: "EVALUATING" }),
  },
  "one chain record per outcome": {
    "a verdict is recorded twice": (facts) => copyRecord(facts, "outcome"),
    "a verdict is not recorded": ({ chain }) => chain.records.shift(),
    "the chain has the opposite verdict": ({ chain }) =>
      Object.assign(first(chain.records), { verdict: "FAILURE" }),
  },
  "record location": {
    "a transaction was replaced": ({ rows }) =>
      Object.assign(first(rows.outcomes), { onChainTx: "t9" }),
  },
  "an escrow pays as the verdict says": {
    "a job is settled twice": ({ chain }) => chain.settledJobs.push(first(chain.settledJobs)),
    "a failure is paid": ({ chain }) =>
      Object.assign(first(chain.records.filter(({ subject }) => subject === "o3")), {
        verdict: "FAILURE",
      }),
    "the record has another amount": ({ chain }) =>
      Object.assign(first(chain.settledJobs), { releasedMicro: 1_000_008n }),
    "the record of a rejected job has a payment": ({ chain }) =>
      Object.assign(first(chain.settledJobs), { releasedMicro: null }),
  },
  "no unrequested verdicts": {
    "a record has no outcome": (facts) => copyRecord(facts, "outcome", { subject: "o9" }),
  },
  "one outcome per key": {
    "a key got two responses": ({ calls }) =>
      calls.push({ ...submitted, response: '{"outcomeId":"o2"}' }),
    "a key created two outcomes": ({ rows }) =>
      rows.outcomes.push({ ...first(rows.outcomes), id: "o2" }),
  },
  "every outcome has a key": {
    "an outcome was never submitted": ({ rows }) =>
      Object.assign(first(rows.outcomes), { idempotencyKey: "k9" }),
  },
  "a verdict never changes": {
    "a later read returns no verdict": ({ calls }) =>
      calls.push(call(100, contractor, "GET /outcome/o1", 200, outcome)),
  },
  "faults never change a verdict": {
    "good work fails": ({ rows }) => Object.assign(first(rows.outcomes), { verdict: "FAILURE" }),
  },
  "processes agree on outcomes": {
    "one process returns the opposite verdict": ({ published }) =>
      Object.assign(first(published), { outcomes: { o1: { ...resolved, verdict: "FAILURE" } } }),
  },
  "acknowledged disputes": {
    "a dispute is lost": ({ rows }) => rows.disputes.pop(),
    "the opening stake is lost": ({ rows }) => rows.sides.shift(),
  },
  "opened by the losing party": {
    "the favored party opened the dispute": ({ rows }) =>
      Object.assign(first(rows.disputes), { openedBy: "contractor" }),
  },
  "one chain record per dispute": {
    "a dispute's verdict is recorded twice": (facts) => copyRecord(facts, "dispute"),
  },
  "effect on the outcome": {
    "the outcome has the opposite final verdict": ({ rows }) =>
      Object.assign(first(rows.outcomes), { finalVerdict: "FAILURE" }),
  },
  "a dispute's verdict never changes": {
    "a later read returns another verdict": ({ calls }) =>
      calls.push(
        call(200, contractor, "GET /disputes/d1", 200, {
          status: "RESOLVED",
          verdict: "REQUESTER_WINS",
        }),
      ),
  },
  "one payout to the right party": {
    "the winner is paid twice": ({ chain }) =>
      chain.transfers.push({ txHash: "out3", from: stake, to: contractor, amountMicro: 500_001n }),
    "the winner is not paid": ({ chain }) =>
      Object.assign(chain, {
        transfers: chain.transfers.filter(({ txHash }) => txHash !== "out1"),
      }),
    "the loser is paid": ({ chain }) =>
      chain.transfers.push({ txHash: "out3", from: stake, to: requester, amountMicro: 500_002n }),
  },
  "no unexpected payouts": {
    "a transfer has no payout": ({ chain }) =>
      chain.transfers.push({ txHash: "out3", from: stake, to: "0xThief", amountMicro: 1n }),
  },
  "payouts are paid": {
    "a payout has no transfer": ({ rows }) =>
      Object.assign(first(rows.payouts), { txHash: "out9" }),
  },
  "the stake account balances": {
    "a millionth is missing": ({ chain }) => Object.assign(chain, { stakeBalanceMicro: 500_001n }),
  },
  "a payment counts once": {
    "a stake is used twice": ({ rows }) =>
      rows.transfers.push({ ...first(rows.transfers), id: "s9" }),
    "a payment is stored with a higher amount": ({ rows }) =>
      Object.assign(first(rows.transfers), { amountMicro: 900_000n }),
  },
  "recorded payments were made": {
    "a record names a payment that was not made": ({ chain }) =>
      Object.assign(first(chain.records), { paidMicro: 2_000_000 }),
  },
  "acknowledged refunds": {
    "a refund is not recorded": ({ chain }) =>
      Object.assign(chain, { records: chain.records.filter(({ type }) => type !== "refund") }),
    "a second refund is acknowledged": ({ calls, chain }) => {
      const transfer = { from: contractor, to: requester, amountMicro: 1_000_007n };
      chain.transfers.push({ ...transfer, txHash: "h-r2" });
      calls.push({ ...refunded, response: '{"outcomeId":"o1","txHash":"h-r2"}' });
    },
  },
  "no refund without a request": {
    "a refund is recorded twice": (facts) => copyRecord(facts, "refund"),
    "a refund was not requested": (facts) =>
      Object.assign(facts, { calls: facts.calls.filter((one) => one !== refunded) }),
  },
  "refunds return the payment": {
    "a millionth is missing": ({ chain }) =>
      Object.assign(first(chain.transfers.filter(({ txHash }) => txHash === "h-r1")), {
        amountMicro: 1_000_004n,
      }),
    "one transfer returns two payments": (facts) => copyRecord(facts, "refund", { subject: "o2" }),
  },
  "superseded outcomes": {
    "it is superseded twice": (facts) => copyRecord(facts, "superseded"),
    "another payer's outcome supersedes it": ({ chain }) =>
      Object.assign(first(chain.records.filter(({ subject }) => subject === "o3")), {
        requester: stake,
      }),
    "it is refunded, too": (facts) => copyRecord(facts, "refund", { subject: "o2" }),
    "a process does not show it": ({ published }) =>
      Object.assign(first(published).outcomes, { o2: { ...resolved, outcomeId: "o2" } }),
  },
  "processes agree on refunds": {
    "one process does not return it": ({ published }) =>
      Object.assign(first(published), { outcomes: { o1: resolved } }),
  },
  "scores match the chain": {
    "a score is too high": ({ published }) => {
      first(published).reputations[contractor] = { score: 99, tier: "ELITE" };
    },
    "an unconfirmed outcome counts as confirmed": ({ published }) =>
      Object.assign(first(published).reputations[contractor] ?? {}, { confirmedOutcomes: 2 }),
  },
  "incremental evidence equals recomputation": {
    "the sums are those of an earlier version": ({ rows }) =>
      Object.assign(first(rows.reputations), { version: 3 }),
    "the sums lack an outcome": ({ rows }) =>
      Object.assign(first(rows.reputations).totals ?? {}, { outcomes: 0 }),
    "a row is missing": ({ rows }) => rows.evidence.pop(),
    "a row was added twice": ({ rows }) => Object.assign(first(rows.evidence), { outcomes: 2 }),
  },
  "no gap in a score's history": {
    "a version is missing": ({ rows }) => rows.scores.shift(),
  },
  "no gap in the ledger": {
    "a `seq` is missing": ({ chain }) => chain.faults.push("Record 9 is missing."),
  },
  "the ledger matches the chain": {
    "the service omits a record": ({ published }) => first(published).ledger.pop(),
  },
  "each event once": {
    "an event is not stored": ({ rows }) => rows.deliveries.pop(),
    "an event is stored twice": ({ rows }) =>
      rows.deliveries.push({ ...first(rows.deliveries), id: "x" }),
    "an event that never happened is stored": ({ rows }) =>
      rows.deliveries.push({
        ...first(rows.deliveries),
        payload: formatPayload("e9", "outcome.resolved", { outcomeId: "o9", verdict: "SUCCESS" }),
      }),
  },
  "delivered means received": {
    "no receiver accepted it": ({ receivers }) => {
      for (const one of first(receivers).received) one.accepted = false;
    },
  },
  "valid signatures": {
    "a signature is wrong": ({ receivers }) =>
      Object.assign(first(first(receivers).received).headers, {
        "x-service-signature": "sha256=00",
      }),
  },
  "same body on every attempt": {
    "a retry has a different body": ({ receivers }) =>
      Object.assign(first(first(receivers).received), { body: "different" }),
  },
  "retries on schedule": {
    "a retry comes a millisecond early": ({ rows }) =>
      Object.assign(rows.attempts[1] ?? {}, { at: new Date(30_004) }),
    "a delivery fails too early": ({ rows }) =>
      Object.assign(first(rows.deliveries), { status: "failed" }),
  },
  "acknowledged takeovers": {
    "a takeover is lost": ({ rows }) => rows.takeovers.pop(),
  },
  "one chain record per takeover": {
    "a takeover is recorded twice": (facts) => copyRecord(facts, "takeover"),
    "a takeover is not recorded": ({ chain }) => chain.records.splice(2, 1),
  },
  "old keys are revoked": {
    "a revoked key still works": ({ calls }) => calls.push({ ...rejected, status: 202 }),
  },
  "one chain record per anchor": {
    "an anchor is never recorded": ({ rows }) =>
      Object.assign(first(rows.anchors), { seq: null, revokeAskedAt: null }),
    "an anchor is revoked twice": (facts) => copyRecord(facts, "anchor-revoked"),
  },
  "no unrequested anchors": {
    "an anchor was recorded twice": (facts) => copyRecord(facts, "anchor"),
  },
  "payloads match the chain": {
    "an event has the opposite verdict": ({ chain }) =>
      Object.assign(first(chain.records), { verdict: "FAILURE" }),
  },
};

const CASES = Object.entries(PLANTED).flatMap(([invariant, violations]) =>
  Object.entries(violations).map(([description, plant]) => ({ invariant, description, plant })),
);

test.each(CASES)("$invariant: detects that $description", ({ invariant, plant }) => {
  const facts = buildValidFacts();
  plant(facts);
  expect(findViolated(facts)).toContain(invariant);
});

test("every invariant has a planted violation", () => {
  expect(INVARIANTS.map(({ name }) => name).filter((name) => !(name in PLANTED))).toEqual([]);
});

test("checks the stored time of the next attempt if the run does not wait for it", () => {
  const facts = buildValidFacts();
  facts.isPatient = false;
  const delivery = first(facts.rows.deliveries);
  delivery.status = "pending";
  delivery.nextAttemptAt = new Date(30_010 + 120_000);
  expect(findViolated(facts)).toEqual([]);
  delivery.nextAttemptAt = new Date(30_011 + 120_000);
  expect(findViolated(facts)).toEqual(["retries on schedule"]);
});

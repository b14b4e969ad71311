import { expect, test } from "vitest";
import type { LedgerRecord, OutcomeRecord } from "@/server/chain/registry/ledger";
import {
  createOutcomeId,
  createPaidOutcome,
  createWallet,
} from "@/server/testing/fixtures/sample-ledger";
import { collectFacts } from "./ledger-facts";
import { computeCountsFrom } from "./weigh-outcome";

const RESOLVED_AT = Date.parse("2026-11-20T12:00:00Z") / 1000;
const REQUESTER = createWallet(100);

const reported = (change: Partial<OutcomeRecord> = {}) =>
  createPaidOutcome(1, {
    verdict: "FAILURE",
    submittedBy: "requester",
    resolvedAt: RESOLVED_AT,
    ...change,
  });
const dispute = (verdict: "REQUESTER_WINS" | "CONTRACTOR_WINS"): LedgerRecord => ({
  type: "dispute",
  outcomeId: createOutcomeId(1),
  verdict,
  assessed: true,
  resolvedAt: RESOLVED_AT + 60,
});
const anchor: LedgerRecord = { type: "anchor", seq: 1, wallet: REQUESTER, from: 0, until: null };

const startOf = (outcome: OutcomeRecord, log: LedgerRecord[] = []) => {
  const from = computeCountsFrom(outcome, collectFacts(log));
  return from === null ? null : new Date(from * 1000).toISOString();
};

test.each(["2026-11-20T00:00:00Z", "2026-11-20T12:00:00Z", "2026-11-20T23:59:59Z"])(
  "a reported failure of %s counts from the third day after",
  (time) => {
    const resolvedAt = Date.parse(time) / 1000;
    expect(startOf(reported({ resolvedAt }))).toBe("2026-11-23T00:00:00.000Z");
  },
);

test("a failure stays reported if the requester's anchor was revoked", () => {
  const log = [anchor, { type: "anchor-revoked" as const, anchorSeq: 1 }];
  expect(startOf(reported(), log)).toBe("2026-11-23T00:00:00.000Z");
});

test("a success that its unanchored requester disputed is reported", () => {
  const log = [dispute("REQUESTER_WINS")];
  expect(startOf(reported({ verdict: "SUCCESS" }), log)).toBe("2026-11-23T00:00:00.000Z");
});

const others: [string, OutcomeRecord, LedgerRecord[]][] = [
  ["a success", reported({ verdict: "SUCCESS" }), []],
  [
    "a success of an anchor that the anchor disputed",
    reported({ verdict: "SUCCESS" }),
    [anchor, dispute("REQUESTER_WINS")],
  ],
  ["a failure under an agreement", reported({ agreed: true }), []],
  ["a failure paid with dust", reported({ paidMicro: 499_999 }), []],
  ["a failure that the contractor submitted", reported({ submittedBy: "contractor" }), []],
  ["a failure reported by an anchor", reported(), [anchor]],
  ["a reported failure that a dispute confirmed", reported(), [dispute("REQUESTER_WINS")]],
  ["a reported failure that a dispute overturned", reported(), [dispute("CONTRACTOR_WINS")]],
  [
    "a refunded outcome",
    reported(),
    [{ type: "refund", outcomeId: createOutcomeId(1), at: RESOLVED_AT }],
  ],
  [
    "a superseded outcome",
    reported(),
    [{ type: "superseded", outcomeId: createOutcomeId(1), by: createOutcomeId(2) }],
  ],
  ["an unpaid outcome", reported({ paidMicro: 0 }), []],
  ["a job for oneself", reported({ requester: createWallet(1) }), []],
  [
    "a squatter's outcome",
    reported({ proven: false }),
    [{ type: "takeover", wallet: REQUESTER, at: RESOLVED_AT + 1 }],
  ],
  ["an outcome judged without certainty", reported({ confPpm: 500_000 }), []],
];
test.each(others)("%s has no countsFrom", (_, outcome, log) => {
  expect(startOf(outcome, log)).toBeNull();
});

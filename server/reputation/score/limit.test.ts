import { expect, test } from "vitest";
import type { LedgerRecord, OutcomeRecord } from "@/server/chain/registry/ledger";
import { DAY_SECONDS } from "@/server/lib/time";
import { createPaidOutcome, createWallet } from "@/server/testing/fixtures/sample-ledger";
import { collectFacts } from "./ledger-facts";
import { computeLimit, toLimitRow } from "./limit";
import { toUtcDay, weighOutcome } from "./weigh-outcome";

const NOW = Date.parse("2026-11-20T18:00:00Z") / 1000;
const USDC = 1_000_000;

/** Returns what `client` paid and confirmed, `days` ago. */
const earn = (n: number, client: number, usdc: number, change: Partial<OutcomeRecord> = {}) =>
  createPaidOutcome(n, {
    requester: createWallet(100 + client),
    submittedBy: "requester",
    valueMicro: usdc * USDC,
    paidMicro: usdc * USDC,
    confPpm: 1_000_000,
    resolvedAt: NOW,
    ...change,
  });

const ANCHORS: LedgerRecord[] = [1, 2, 3].map((client) => ({
  type: "anchor",
  seq: client,
  wallet: createWallet(100 + client),
  from: 0,
  until: null,
}));

/** Returns A and P in USDC, and the clients' shares. */
function compute(log: LedgerRecord[], category?: Parameters<typeof computeLimit>[2]) {
  const facts = collectFacts(log);
  const rows = log.flatMap((record) =>
    record.type === "outcome" ? [toLimitRow(record, weighOutcome(record, facts))] : [],
  );
  const { earned, lost, clients } = computeLimit(rows, toUtcDay(NOW), category);
  const usdc = (micro: bigint) => Number(micro) / USDC;
  return [usdc(earned), usdc(lost), clients.map((client) => usdc(client.earned))];
}

test("A is what anchored clients paid, at most 1,000 USDC each, without the largest", () => {
  const log = [earn(1, 1, 700), earn(2, 1, 600), earn(3, 2, 300), earn(4, 3, 50), earn(5, 9, 800)];
  expect(compute([...log, ...ANCHORS])).toEqual([350, 0, [1_000, 300, 50]]);
  expect(compute([earn(1, 1, 100_000), earn(2, 2, 100_000), ...ANCHORS])[0]).toBe(1_000);
  expect(compute([earn(1, 1, 100_000), ...ANCHORS])[0]).toBe(0);
});

test("A counts the smaller of value and payment, of 180 UTC days, and only decided successes", () => {
  const others = (change: Partial<OutcomeRecord>) =>
    compute([earn(1, 1, 500), earn(2, 2, 100, change), ...ANCHORS])[0];
  const at = (days: number) => ({ resolvedAt: NOW - days * DAY_SECONDS });
  expect(others({})).toBe(100);
  expect(others({ paidMicro: 30 * USDC })).toBe(30);
  expect(others({ valueMicro: 20 * USDC })).toBe(20);
  expect(others(at(179))).toBe(100);
  expect(others(at(180))).toBe(0);
  expect(others(at(-1))).toBe(0);
  expect(others({ confPpm: 500_000 })).toBe(0);
  expect(others({ verdict: "FAILURE" })).toBe(0);
  expect(others({ paidMicro: 0 })).toBe(0);
});

test("A in a category leaves out the largest client in it; P covers all", () => {
  const log = [
    earn(1, 1, 500, { category: "ops" }),
    earn(2, 2, 300, { category: "research" }),
    earn(3, 3, 200, { category: "research" }),
    earn(4, 9, 40, { category: "ops", verdict: "FAILURE" }),
    ...ANCHORS,
  ];
  expect(compute(log)).toEqual([500, 40, [500, 300, 200]]);
  expect(compute(log, "research")).toEqual([200, 40, [300, 200]]);
  expect(compute(log, "ops")).toEqual([0, 40, [500]]);
});

test("P is what was paid for failures of 90 UTC days, also in their grace, unless they are void", () => {
  const lost = (change: Partial<OutcomeRecord>, ...log: LedgerRecord[]) =>
    compute([earn(1, 9, 40, { verdict: "FAILURE", ...change }), ...log])[1];
  expect(lost({})).toBe(40);
  expect(lost({ resolvedAt: NOW - 89 * DAY_SECONDS })).toBe(40);
  expect(lost({ resolvedAt: NOW - 90 * DAY_SECONDS })).toBe(0);
  expect(lost({ verdict: "SUCCESS" })).toBe(0);
  expect(lost({ verdict: "SUCCESS", confPpm: 500_000 })).toBe(0);
  expect(lost({ verdict: "SUCCESS", confPpm: 500_000, agreed: true })).toBe(40);
  // Dust, by which a stranger makes nobody a party.
  expect(lost({ paidMicro: 400_000 })).toBe(0);
  const { id } = earn(1, 9, 40);
  const refund = { type: "refund", outcomeId: id, at: NOW } as LedgerRecord;
  expect(lost({}, refund)).toBe(0);
});

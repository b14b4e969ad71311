import { expect, test, vi } from "vitest";
import type { PlacedRecord } from "@/server/chain/registry/decode-records";
import type { RegistryLedger } from "@/server/chain/registry/read-registry";
import type { Dispute } from "@/server/disputes/schema";
import type { SigningChain } from "@/server/explorer/compare-agreements";
import type { ShownRecords } from "@/server/explorer/compare-shown";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { Reputation } from "@/server/reputation/schema";
import { formatUtcDay, toScoreRecord } from "@/server/reputation/score/public-reputation";
import { computeScore } from "@/server/reputation/score/score";
import { createPaidOutcome, createWallet } from "@/server/testing/fixtures/sample-ledger";
import { verifyWallet } from "./verify-wallet";

const NOW = new Date("2026-11-21T12:00:00Z");
const WALLET = createWallet(1);
const TX = `0x${"0".repeat(64)}` as const;
const record = { ...createPaidOutcome(1), seq: 1 };
const placed: PlacedRecord = { record, place: { seq: 1, txHash: TX, logIndex: 0 } };
const ledger: RegistryLedger = { records: [placed], block: 7n, faults: [] };
const day = `${formatUtcDay(NOW)}`;
const { scoreE4, breakdown, ...numbers } = toScoreRecord(
  computeScore([record], WALLET, Date.parse(day) / 1000),
);
const reputation = {
  ...numbers,
  assessedSuccessRate: 1,
  lastUpdated: null,
  scoreDay: day,
} as Reputation;
const outcome = {
  outcomeId: record.id,
  status: "RESOLVED",
  contractorAgentAddress: record.contractor,
  requesterAgentAddress: record.requester,
  taskCategory: record.category,
  valueUsdc: record.valueMicro / 1_000_000,
  paidUsdc: record.paidMicro / 1_000_000,
  submittedBy: {
    role: record.submittedBy,
    walletAddress: record[record.submittedBy],
    walletVerified: record.proven,
  },
  agreed: record.agreed,
  verdict: record.verdict,
  finalVerdict: record.verdict,
  assessed: true,
  llmConfidence: record.confPpm / 1_000_000,
  resolvedAt: new Date(record.resolvedAt * 1000).toISOString(),
  onChainTx: TX,
  recordIndex: 0,
} as PublicOutcome;

test("adds the score that the ledger gives without its anchors", async () => {
  // Four clients prove more than the limit of clients that are no anchors.
  const clients = [100, 101, 102, 103].map(createWallet);
  const outcomes = Array.from({ length: 24 }, (_, n) => ({
    ...createPaidOutcome(n + 1, { requester: clients[n % 4] as string, agreed: true }),
    seq: n + 1,
  }));
  const anchors = clients.map((wallet, n) => {
    return { type: "anchor", seq: 25 + n, wallet, from: 0, until: null } as const;
  });
  const records = [...outcomes, ...anchors].map((one) => ({ record: one, place: placed.place }));
  const result = await verifyWallet(WALLET, {
    readLedger: async () => ({ ...ledger, records }),
    readShown: async () => SHOWN,
    chain: NO_CHAIN,
    pause: async () => {},
    getTime: () => NOW,
  });
  const alone = toScoreRecord(computeScore(outcomes, WALLET, Date.parse(day) / 1000)).score;
  expect(result.scoreWithoutAnchors).toBe(alone);
  const expected = result.differences.find(({ field }) => field === "score")?.expected;
  expect(expected).toBeGreaterThan(alone);
});

/** Never asked: there is no agreement. */
const NO_CHAIN = {} as SigningChain;

/** The client is no anchor, so nothing counts for the limit. */
const limit = {
  limitUsdc: 0,
  category: null,
  earnedUsdc: 0,
  failedUsdc: 0,
  reservedUsdc: 20,
  clients: [],
};

const SHOWN: ShownRecords & { reputation: Reputation } = {
  reputation,
  checked: { reputation, limit },
  outcomes: [outcome],
  disputes: new Map<string, Dispute>(),
};

function verify(...shown: Partial<ShownRecords & typeof SHOWN>[]) {
  const remaining = [...shown];
  const pause = vi.fn(async () => {});
  const result = verifyWallet(WALLET, {
    readLedger: async () => ledger,
    readShown: async () => ({
      ...SHOWN,
      ...(remaining.length > 1 ? remaining.shift() : remaining[0]),
    }),
    chain: NO_CHAIN,
    pause,
    getTime: () => NOW,
  });
  return { result, pause };
}

test("finds no difference if the service shows what the ledger says", async () => {
  const { result, pause } = verify({});
  expect(await result).toEqual({
    records: 1,
    block: 7,
    faults: [],
    outcomes: 1,
    lostEvidence: 0,
    score: reputation.score,
    scoreWithoutAnchors: reputation.score,
    differences: [],
  });
  expect(pause).not.toHaveBeenCalled();
});

const WRONG = { ...reputation, score: 99.99 };

test.each([
  ["score", { reputation: WRONG }],
  ["check", { checked: { reputation: WRONG, limit } }],
])(
  "reports a wrong score (%s) with the records that it should follow from",
  async (name, shown) => {
    const { result, pause } = verify(shown);
    expect((await result).differences).toEqual([
      {
        subject: `${name} of ${WALLET}`,
        field: "score",
        shown: 99.99,
        expected: reputation.score,
        records: [placed],
      },
    ]);
    expect(pause).toHaveBeenCalledTimes(2);
  },
);

test("reports a limit that the ledger does not give", async () => {
  const client = { walletAddress: WALLET, name: null, paidUsdc: 90 };
  const wrong = { ...limit, limitUsdc: 70, earnedUsdc: 90, clients: [client] };
  const { result } = verify({ checked: { reputation, limit: wrong } });
  const found = (await result).differences.map(({ subject, field, shown, expected }) => {
    return [subject, field, shown, expected];
  });
  expect(found).toEqual([
    [`limit of ${WALLET}`, "earnedUsdc", 90, 0],
    [`limit of ${WALLET}`, "limitUsdc", 70, 0],
    [`limit of ${WALLET}`, "clients", [[WALLET, 90]], []],
  ]);
});

test.each([
  ["check", { limit }],
  ["limit", { reputation }],
])("reports a check that lacks its score or its limit (%s)", async (name, checked) => {
  const { result } = verify({ checked });
  const found = (await result).differences.map(({ subject, shown }) => [subject, shown]);
  expect(found).toEqual([[`${name} of ${WALLET}`, "nothing"]]);
});

test("counts the verdicts whose evidence is lost", async () => {
  const lost = { ...outcome, rebuilt: true } as const;
  const { result } = verify({ outcomes: [lost] });
  expect(await result).toMatchObject({ lostEvidence: 1 });
});

const OTHER = { ...reputation, totalOutcomes: 5 };

test("ignores a difference that a second check does not find", async () => {
  const { result } = verify({ reputation: OTHER }, {});
  expect((await result).differences).toEqual([]);
});

test("ignores a difference that only the second check finds", async () => {
  const { result } = verify({ reputation: OTHER }, { checked: { reputation: OTHER, limit } });
  expect((await result).differences).toEqual([]);
});

test("compares nothing with a ledger that contradicts its contract", async () => {
  const faults = ["Record 1 is missing."];
  const result = await verifyWallet(WALLET, {
    readLedger: async () => ({ ...ledger, faults }),
    readShown: async () => ({ ...SHOWN, checked: SHOWN.checked, outcomes: [] }),
    chain: NO_CHAIN,
    pause: async () => {},
    getTime: () => NOW,
  });
  expect(result).toMatchObject({ faults, differences: [] });
});

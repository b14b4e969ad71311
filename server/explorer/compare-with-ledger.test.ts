import { describe, expect, test } from "vitest";
import type { PlacedRecord } from "@/server/chain/registry/decode-records";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import type { Dispute } from "@/server/disputes/schema";
import { hashJson } from "@/server/judging/evidence";
import { sha256 } from "@/server/lib/hash";
import type { PublicOutcome, Refund } from "@/server/outcomes/schema";
import type { Reputation } from "@/server/reputation/schema";
import { groupLedger } from "@/server/reputation/score/group-ledger";
import { sampleOutcomes } from "@/server/testing/fixtures/random-records";
import {
  createOutcomeId,
  createPaidOutcome,
  createWallet,
} from "@/server/testing/fixtures/sample-ledger";
import { compareDispute, compareOutcomes, compareScore } from "./compare-with-ledger";

const NOW = new Date("2026-11-21T00:30:00Z");
const LEDGER = groupLedger([]);
const createReputation = (scoreDay: string) =>
  ({
    walletAddress: "0x0000000000000000000000000000000000000001",
    score: 0,
    tier: "UNRANKED",
    ceiling: { score: 50, liftedBy: "payment" },
    totalOutcomes: 0,
    confirmedOutcomes: 0,
    assessedOutcomes: 0,
    assessedSuccessRate: null,
    successRate: 0,
    disputeRate: 0,
    categoryScores: {},
    lastUpdated: null,
    scoreDay,
  }) as Reputation;

const differ = (shown: Reputation | undefined) =>
  compareScore("score", createReputation("").walletAddress, shown, LEDGER, NOW);

test.each(["2026-11-20", "2026-11-21", "2026-11-22"])("compares the scores of %s", (day) => {
  const differing = differ({ ...createReputation(day), score: 12.5 });
  expect(differing.map(({ field }) => field)).toEqual(["score"]);
});

test("compares the confirmed outcomes", () => {
  const differing = differ({ ...createReputation("2026-11-21"), confirmedOutcomes: 1 });
  expect(differing).toMatchObject([{ field: "confirmedOutcomes", shown: 1, expected: 0 }]);
});

test.each(["2026-11-19", "2025-11-21", "2026-11-23", "long ago", ""])(
  "reports a score of the day %j, whatever else it shows",
  (day) => {
    expect(differ(createReputation(day))).toMatchObject([
      { field: "scoreDay", shown: day, expected: "2026-11-21" },
    ]);
  },
);

test("reports a score that is missing, or of another wallet", () => {
  expect(differ(undefined)).toMatchObject([{ field: "", shown: "nothing" }]);
  const other = { ...createReputation("2026-11-21"), walletAddress: createWallet(9) };
  expect(differ(other)).toMatchObject([{ field: "walletAddress", shown: createWallet(9) }]);
});

const WALLET = createWallet(1);
const REPORTED = createPaidOutcome(1, { verdict: "FAILURE", submittedBy: "requester" });
const COUNTS_FROM = "2026-11-23T00:00:00.000Z";
const TX = `0x${"0".repeat(64)}`;

function differences(shown: Partial<PublicOutcome>, ...others: LedgerRecord[]) {
  const ledger = groupLedger(
    [REPORTED, ...others].map(
      (record, index) =>
        ({
          record: { ...record, seq: index + 1 },
          place: { txHash: TX, logIndex: index },
        }) as PlacedRecord,
    ),
  );
  const outcome = {
    outcomeId: REPORTED.id,
    status: "RESOLVED",
    contractorAgentAddress: REPORTED.contractor,
    requesterAgentAddress: REPORTED.requester,
    taskCategory: REPORTED.category,
    valueUsdc: 20,
    paidUsdc: 20,
    submittedBy: { role: "requester", walletAddress: REPORTED.requester, walletVerified: true },
    agreed: false,
    verdict: "FAILURE",
    assessed: true,
    llmConfidence: 0.95,
    resolvedAt: new Date(REPORTED.resolvedAt * 1000).toISOString(),
    onChainTx: TX,
    recordIndex: 0,
    finalVerdict: "FAILURE",
    ...shown,
  } as PublicOutcome;
  return compareOutcomes(WALLET, [outcome], ledger);
}

test("agrees on the day from which a reported failure counts", () => {
  expect(differences({ countsFrom: COUNTS_FROM })).toEqual([]);
});

test.each([undefined, "2026-11-22T00:00:00.000Z"])("reports a different day: %s", (countsFrom) => {
  expect(differences({ countsFrom })).toMatchObject([
    { field: "countsFrom", shown: countsFrom, expected: COUNTS_FROM },
  ]);
});

test("reports a day on a refunded outcome, with the refund's record", () => {
  const refund: LedgerRecord = { type: "refund", outcomeId: createOutcomeId(1), at: 0 };
  const [difference] = differences({ countsFrom: COUNTS_FROM }, refund);
  expect(difference).toMatchObject({ field: "countsFrom", expected: undefined });
  expect(difference?.records.map(({ record }) => record.type)).toEqual(["outcome", "refund"]);
});

const [sample] = sampleOutcomes(1, 7);
const outcome = { ...(sample ?? expect.fail()), evidenceHash: undefined };
const placed = (record: object, seq: number) =>
  ({
    record: { ...record, seq },
    place: { seq, txHash: `0x${String(seq).repeat(64)}`, logIndex: 0 },
  }) as PlacedRecord;
const record = placed(outcome, 1);
const paymentTx = `0x${"9".repeat(64)}`;
const refund = placed({ type: "refund", outcomeId: outcome.id, at: 86_400, paymentTx }, 2);

const resolved: PublicOutcome = {
  outcomeId: outcome.id,
  status: "RESOLVED",
  contractorAgentAddress: outcome.contractor,
  requesterAgentAddress: outcome.requester,
  taskCategory: outcome.category,
  title: null,
  valueUsdc: outcome.valueMicro / 1_000_000,
  paidUsdc: outcome.paidMicro / 1_000_000,
  submittedBy: {
    role: outcome.submittedBy,
    walletAddress: outcome[outcome.submittedBy],
    walletVerified: outcome.proven,
  },
  agreed: outcome.agreed,
  assessed: outcome.confPpm > 500_000,
  disputeScope: "work",
  submittedAt: "2026-11-21T12:00:00.000Z",
  taskHash: "",
  deliverableHash: "",
  verdict: outcome.verdict,
  llmConfidence: outcome.confPpm / 1_000_000,
  resolvedAt: new Date(outcome.resolvedAt * 1000).toISOString(),
  onChainTx: record.place.txHash,
  recordIndex: 0,
  finalVerdict: outcome.verdict,
};
const refunded: Refund = {
  txHash: paymentTx,
  amountUsdc: resolved.paidUsdc,
  status: "recorded",
  refundedAt: "1970-01-02T00:00:00.000Z",
  onChainTx: refund.place.txHash,
  recordIndex: 0,
};

/** Returns the fields of the refund that differ. */
const differing = (shown: Refund | undefined, records: PlacedRecord[]) =>
  compareOutcomes(outcome.contractor, [{ ...resolved, refund: shown }], groupLedger(records)).map(
    ({ subject, field }) => {
      expect(subject).toBe(`refund of outcome ${outcome.id}`);
      return field;
    },
  );

describe("a refund that the service shows", () => {
  test("agrees with its record, or with none while recording", () => {
    expect(differing(refunded, [record, refund])).toEqual([]);
    expect(differing(undefined, [record])).toEqual([]);
    const waiting = { txHash: paymentTx, amountUsdc: 1, status: "recording" as const };
    expect(differing(waiting, [record])).toEqual([]);
  });

  test("differs if the ledger has no record of it", () => {
    expect(differing(refunded, [record])).toEqual([""]);
  });

  test("differs if it is hidden or names another transaction or time", () => {
    expect(differing(undefined, [record, refund])).toEqual([
      "status",
      "txHash",
      "refundedAt",
      "onChainTx",
      "recordIndex",
    ]);
    const other = { ...refunded, txHash: `0x${"8".repeat(64)}`, refundedAt: resolved.submittedAt };
    expect(differing(other, [record, refund])).toEqual(["txHash", "refundedAt"]);
  });
});

describe("a superseded outcome that the service shows", () => {
  const by = createOutcomeId(9);
  const mark = placed({ type: "superseded", outcomeId: outcome.id, by }, 3);
  const shown = {
    by,
    status: "recorded" as const,
    onChainTx: mark.place.txHash,
    recordIndex: 0,
  };
  const compare = (superseded: PublicOutcome["superseded"], records: PlacedRecord[]) =>
    compareOutcomes(outcome.contractor, [{ ...resolved, superseded }], groupLedger(records)).map(
      ({ subject, field }) => {
        expect(subject).toBe(`superseded outcome ${outcome.id}`);
        return field;
      },
    );

  test("agrees with its record, or with none while it is only accepted", () => {
    expect(compare(shown, [record, mark])).toEqual([]);
    expect(compare({ by, status: "accepted" }, [record])).toEqual([]);
  });

  test("differs if it is hidden, names another outcome or has no record", () => {
    expect(compare(undefined, [record, mark])).toEqual([
      "status",
      "by",
      "onChainTx",
      "recordIndex",
    ]);
    expect(compare({ ...shown, by: createOutcomeId(8) }, [record, mark])).toEqual(["by"]);
    expect(compare(shown, [record])).toEqual([""]);
  });
});

describe("the reasoning that the service shows", () => {
  const reasoning = "It names three rivers: café, naïve.";
  const { verdict, confPpm } = outcome;
  const judged = { outcomeId: outcome.id, verdict, confPpm, reasoningHash: sha256(reasoning) };
  const compare = (
    evidence: object,
    llmJudgeReasoning: string | undefined,
    recorded = evidence,
  ) => {
    const ledger = groupLedger([placed({ ...outcome, evidenceHash: hashJson(recorded) }, 1)]);
    const shown = { ...resolved, evidence, llmJudgeReasoning, evidenceHash: hashJson(recorded) };
    return compareOutcomes(outcome.contractor, [shown as PublicOutcome], ledger).map(
      ({ subject, field }) => `${subject}: ${field}`,
    );
  };
  const difference = (field: string) => `outcome ${outcome.id}: ${field}`;

  test("agrees with the hash that its evidence has", () => {
    expect(compare(judged, reasoning)).toEqual([]);
  });

  test.each(["It names three rivers.", "", undefined])("differs if it is %j", (shown) => {
    expect(compare(judged, shown)).toEqual([difference("hash of reasoning")]);
  });

  test("can't be changed together with its hash, nor by leaving that out", () => {
    const changed = { ...judged, reasoningHash: sha256("Great.") };
    expect(compare(changed, "Great.", judged)).toEqual([difference("hash of evidence")]);
    const { reasoningHash, ...older } = judged;
    expect(compare(older, "Great.", judged)).toContain(difference("hash of evidence"));
  });

  test("differs if the recorded evidence has no hash of it", () => {
    const { reasoningHash, ...older } = judged;
    expect(compare(older, "Great.")).toEqual([difference("hash of reasoning")]);
  });
});

describe("a dispute that the service shows", () => {
  const reason = "The statements change nothing.";
  const evidence = {
    disputeId: createOutcomeId(7),
    outcomeId: outcome.id,
    verdict: "CONTRACTOR_WINS",
    reasoningHash: sha256(reason),
  };
  const recorded = placed(
    {
      type: "dispute",
      outcomeId: outcome.id,
      verdict: "CONTRACTOR_WINS",
      resolvedAt: 86_400,
      evidenceHash: hashJson(evidence),
    },
    4,
  );
  const shown = {
    outcomeId: outcome.id,
    status: "RESOLVED",
    verdict: "CONTRACTOR_WINS",
    reason,
    resolvedAt: "1970-01-02T00:00:00.000Z",
    onChainTx: recorded.place.txHash,
    recordIndex: 0,
    evidence,
    evidenceHash: hashJson(evidence),
  };
  const compare = (dispute: object | undefined, records = [recorded], rebuilt?: true) =>
    compareDispute(
      { ...resolved, rebuilt },
      dispute as Dispute | undefined,
      groupLedger([record, ...records]),
    ).map(({ field }) => field);

  test("agrees with its record, or with none while it is open", () => {
    expect(compare(shown)).toEqual([]);
    expect(compare({ ...shown, status: "OPEN" }, [])).toEqual([]);
    expect(compare(undefined, [])).toEqual([]);
  });

  test("differs if its reasoning, its evidence or its verdict was changed", () => {
    expect(compare({ ...shown, reason: "They do." })).toEqual(["hash of reasoning"]);
    const forged = { ...evidence, judgeVersion: "another/v9" };
    expect(compare({ ...shown, evidence: forged })).toEqual(["hash of evidence"]);
    expect(compare({ ...shown, verdict: "REQUESTER_WINS" })).toEqual(["verdict"]);
  });

  test("differs if only one side has it, unless a rebuild lost it", () => {
    expect(compare(shown, [])).toEqual([""]);
    expect(compare(undefined)).toEqual([""]);
    expect(compare(undefined, [recorded], true)).toEqual([]);
  });
});

import type { LedgerEntry } from "@/server/chain/schema";
import type { HistoryPage, ScoreBreakdown } from "./schema";

const OUTCOME_ID = "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10";

const BEFORE: ScoreBreakdown = {
  quality: 1,
  confidence: 0.1939,
  good: 0.7217,
  tenureCapacity: 13.5,
  claimed: [0, 0],
  paid: [0.7217, 0],
  anchored: [0, 0],
};

/** A second paid success, for the OpenAPI document. */
export const HISTORY_EXAMPLE: HistoryPage = {
  content: [
    {
      at: "2026-11-21T12:00:00.000Z",
      version: 2,
      score: 32.78,
      previousScore: 19.81,
      tier: "NEWCOMER",
      totalOutcomes: 2,
      cause: "outcome",
      outcomeId: OUTCOME_ID,
      disputeId: null,
      seq: 14,
      receipt: {
        rule: "success",
        sentence: "A success of 12.50 USDC for a new client added 0.74 of paid evidence.",
        effect: 13.3904,
        days: -0.4248,
        before: BEFORE,
        after: { ...BEFORE, confidence: 0.3278, good: 1.463, paid: [1.463, 0] },
      },
    },
  ],
  totalElements: 1,
  totalPages: 1,
  page: 0,
  size: 20,
  nextTier: {
    tier: "TRUSTED",
    assumes: { valueUsdc: 10, confidence: 0.95 },
    ways: [
      { by: "anchored", successes: 8, days: 0 },
      { by: "paid", successes: 8, days: 0 },
    ],
  },
};

/** The record of that success, for the OpenAPI document. */
export const LEDGER_EXAMPLE: LedgerEntry = {
  type: "outcome",
  id: OUTCOME_ID,
  contractor: "0x52908400098527886E0F7030069857D2E4169EE7",
  requester: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  category: "ops",
  valueMicro: 12_500_000,
  paidMicro: 12_500_000,
  submittedBy: "contractor",
  proven: true,
  agreed: false,
  verdict: "SUCCESS",
  confPpm: 930_000,
  resolvedAt: 1_795_262_400,
  evidenceHash: "0x3d5c7b9a8f6e4d2c0b1a3f5e7d9c8b608c4b2a6e0d1f3c5b7a9e8d6c4b2a0f1e",
  seq: 14,
  txHash: "0x2a9c4e6f8b1d3c5e7f90a1b2c3d4e5f60718293a4b5c6d7e8f9010a2b3c4d5e6",
  logIndex: 0,
};

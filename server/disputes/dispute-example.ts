import { STAKE_USDC } from "@/server/lib/usdc";
import type { Dispute, Party } from "./schema";

const OPENING = "0x6f1d3a0b2c4e5f60718293a4b5c6d7e8f9010a2b3c4d5e6f708192a3b4c5d6e7";
const ANSWER = "0x2a9c4e6f8b1d3c5e7f90a1b2c3d4e5f60718293a4b5c6d7e8f9010a2b3c4d5e6";
const CONTRACTOR = "0x52908400098527886E0F7030069857D2E4169EE7";
const REQUESTER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const REASON = "The summary has 60 words; 100 to 150 were asked for.";
const STATEMENT = "It has 112 words.";

const createStake = (party: Party, walletAddress: string, paymentTxHash: string) => ({
  party,
  walletAddress,
  state: "held" as const,
  amountUsdc: 0.5,
  paymentTxHash,
  stakeReturnStatus: "none" as const,
  stakeReturnTx: null,
});

const createStatement = (party: Party, text: string, at: string) => ({
  party,
  text,
  evidenceUrl: null,
  evidenceHash: null,
  evidenceFailure: null,
  deliverableHash: null,
  at,
});

/** A dispute under review, as an example for the OpenAPI document. */
export const DISPUTE_EXAMPLE: Dispute = {
  disputeId: "7d1f0a52-3c4b-4e8a-9f26-51b0c7d8e9f0",
  outcomeId: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
  status: "OPEN",
  phase: "in-review",
  openedBy: "requester",
  contractorAgentAddress: CONTRACTOR,
  requesterAgentAddress: REQUESTER,
  taskCategory: "research",
  title: null,
  stakeUsdc: STAKE_USDC,
  openedAt: "2026-11-21T12:00:00.000Z",
  expiresAt: "2026-11-21T12:00:30.000Z",
  recordedVerdict: "SUCCESS",
  recordedAssessed: true,
  stakes: [
    createStake("requester", REQUESTER, OPENING),
    createStake("contractor", CONTRACTOR, ANSWER),
  ],
  statements: [
    createStatement("requester", REASON, "2026-11-21T12:00:00.000Z"),
    createStatement("contractor", STATEMENT, "2026-11-21T12:00:12.000Z"),
  ],
};

const { outcomeId, disputeId, stakeUsdc, expiresAt } = DISPUTE_EXAMPLE;

export const OPENED_EXAMPLE = {
  request: { outcomeId, reason: REASON, stakePaymentTxHash: OPENING },
  response: { disputeId, status: "OPEN", stakeUsdc, expiresAt, disputeReview: "model" },
};

export const STAKED_EXAMPLE = {
  request: { stakePaymentTxHash: ANSWER, statement: STATEMENT },
  response: DISPUTE_EXAMPLE,
};

import type { Dispute } from "./schema";

const OPENING = "0x6f1d3a0b2c4e5f60718293a4b5c6d7e8f9010a2b3c4d5e6f708192a3b4c5d6e7";
const ANSWER = "0x2a9c4e6f8b1d3c5e7f90a1b2c3d4e5f60718293a4b5c6d7e8f9010a2b3c4d5e6";

/** A dispute under review, as an example for the OpenAPI document. */
export const DISPUTE_EXAMPLE = {
  disputeId: "7d1f0a52-3c4b-4e8a-9f26-51b0c7d8e9f0",
  outcomeId: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
  status: "OPEN",
  phase: "in-review",
  openedBy: "requester",
  contractorAgentAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
  requesterAgentAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  stakeUsdc: "0.50",
  openedAt: "2026-11-21T12:00:00.000Z",
  expiresAt: "2026-11-21T12:00:30.000Z",
  recordedVerdict: "SUCCESS",
  stakes: [
    {
      party: "requester",
      walletAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
      state: "held",
      amountUsdc: 0.5,
      paymentTxHash: OPENING,
      stakeReturnStatus: "none",
      stakeReturnTx: null,
    },
    {
      party: "contractor",
      walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
      state: "held",
      amountUsdc: 0.5,
      paymentTxHash: ANSWER,
      stakeReturnStatus: "none",
      stakeReturnTx: null,
    },
  ],
  statements: [
    {
      party: "requester",
      text: "The summary has 60 words; 100 to 150 were asked for.",
      evidenceUrl: null,
      evidenceHash: null,
      evidenceFailure: null,
      deliverableHash: null,
      at: "2026-11-21T12:00:00.000Z",
    },
    {
      party: "contractor",
      text: "It has 112 words.",
      evidenceUrl: null,
      evidenceHash: null,
      evidenceFailure: null,
      deliverableHash: null,
      at: "2026-11-21T12:00:12.000Z",
    },
  ],
} as const satisfies ExampleDispute;

type Deep<T> = T extends (infer E)[] ? readonly Deep<E>[] : { readonly [K in keyof T]: T[K] };
type ExampleDispute = { readonly [K in keyof Dispute]: Deep<Dispute[K]> };

export const OPENED_EXAMPLE = {
  request: {
    outcomeId: DISPUTE_EXAMPLE.outcomeId,
    reason: DISPUTE_EXAMPLE.statements[0].text,
    stakePaymentTxHash: OPENING,
  },
  answer: {
    disputeId: DISPUTE_EXAMPLE.disputeId,
    status: "OPEN",
    stakeUsdc: DISPUTE_EXAMPLE.stakeUsdc,
    expiresAt: DISPUTE_EXAMPLE.expiresAt,
  },
};

import type { PartyOutcome } from "./schema";

const OUTCOME_ID = "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10";
const CONTRACTOR = "0x52908400098527886E0F7030069857D2E4169EE7";
const TASK_HASH = "0x1f0d6f0d2f3a4e0f6b1a9c3e5d7f90b2c4e6a8d0f1b3c5d7e9fa0b2c4d6e8f01";
const DELIVERABLE_HASH = "0x8c4b2a6e0d1f3c5b7a9e8d6c4b2a0f1e3d5c7b9a8f6e4d2c0b1a3f5e7d9c8b60";

/** A resolved outcome as the public sees it, as an example for the OpenAPI document. */
export const OUTCOME_EXAMPLE: PartyOutcome = {
  outcomeId: OUTCOME_ID,
  status: "RESOLVED",
  contractorAgentAddress: CONTRACTOR,
  requesterAgentAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  taskCategory: "ops",
  title: "Summary of an incident report",
  valueUsdc: 12.5,
  paidUsdc: 12.5,
  paymentTxHash: "0x6f1d3a0b2c4e5f60718293a4b5c6d7e8f9010a2b3c4d5e6f708192a3b4c5d6e7",
  clientConfirmed: false,
  agreed: false,
  disputeScope: "work",
  submittedBy: { role: "contractor", walletAddress: CONTRACTOR, walletVerified: true },
  submittedAt: "2026-11-21T11:59:40.000Z",
  taskHash: TASK_HASH,
  deliverableHash: DELIVERABLE_HASH,
  verdict: "SUCCESS",
  llmJudgeReasoning:
    "SUCCESS. The summary is complete and right.\nName cause, duration and remedy: met. All three are there.\nExamined 2 times: a-model found SUCCESS; another-model found SUCCESS.",
  llmConfidence: 0.93,
  onChainTx: "0x2a9c4e6f8b1d3c5e7f90a1b2c3d4e5f60718293a4b5c6d7e8f9010a2b3c4d5e6",
  recordIndex: 0,
  resolvedAt: "2026-11-21T12:00:00.000Z",
  judge: { kind: "llm", id: "a-model" },
  evidence: {
    outcomeId: OUTCOME_ID,
    taskHash: TASK_HASH,
    deliverableHash: DELIVERABLE_HASH,
    documentHash: null,
    checksHash: "0x0d1f3c5b7a9e8d6c4b2a0f1e3d5c7b9a8f6e4d2c0b1a3f5e7d9c8b608c4b2a6e",
    examinationsHash: "0x5e7d9c8b608c4b2a6e0d1f3c5b7a9e8d6c4b2a0f1e3d5c7b9a8f6e4d2c0b1a3f",
    verdict: "SUCCESS",
    confPpm: 930_000,
    judgeVersion: "examination/v1",
    reasoningHash: "0xdfbb1c64d31caddc2d0dbd88b54ccd9c4490cd59ee5f92b3f787dd3a53b6a252",
  },
  evidenceHash: "0x3d5c7b9a8f6e4d2c0b1a3f5e7d9c8b608c4b2a6e0d1f3c5b7a9e8d6c4b2a0f1e",
};

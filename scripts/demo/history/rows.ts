import { createHash } from "node:crypto";
import type { agents } from "@/server/agents/tables";
import { toFinalVerdict } from "@/server/disputes/schema";
import type { disputeSides, disputes } from "@/server/disputes/tables";
import { commitTo, hashJson } from "@/server/judging/evidence";
import { sha256 } from "@/server/lib/hash";
import { ESTIMATED_RESOLUTION_SECONDS } from "@/server/outcomes/schema";
import type { outcomes } from "@/server/outcomes/tables";
import type { anchors } from "@/server/reputation/tables";
import type { PlannedAgent, PlannedAnchor, PlannedDispute, PlannedOutcome } from "./planned-events";

/**
 * The judge that pages and API show, since no real one was involved. The evidence, whose hash is on
 * chain, also has `simulated: true`.
 */
const JUDGE = { judgeKind: "gate", judgeId: "simulated" } as const;
const JUDGE_VERSION = "simulated/v1";

const toDate = (seconds: number) => new Date(seconds * 1_000);
const deriveSalt = (id: string) =>
  createHash("sha256").update(`salt ${id}`).digest().subarray(0, 16);

export function buildAgentRow(agent: PlannedAgent): typeof agents.$inferInsert {
  const { id, wallet, name, description, categories, registeredAt } = agent;
  const at = toDate(registeredAt);
  return {
    id,
    wallet,
    name,
    description,
    categories,
    walletVerifiedAt: agent.isWalletVerified ? at : null,
    createdAt: at,
    updatedAt: at,
    simulated: true,
  };
}

/** Returns the row of a judged outcome with a pending record. */
export function buildOutcomeRow(
  outcome: PlannedOutcome,
  {
    submitterAgentId,
    payment,
  }: { submitterAgentId: string; payment: { id: string; txHash: string } | null },
): typeof outcomes.$inferInsert & { evidenceHash: string } {
  const { id, contractor, requester, category, verdict, confPpm, task, deliverable } = outcome;
  const salt = deriveSalt(id);
  const taskHash = commitTo(salt, task);
  const deliverableHash = commitTo(salt, deliverable);
  const evidence = {
    outcomeId: id,
    taskHash,
    deliverableHash,
    documentHash: null,
    checksHash: null,
    examinationsHash: null,
    verdict,
    confPpm,
    judgeVersion: JUDGE_VERSION,
    reasoningHash: sha256(outcome.reasoning),
    simulated: true,
  } as const;
  return {
    id,
    contractor,
    requester,
    taskDescription: task,
    title: outcome.title,
    taskCategory: category,
    deliverableContent: deliverable,
    valueMicro: BigInt(outcome.valueMicro),
    paidMicro: BigInt(outcome.paidMicro),
    paymentTxHash: payment?.txHash ?? null,
    paymentTransferId: payment?.id ?? null,
    submittedBy: outcome.submittedBy,
    submitterAgentId,
    salt,
    taskHash,
    deliverableHash,
    submittedAt: toDate(outcome.submittedAt),
    inputHash: hashJson({ simulated: id }),
    storedAnswer: JSON.stringify({
      outcomeId: id,
      status: "EVALUATING",
      estimatedResolutionSeconds: ESTIMATED_RESOLUTION_SECONDS,
    }),
    judgedAt: toDate(outcome.at),
    verdict,
    confidencePpm: confPpm,
    reasoning: outcome.reasoning,
    ...JUDGE,
    evidence,
    evidenceHash: hashJson(evidence),
    proven: outcome.proven,
    simulated: true,
  };
}

/** Returns the row of a reviewed dispute with a pending record. */
export function buildDisputeRow(
  dispute: PlannedDispute,
  { outcome, outcomeEvidenceHash }: { outcome: PlannedOutcome; outcomeEvidenceHash: string },
): typeof disputes.$inferInsert & { evidenceHash: string } {
  const { id, outcomeId, openedBy, verdict, openedAt, at } = dispute;
  const salt = deriveSalt(id);
  const finalVerdict = toFinalVerdict(verdict);
  const statements = [dispute.statement, ...(dispute.answer === null ? [] : [dispute.answer])];
  const isUpheld = finalVerdict === outcome.verdict;
  const explanation = isUpheld
    ? `Simulated review; no judge was used. The statements do not change the verdict: the work is a ${outcome.verdict.toLowerCase()}.`
    : `Simulated review; no judge was used. The statements change the verdict: the work is a ${finalVerdict.toLowerCase()}.`;
  const evidence = {
    disputeId: id,
    outcomeId,
    outcomeEvidenceHash,
    statementHashes: statements.map((text) => commitTo(salt, text)),
    evidenceHashes: [],
    reviewHash: null,
    verdict,
    assessed: true,
    judgeVersion: JUDGE_VERSION,
    reasoningHash: sha256(explanation),
    simulated: true,
  } as const;
  return {
    id,
    outcomeId,
    openedBy,
    contractor: outcome.contractor,
    requester: outcome.requester,
    recordedVerdict: outcome.verdict,
    salt,
    openedAt: toDate(openedAt),
    expiresAt: toDate(at),
    reviewStartedAt: toDate(at),
    judgedAt: toDate(at),
    verdict,
    assessed: true,
    finalVerdict,
    explanation,
    ...JUDGE,
    evidence: { ...evidence, statementHashes: [...evidence.statementHashes], evidenceHashes: [] },
    evidenceHash: hashJson(evidence),
    simulated: true,
  };
}

/** Returns the row of a party's statement and stake payment. */
export function buildSideRow(
  dispute: PlannedDispute,
  by: "opener" | "other",
  { agentId, transferId }: { agentId: string; transferId: string },
): typeof disputeSides.$inferInsert {
  const other = dispute.openedBy === "contractor" ? "requester" : "contractor";
  const isOpener = by === "opener";
  return {
    disputeId: dispute.id,
    party: isOpener ? dispute.openedBy : other,
    agentId,
    statement: isOpener ? dispute.statement : dispute.answer,
    transferId,
    stakedAt: toDate(isOpener ? dispute.openedAt : Math.min(dispute.at, dispute.openedAt + 30)),
  };
}

export function buildAnchorRow(anchor: PlannedAnchor): typeof anchors.$inferInsert {
  const { id, wallet, at, until, reason } = anchor;
  const from = toDate(at);
  return {
    id,
    wallet,
    from,
    until: until === null ? null : toDate(until),
    reason,
    createdAt: from,
  };
}

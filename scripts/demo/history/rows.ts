import { createHash } from "node:crypto";
import type { agents } from "@/server/agents/tables";
import type { NewRecord } from "@/server/chain/registry/ledger";
import { toFinalVerdict } from "@/server/disputes/schema";
import type { disputeSides, disputes } from "@/server/disputes/tables";
import { commitTo, hashJson } from "@/server/judging/evidence";
import { sha256 } from "@/server/lib/hash";
import { ESTIMATED_RESOLUTION_SECONDS } from "@/server/outcomes/schema";
import type { outcomes } from "@/server/outcomes/tables";
import type { anchors } from "@/server/reputation/tables";
import type {
  PlannedAgent,
  PlannedAnchor,
  PlannedDispute,
  PlannedEvent,
  PlannedOutcome,
} from "./planned-events";

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
  const { id, wallet, name, description, categories } = agent;
  const at = toDate(agent.registeredAt);
  const walletVerifiedAt = agent.isWalletVerified ? at : null;
  const times = { walletVerifiedAt, createdAt: at, updatedAt: at };
  return { id, wallet, name, description, categories, ...times, simulated: true };
}

/** Returns the row of a judged outcome with a pending record. */
export function buildOutcomeRow(
  outcome: PlannedOutcome,
  {
    submitterAgentId,
    payment,
  }: { submitterAgentId: string; payment: { id: string; txHash: string } | undefined },
): typeof outcomes.$inferInsert & { evidenceHash: string } {
  const { id, contractor, requester, title, submittedBy, proven } = outcome;
  const { task, deliverable, reasoning, verdict, confPpm } = outcome;
  const salt = deriveSalt(id);
  const hashes = {
    taskHash: commitTo(salt, task),
    deliverableHash: commitTo(salt, deliverable),
  };
  const evidence = {
    outcomeId: id,
    ...hashes,
    documentHash: null,
    checksHash: null,
    examinationsHash: null,
    verdict,
    confPpm,
    judgeVersion: JUDGE_VERSION,
    reasoningHash: sha256(reasoning),
    simulated: true,
  } as const;
  return {
    ...{ id, contractor, requester, title, submittedBy, submitterAgentId, proven, salt },
    ...hashes,
    taskDescription: task,
    taskCategory: outcome.category,
    deliverableContent: deliverable,
    valueMicro: BigInt(outcome.valueMicro),
    paidMicro: BigInt(outcome.paidMicro),
    paymentTxHash: payment?.txHash ?? null,
    paymentTransferId: payment?.id ?? null,
    submittedAt: toDate(outcome.submittedAt),
    inputHash: hashJson({ simulated: id }),
    storedAnswer: JSON.stringify({
      outcomeId: id,
      status: "EVALUATING",
      estimatedResolutionSeconds: ESTIMATED_RESOLUTION_SECONDS,
    }),
    ...{ verdict, reasoning, confidencePpm: confPpm, judgedAt: toDate(outcome.at), ...JUDGE },
    evidence,
    evidenceHash: hashJson(evidence),
    simulated: true,
  };
}

/** Returns the row of a reviewed dispute with a pending record. */
export function buildDisputeRow(
  dispute: PlannedDispute,
  disputed: { planned: PlannedOutcome; evidenceHash: string },
): typeof disputes.$inferInsert & { evidenceHash: string } {
  const { id, outcomeId, openedBy, verdict } = dispute;
  const { contractor, requester, verdict: recordedVerdict } = disputed.planned;
  const salt = deriveSalt(id);
  const finalVerdict = toFinalVerdict(verdict);
  const statements = [dispute.statement, ...(dispute.answer === null ? [] : [dispute.answer])];
  const effect = finalVerdict === recordedVerdict ? "do not change" : "change";
  const explanation = `Simulated review; no judge was used. The statements ${effect} the verdict: the work is a ${finalVerdict.toLowerCase()}.`;
  const evidence: NonNullable<(typeof disputes.$inferInsert)["evidence"]> = {
    disputeId: id,
    outcomeId,
    outcomeEvidenceHash: disputed.evidenceHash,
    statementHashes: statements.map((text) => commitTo(salt, text)),
    evidenceHashes: [],
    reviewHash: null,
    verdict,
    assessed: true,
    judgeVersion: JUDGE_VERSION,
    reasoningHash: sha256(explanation),
    simulated: true,
  };
  const at = toDate(dispute.at);
  return {
    ...{ id, outcomeId, openedBy, contractor, requester, recordedVerdict, salt },
    openedAt: toDate(dispute.openedAt),
    ...{ expiresAt: at, reviewStartedAt: at, judgedAt: at },
    ...{ verdict, assessed: true, finalVerdict, explanation, ...JUDGE },
    evidence,
    evidenceHash: hashJson(evidence),
    simulated: true,
  };
}

/** Returns the row of a party's statement and stake payment. */
export function buildSideRow(
  { id, openedBy, openedAt, at, statement, answer }: PlannedDispute,
  isOpener: boolean,
  references: { agentId: string; transferId: string },
): typeof disputeSides.$inferInsert {
  const other = openedBy === "contractor" ? "requester" : "contractor";
  return {
    ...references,
    disputeId: id,
    party: isOpener ? openedBy : other,
    statement: isOpener ? statement : answer,
    stakedAt: toDate(isOpener ? openedAt : Math.min(at, openedAt + 30)),
  };
}

export function buildAnchorRow(anchor: PlannedAnchor): typeof anchors.$inferInsert {
  const { id, wallet, until, reason } = anchor;
  const from = toDate(anchor.at);
  return {
    id,
    wallet,
    from,
    createdAt: from,
    reason,
    until: until === null ? null : toDate(until),
  };
}

/** Returns the record of an event, which the registry stores. */
export function buildRecord(
  event: PlannedEvent,
  getSeq: (anchorId: string) => number,
  evidenceHash?: string,
): NewRecord {
  return event.type === "anchor-revoked"
    ? { type: event.type, anchorSeq: getSeq(event.anchorId) }
    : { ...event, ...(evidenceHash && { evidenceHash }) };
}

import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { toFinalVerdict } from "@/server/disputes/schema";
import { disputeSides, disputes } from "@/server/disputes/tables";
import { commitTo, hashJson } from "@/server/judging/evidence";
import type { Transaction } from "@/server/lib/context";
import { sha256 } from "@/server/lib/hash";
import { ESTIMATED_RESOLUTION_SECONDS } from "@/server/outcomes/schema";
import { outcomes } from "@/server/outcomes/tables";
import { anchors } from "@/server/reputation/tables";
import type { PlannedDispute, PlannedEvent, PlannedOutcome } from "./planned-events";

/**
 * The judge that pages and API show, since no real one was involved. The evidence, whose hash is on
 * chain, also has `simulated: true`.
 */
const JUDGE = { judgeKind: "gate", judgeId: "simulated" } as const;
const JUDGE_VERSION = "simulated/v1";

export const toDate = (seconds: number) => new Date(seconds * 1_000);
const deriveSalt = (id: string) =>
  createHash("sha256").update(`salt ${id}`).digest().subarray(0, 16);

/** What an event refers to. */
export interface Played {
  getAgentId(wallet: string): string;
  outcomes: Map<string, { planned: PlannedOutcome; evidenceHash: string }>;
  /** The event's payment, or its stakes in the order of `listStakers`. */
  transfers: { id: string; txHash: string }[];
}

/** Stores the rows of an event. Returns the hash of its evidence; undefined if it has none. */
export async function storeEvent(
  tx: Transaction,
  event: PlannedEvent,
  played: Played,
): Promise<string | undefined> {
  if (event.type === "outcome") return storeOutcome(tx, event, played);
  if (event.type === "dispute") return storeDispute(tx, event, played);
  const at = toDate(event.at);
  if (event.type === "anchor") {
    const { id, wallet, reason } = event;
    const until = event.until === null ? null : toDate(event.until);
    await tx.insert(anchors).values({ id, wallet, from: at, createdAt: at, reason, until });
  } else {
    await tx.update(anchors).set({ revokeAskedAt: at }).where(eq(anchors.id, event.anchorId));
  }
  return undefined;
}

/** Stores a judged outcome with a pending record. */
async function storeOutcome(
  tx: Transaction,
  outcome: PlannedOutcome,
  { getAgentId, outcomes: played, transfers: [payment] }: Played,
): Promise<string> {
  const { id, contractor, requester, title, submittedBy, proven } = outcome;
  const { task, deliverable, reasoning, verdict, confPpm } = outcome;
  const salt = deriveSalt(id);
  const hashes = { taskHash: commitTo(salt, task), deliverableHash: commitTo(salt, deliverable) };
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
  const evidenceHash = hashJson(evidence);
  played.set(id, { planned: outcome, evidenceHash });
  const status = { outcomeId: id, status: "EVALUATING" };
  await tx.insert(outcomes).values({
    ...{ id, contractor, requester, title, submittedBy, proven, salt, ...hashes },
    submitterAgentId: getAgentId(outcome[submittedBy]),
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
      ...status,
      estimatedResolutionSeconds: ESTIMATED_RESOLUTION_SECONDS,
    }),
    ...{ verdict, reasoning, confidencePpm: confPpm, judgedAt: toDate(outcome.at), ...JUDGE },
    ...{ evidence, evidenceHash, simulated: true },
  });
  return evidenceHash;
}

/** Stores a reviewed dispute with a pending record, and its sides. */
async function storeDispute(
  tx: Transaction,
  dispute: PlannedDispute,
  { getAgentId, outcomes: played, transfers }: Played,
): Promise<string> {
  const { id, outcomeId, openedBy, verdict, answer } = dispute;
  const disputed = played.get(outcomeId);
  if (!disputed) throw new Error(`dispute ${id} comes before its outcome`);
  const { contractor, requester, verdict: recordedVerdict } = disputed.planned;
  const salt = deriveSalt(id);
  const finalVerdict = toFinalVerdict(verdict);
  const statements = [dispute.statement, ...(answer === null ? [] : [answer])];
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
  const evidenceHash = hashJson(evidence);
  const at = toDate(dispute.at);
  await tx.insert(disputes).values({
    ...{ id, outcomeId, openedBy, contractor, requester, recordedVerdict, salt },
    openedAt: toDate(dispute.openedAt),
    ...{ expiresAt: at, reviewStartedAt: at, judgedAt: at },
    ...{ verdict, assessed: true, finalVerdict, explanation, ...JUDGE },
    ...{ evidence, evidenceHash, simulated: true },
  });
  await tx.update(outcomes).set({ disputeId: id }).where(eq(outcomes.id, outcomeId));
  const stakedAt = [dispute.openedAt, Math.min(dispute.at, dispute.openedAt + 30)];
  for (const [index, party] of listStakers(dispute).entries()) {
    await tx.insert(disputeSides).values({
      ...{ disputeId: id, party, statement: statements[index] ?? null },
      agentId: getAgentId(disputed.planned[party]),
      transferId: transfers[index]?.id ?? "",
      stakedAt: toDate(stakedAt[index] ?? 0),
    });
  }
  return evidenceHash;
}

/** Returns the opener, and the other party if it responds. */
export function listStakers({ openedBy, answer }: PlannedDispute): PlannedDispute["openedBy"][] {
  const other = openedBy === "contractor" ? "requester" : "contractor";
  return answer === null ? [openedBy] : [openedBy, other];
}

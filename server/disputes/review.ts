import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import { createPageStore } from "@/server/judging/documents/page-store";
import { readDeliverable } from "@/server/judging/documents/read-deliverable";
import { commitToHash, hashJson } from "@/server/judging/evidence";
import type {
  Brief,
  Deliverable,
  JudgeOptions,
  Review,
  Reviewer,
  ReviewInput,
} from "@/server/judging/judge";
import { findJudgement } from "@/server/judging/queries";
import type { Core } from "@/server/lib/context";
import { sha256 } from "@/server/lib/hash";
import { buildJudgeInput, findTerms } from "@/server/outcomes/judge-outcome";
import type { OutcomeRow } from "@/server/outcomes/public-outcome";
import { requireOutcome } from "@/server/outcomes/queries";
import { disputeJudged } from "./events";
import type { DisputeRow, SideRow } from "./public-dispute";
import { findSides, requireDispute } from "./queries";
import { reviewCase } from "./review-case";
import { type DisputeEvidence, type Party, toDisputeVerdict } from "./schema";
import { disputeSides, disputes } from "./tables";

/**
 * Reviews a dispute that is due, and stores the verdict and its recording event in one
 * transaction. Returns `not-due` if the other party may still answer. Repeating it changes
 * nothing.
 *
 * Throws `JudgeUnavailable`; the dispute then stays open, without a loss for either party. Retry.
 */
export async function reviewDispute(
  core: Core,
  reviewer: Reviewer,
  disputeId: string,
  { now, ...options }: JudgeOptions & { now: Date },
): Promise<"judged" | "not-due"> {
  const dispute = await startReview(core, disputeId, now);
  if (dispute.reviewStartedAt === null) return "not-due";
  if (dispute.judgedAt !== null) return "judged";
  const sides = await findSides(core.db, dispute);
  const outcome = await requireOutcome(core.db, dispute.outcomeId);
  const input = await loadCase(core, dispute, outcome, sides);
  // All disputes take one turn among the clients, and their openers turns within it.
  const opener = sides.find(({ party }) => party === dispute.openedBy);
  const queueKey = ["disputes", opener?.agentId ?? ""] as const;
  const pages = createPageStore(core.db, {
    subjectId: outcome.id,
    // New pages, which a requester may have changed by now, must not overturn a SUCCESS.
    submitter:
      input.isSupplied && dispute.recordedVerdict === "FAILURE" ? outcome.contractor : null,
  });
  const review = await reviewCase(reviewer, input, { ...options, pages, queueKey });
  await storeVerdict(core, dispute, outcome, sides, review);
  return "judged";
}

/**
 * Closes the dispute to answers once both stakes are paid or the response window is over, and
 * returns its current row. Attaching an answer locks the row while the dispute is open, so an
 * answer is either stored before this and judged, or refused because the review has started.
 */
async function startReview({ db }: Core, disputeId: string, now: Date): Promise<DisputeRow> {
  const isAnswered = sql`(select count(*) from ${disputeSides} where ${disputeSides.disputeId} = ${disputes.id}) = 2`;
  await db
    .update(disputes)
    .set({ reviewStartedAt: now })
    .where(
      and(
        eq(disputes.id, disputeId),
        isNull(disputes.reviewStartedAt),
        or(lte(disputes.expiresAt, now), isAnswered),
      ),
    );
  return requireDispute(db, disputeId);
}

/**
 * Loads the disputed case: the texts, the first judgement, and the sides' statements and evidence.
 */
async function loadCase(
  core: Core,
  { outcomeId, recordedVerdict }: DisputeRow,
  outcome: OutcomeRow,
  sides: SideRow[],
): Promise<ReviewInput> {
  const judgement = await findJudgement(core.db, outcomeId);
  const agreed = await findTerms(core, outcome);
  const supplied = sides.find(({ deliverableHash }) => deliverableHash !== null);
  const onlyStored = { lastFetch: true, submitter: null, agreed };
  const submitted = await buildJudgeInput(core, outcome, onlyStored);
  const findBrief = async (party: Party) => {
    const side = sides.find((one) => one.party === party);
    return side ? readBrief(core, side) : null;
  };
  return {
    ...submitted,
    ...(supplied ? { deliverable: await readSupplied(core, supplied) } : {}),
    isSupplied: supplied !== undefined,
    recorded: {
      verdict: recordedVerdict,
      isByModel: judgement?.judgeKind === "llm",
      checks: judgement?.detail.checks,
    },
    contractor: await findBrief("contractor"),
    requester: await findBrief("requester"),
  };
}

/** Returns the text that the contractor supplied, else its fetched document. */
async function readSupplied(core: Core, side: SideRow): Promise<Deliverable> {
  const { id, deliverableContent: text, evidenceUrl } = side;
  if (text !== null) return { kind: "text", text, source: "content" };
  return readDocument(core, id, evidenceUrl, null);
}

/** Returns a side's statement and its document, as fetched when the side was stored. */
async function readBrief(core: Core, side: SideRow): Promise<Brief> {
  const { id, statement, evidenceUrl: url, evidenceFailure } = side;
  // A document that is judged as the deliverable is not evidence about it.
  const isDeliverable = side.deliverableHash !== null && side.deliverableContent === null;
  const isEvidence = url !== null && evidenceFailure === null && !isDeliverable;
  const document = isEvidence ? await readDocument(core, id, url, null) : null;
  return { statement, evidence: document?.kind === "text" ? document.text : null };
}

/** Returns the content, else the document as it was stored, or the reason why there is none. */
function readDocument(core: Core, subjectId: string, url: string | null, content: string | null) {
  const onlyStored = { submitter: null, lastAttempt: true };
  return readDeliverable(core, { subjectId, content, url, ...onlyStored });
}

async function storeVerdict(
  core: Core,
  dispute: DisputeRow,
  outcome: OutcomeRow,
  sides: SideRow[],
  review: Review,
): Promise<void> {
  const verdict = toDisputeVerdict(review.finalVerdict);
  const [suppliedHash] = sides.flatMap(({ deliverableHash }) => deliverableHash ?? []);
  const evidence: DisputeEvidence = {
    disputeId: dispute.id,
    outcomeId: dispute.outcomeId,
    outcomeEvidenceHash: outcome.evidenceHash,
    statementHashes: sides.flatMap(({ statement }) => (statement ? sha256(statement) : [])),
    evidenceHashes: sides.flatMap(({ evidenceHash }) => evidenceHash ?? []),
    ...(suppliedHash ? { deliverableHash: suppliedHash } : {}),
    reviewHash: commitToHash(dispute.salt, hashJson(review.detail)),
    verdict,
    assessed: review.assessed,
    judgeVersion: review.version,
    reasoningHash: sha256(review.explanation),
  };
  await core.db.transaction(async (tx) => {
    const stored = await tx
      .update(disputes)
      .set({
        judgedAt: new Date(),
        verdict,
        assessed: review.assessed,
        finalVerdict: review.finalVerdict,
        explanation: review.explanation,
        judgeKind: review.judge.kind,
        judgeId: review.judge.id,
        evidence,
        evidenceHash: hashJson(evidence),
        detail: review.detail,
      })
      .where(and(eq(disputes.id, dispute.id), isNull(disputes.judgedAt)))
      .returning({ id: disputes.id });
    if (stored.length === 0) return;
    const data = { disputeId: dispute.id };
    await core.publish(tx, [
      { id: `dispute-judged:${dispute.id}`, name: disputeJudged.name, data },
    ]);
  });
}

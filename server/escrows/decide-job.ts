import { eq } from "drizzle-orm";
import { type Address, type Hex, keccak256, stringToBytes } from "viem";
import { simulateCall } from "@/server/chain/client";
import type { Sender } from "@/server/chain/transactions/sender";
import { isBlank } from "@/server/judging/canonicalise";
import type { Core } from "@/server/lib/context";
import { acquireMutex } from "@/server/lib/process/mutex";
import { outcomes } from "@/server/outcomes/tables";
import { encodeDecision, findDeliverableHash, readEvaluatorFee } from "./contract";
import { FEE_PROBLEM } from "./find-problem";
import type { Reading } from "./read-new-jobs";
import { closeJob, type DecidableJob, whereUndecided } from "./review-job";
import { type EscrowJob, escrowJobs } from "./tables";

/** A verdict of this confidence, in millionths, says nothing. */
const UNASSESSED_PPM = 500_000;

type Outcome = typeof outcomes.$inferSelect;

type Step =
  | { do: "complete" | "reject"; evidence: Hex }
  | { do: "declined" | "ended"; reason: string }
  | { do: "wait" };

/**
 * Takes the next step of a job that holds an agreement's payment: signs the decision that the verdict
 * makes, gives up, or waits for verdict or submission. Throws if the node is unreachable.
 */
export async function decideJob(
  core: Core,
  sender: Sender,
  job: DecidableJob,
  reading: Reading,
): Promise<void> {
  const { row, agreement } = job;
  const [outcome] = await core.db
    .select()
    .from(outcomes)
    .where(eq(outcomes.agreementId, agreement.id));
  const hash =
    job.status === "submitted" && outcome?.judgedAt
      ? await findDeliverableHash(core.chain, row, {
          from: row.createdBlock,
          to: reading.confirmed,
        })
      : null;
  const step = chooseStep(job, outcome, hash, reading.at);
  if (step.do === "complete" && (await readEvaluatorFee(core.chain, row.escrow)) !== 0n) {
    return closeJob(core, row, "declined", FEE_PROBLEM);
  }
  if ("reason" in step) return closeJob(core, row, step.do, step.reason);
  if ("evidence" in step) await signDecision(core, sender, row, { ...step, hash });
}

/** Decides by the agreement's outcome, if there is one. `submitted` is the hash that the provider submitted. */
export function chooseStep(
  { row, status, agreement }: DecidableJob,
  outcome: Outcome | undefined,
  submitted: Hex | null,
  now: Date,
): Step {
  const isOver = row.expiresAt <= now;
  const claim = "The client can have its money back with claimRefund";
  if (!outcome) {
    if (agreement.status === "CANCELLED") {
      return { do: "reject", evidence: agreement.termsHash as Hex };
    }
    const reason = `Nothing was delivered or reported here before the job expired. ${claim}.`;
    return isOver ? { do: "ended", reason } : { do: "wait" };
  }
  if (!outcome.judgedAt) return { do: "wait" };
  const verdict = outcome.finalVerdict ?? outcome.verdict;
  const evidence = (outcome.evidenceHash ?? agreement.termsHash) as Hex;
  if ((outcome.confidencePpm ?? 0) <= UNASSESSED_PPM && !outcome.disputeId) {
    const unassessed = `The deliverable could not be assessed. ${claim} once the job has expired.`;
    return { do: "declined", reason: unassessed };
  }
  // The agreement's only delivery has failed, whatever was submitted to the escrow.
  if (verdict === "FAILURE") return { do: "reject", evidence };
  if (status === "funded" || submitted === null) {
    const late = `The provider submitted nothing to the escrow before the job expired. ${claim}.`;
    return isOver ? { do: "ended", reason: late } : { do: "wait" };
  }
  if (submitted !== hashDeliverable(outcome)) {
    const other = `The deliverable submitted to the escrow is not the one delivered here: the hashes differ. ${claim} once the job has expired.`;
    return { do: "declined", reason: other };
  }
  return { do: "complete", evidence };
}

/** Returns what the provider must submit: keccak256 of the delivered text, or of its URL without one. */
export function hashDeliverable({
  deliverableContent,
  deliverableUrl,
}: Pick<Outcome, "deliverableContent" | "deliverableUrl">): Hex {
  const content = deliverableContent ?? "";
  return keccak256(stringToBytes(isBlank(content) ? (deliverableUrl ?? content) : content));
}

/**
 * Signs the decision and stores the transaction with the job, before it is broadcast, unless it was
 * signed concurrently or the escrow would refuse it now. Throws if the node is unreachable.
 */
async function signDecision(
  core: Pick<Core, "db" | "log">,
  sender: Sender,
  row: EscrowJob,
  { do: decision, evidence, hash }: Extract<Step, { evidence: Hex }> & { hash: Hex | null },
): Promise<void> {
  const { chain } = sender;
  const to = row.escrow as Address;
  const call = { to, ...encodeDecision(decision, row.jobId, evidence) };
  const account = chain.escrows?.evaluator;
  if (!account) return;
  if ((await simulateCall(chain.client, { account, ...call })) === null) {
    core.log.warn(
      { escrow: row.escrow, jobId: row.jobId, decision },
      "an escrow would refuse the decision now: the next run looks again",
    );
    return;
  }
  // Waiting for the nonce holds a database connection, and the pool is small.
  const release = await acquireMutex("sign-escrow-decision");
  try {
    await core.db.transaction(async (tx) => {
      const claimed = await tx
        .update(escrowJobs)
        .set({ status: "deciding", decision, deliverableHash: hash })
        .where(whereUndecided(row))
        .returning({ id: escrowJobs.id });
      if (claimed.length === 0) return;
      const request = { signer: "evaluator", purpose: "escrow", ...call } as const;
      const { transactionId } = await sender.signTransaction(tx, request);
      await tx.update(escrowJobs).set({ transactionId }).where(eq(escrowJobs.id, row.id));
    });
  } finally {
    release();
  }
}

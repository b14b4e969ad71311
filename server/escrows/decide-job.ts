import { and, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import { type Address, type Hex, keccak256, stringToBytes } from "viem";
import type { AgreementStatus } from "@/server/agreements/schema";
import { agreements } from "@/server/agreements/tables";
import { simulateCall } from "@/server/chain/client";
import { signOnce } from "@/server/chain/transactions/send-for-effect";
import type { Sender } from "@/server/chain/transactions/sender";
import type { Core, EvaluatedEscrows, Sql } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import { encodeDecision, readEvaluatorFee } from "./contract";
import { FEE_PROBLEM } from "./find-problem";
import { isSuccess } from "./queries";
import {
  closeJob,
  type Reading,
  readHeldJob,
  SETTLED_BY_OTHERS,
  whereIsUndecided,
} from "./review-job";
import { type EscrowJob, escrowJobs, whereUndecided } from "./tables";

/** The ends of an agreement without an outcome. */
const ENDED: AgreementStatus[] = ["CANCELLED", "DECLINED", "EXPIRED", "LAPSED"];

/**
 * Finds jobs that can be decided: those of an agreement that ended without an outcome, or with one that
 * is judged. A success also needs the provider's submission.
 */
export const findDecidableJobs = (db: Sql, { addresses }: EvaluatedEscrows) =>
  db
    .select({ row: escrowJobs, agreement: agreements, outcomeId: outcomes.id, isSuccess })
    .from(escrowJobs)
    .innerJoin(agreements, eq(agreements.id, escrowJobs.agreementId))
    .leftJoin(outcomes, eq(outcomes.agreementId, agreements.id))
    .where(
      and(
        whereUndecided,
        inArray(escrowJobs.escrow, [...addresses]),
        or(
          inArray(agreements.status, ENDED),
          and(
            isNotNull(outcomes.judgedAt),
            or(isNotNull(escrowJobs.deliverableHash), sql`not ${isSuccess}`),
          ),
        ),
      ),
    );

type DecidableJob = Awaited<ReturnType<typeof findDecidableJobs>>[number];

/**
 * Signs the decision of a job that can be decided, or declines it. Throws if the node is unreachable.
 */
export async function decideJob(
  core: Core,
  sender: Sender,
  { row, agreement, outcomeId, isSuccess }: DecidableJob,
  { confirmed }: Reading,
): Promise<void> {
  const job = await readHeldJob(core, row, agreement, confirmed);
  if (!job) return;
  const end = SETTLED_BY_OTHERS[job.status];
  if (end) return closeJob(core, row, "ended", end);
  const [outcome] =
    outcomeId === null
      ? []
      : await core.db.select().from(outcomes).where(eq(outcomes.id, outcomeId));
  const evidence = (outcome?.evidenceHash ?? agreement.termsHash) as Hex;
  if (!outcome || !isSuccess) return signDecision(core, sender, row, "reject", evidence);
  const claim = "The client can have its money back with claimRefund once the job has expired.";
  if (row.deliverableHash !== hashDeliverable(outcome.deliverableContent ?? "")) {
    const other = `The deliverable submitted to the escrow is not the one delivered here: the hashes differ. ${claim}`;
    return closeJob(core, row, "declined", other);
  }
  if ((await readEvaluatorFee(core.chain, row.escrow)) !== 0n) {
    return closeJob(core, row, "declined", FEE_PROBLEM);
  }
  await signDecision(core, sender, row, "complete", evidence);
}

/** Returns what the provider must submit: keccak256 of the delivered text's bytes. */
export const hashDeliverable = (content: string): Hex => keccak256(stringToBytes(content));

/**
 * Signs the decision and stores the transaction with the job, before it is broadcast, unless it was
 * signed concurrently or the escrow would refuse it now. Throws if the node is unreachable.
 */
async function signDecision(
  core: Pick<Core, "db" | "log">,
  sender: Sender,
  row: EscrowJob,
  decision: "complete" | "reject",
  evidence: Hex,
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
  await signOnce(
    core,
    sender,
    { signer: "evaluator", purpose: "escrow", ...call },
    {
      table: escrowJobs,
      id: row.id,
      where: whereIsUndecided(row),
      set: (transactionId) => ({ status: "deciding" as const, decision, transactionId }),
    },
  );
}

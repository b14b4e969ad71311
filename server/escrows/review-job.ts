import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { agreementPaid, createAgreementEvent } from "@/server/agreements/events";
import { readTime } from "@/server/agreements/find-transfers";
import { agreements } from "@/server/agreements/tables";
import type { Core, EvaluatedEscrows } from "@/server/lib/context";
import { wakeRecorder } from "@/server/outcomes/wake-recorder";
import { type Job, readJob } from "./contract";
import { evaluatorDeclined } from "./events";
import { findProblem, parseTermsHash } from "./find-problem";
import { findNamedAgreement, type NamedAgreement } from "./queries";
import { type EscrowJob, escrowJobs, fundingOrder, whereUndecided, whereUnread } from "./tables";

export interface Reading {
  escrows: EvaluatedEscrows;
  /** Block as of which jobs are read: the latest at the depth at which payments count. */
  confirmed: bigint;
}

/**
 * Reads a job that was funded, once: it holds the payment of the agreement that it names, or it is
 * declined. It stays unread as long as an earlier one of its client is: the earliest job of an agreement
 * holds its payment, in whichever order processes read them. Throws if the node is unreachable.
 */
export async function reviewJob(
  core: Core,
  row: EscrowJob,
  { escrows, confirmed }: Reading,
): Promise<void> {
  const { db, chain } = core;
  const job = await readJob(chain, row, confirmed);
  if (!job || job.client !== row.client) {
    // A reorg removed it, or gave its number to another job. The logs are read again until they are final.
    await db.delete(escrowJobs).where(whereIsUndecided(row));
    return;
  }
  if (job.evaluator !== escrows.evaluator) {
    return closeJob(core, row, "ended", "The job has another evaluator.");
  }
  const agreement = await findNamedAgreement(db, parseTermsHash(job.description));
  const isTaken = agreement !== null && (await isTakenByOther(core, row, agreement, confirmed));
  const problem = findProblem(job, { chain, agreement, isTaken });
  const { provider, budget, expiresAt } = job;
  const facts = {
    provider,
    expiresAt,
    budgetMicro: budget < MAX_BIGINT ? budget : MAX_BIGINT,
    termsHash: parseTermsHash(job.description),
  };
  if (problem || !agreement) {
    await db.update(escrowJobs).set(facts).where(whereIsUndecided(row));
    return closeJob(core, { ...row, ...facts }, "declined", problem ?? "");
  }
  const fundedAt = await readTime(chain, row.fundedBlock);
  await db.transaction(async (tx) => {
    const held = await tx
      .update(escrowJobs)
      .set({ ...facts, status: "funded", agreementId: agreement.id })
      .where(whereIsNext(row, escrows))
      .returning({ id: escrowJobs.id });
    // The agreement of a job that is funded too late expires, which returns the money.
    if (held.length === 0 || fundedAt > agreement.startBy) return;
    await tx
      .update(agreements)
      .set({ paidAt: fundedAt })
      .where(and(eq(agreements.id, agreement.id), isNull(agreements.paidAt)));
    await core.publish(tx, [createAgreementEvent(agreementPaid, agreement.id)]);
  });
}

/** Matches the row while it is unread and none is that the client funded before. */
const whereIsNext = (row: EscrowJob, escrows: EvaluatedEscrows) =>
  sql`${escrowJobs.id} = ${row.id} and ${whereUnread(escrows)} and not exists (
    select from ${escrowJobs} where ${escrowJobs.client} = ${row.client} and ${whereUnread(escrows)}
      and (${fundingOrder}) < (${row.fundedBlock}, ${row.jobId}::numeric, ${row.escrow})
  )`;

/**
 * Returns whether another job holds the agreement's payment. One that a reorg removed is forgotten. Throws
 * if the node is unreachable.
 */
async function isTakenByOther(
  core: Pick<Core, "db" | "chain">,
  { id }: EscrowJob,
  agreement: NamedAgreement,
  confirmed: bigint,
): Promise<boolean> {
  const isHolder = and(eq(escrowJobs.agreementId, agreement.id), ne(escrowJobs.id, id));
  const [holder] = await core.db.select().from(escrowJobs).where(isHolder);
  return holder !== undefined && (await readHeldJob(core, holder, agreement, confirmed)) !== null;
}

/**
 * Returns the job that holds an agreement's payment. If the chain no longer has it, an undecided one is
 * forgotten, and null returned. Throws if the node is unreachable.
 */
export async function readHeldJob(
  { db, chain }: Pick<Core, "db" | "chain">,
  row: EscrowJob,
  agreement: NamedAgreement,
  confirmed: bigint,
): Promise<Job | null> {
  const job = await readJob(chain, row, confirmed);
  const isNamed = job && parseTermsHash(job.description) === agreement.termsHash;
  if (isNamed && findProblem(job, { chain, agreement, isTaken: false }) === null) return job;
  await db.delete(escrowJobs).where(whereIsUndecided(row));
  return null;
}

/** How a job ended that the service did not decide, by its state. */
export const SETTLED_BY_OTHERS: Partial<Record<Job["status"], string>> = {
  completed: "Another transaction completed the job.",
  rejected: "Another transaction rejected the job, so that its money is the client's again.",
  expired: "The job expired, and its money went back to the client.",
};

/** Matches the row while nothing is signed or decided about its job. */
export const whereIsUndecided = ({ id }: Pick<EscrowJob, "id">) =>
  and(eq(escrowJobs.id, id), whereUndecided);

const MAX_BIGINT = 2n ** 63n - 1n;

/** Stores that the service will not decide a job, and announces a refusal to its two parties. */
export async function closeJob(
  core: Core,
  { id, client, provider }: EscrowJob,
  status: "declined" | "ended",
  reason: string,
): Promise<void> {
  await core.db.transaction(async (tx) => {
    const closed = await tx
      .update(escrowJobs)
      .set({ status, reason, endedAt: new Date() })
      .where(whereIsUndecided({ id }))
      .returning({ id: escrowJobs.id });
    if (closed.length === 0) return;
    if (status === "declined") {
      const { name } = evaluatorDeclined;
      const events = [client, provider].map((wallet) => ({
        id: `escrow-declined:${id}:${wallet}`,
        name,
        data: { escrowJobId: id, wallet },
      }));
      await core.publish(tx, events);
    }
    // No record waits for it any more.
    await wakeRecorder(core, tx);
  });
}

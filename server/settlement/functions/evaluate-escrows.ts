import { and, eq, inArray, isNotNull, lt, or } from "drizzle-orm";
import pLimit from "p-limit";
import { chainTransactions, logCursors } from "@/server/chain/tables";
import type { Sender } from "@/server/chain/transactions/sender";
import { decideJob } from "@/server/escrows/decide-job";
import { JOBS_CURSOR } from "@/server/escrows/queries";
import {
  markRead,
  prepareReading,
  type Reading,
  readNewJobs,
} from "@/server/escrows/read-new-jobs";
import { OPEN_STATUSES, reviewJob } from "@/server/escrows/review-job";
import { type EscrowJob, escrowJobs } from "@/server/escrows/tables";
import { defineFunction } from "@/server/lib/background-function";
import type { Core, EvaluatedEscrows, Sql } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";
import { agreedOutcomeJudged } from "@/server/outcomes/events";
import { outcomes } from "@/server/outcomes/tables";
import { wakeRecorder } from "@/server/outcomes/wake-recorder";
import { settleEscrow } from "@/server/settlement/settle-escrow";

const CONCURRENT_JOBS = 8;

/**
 * Brings every job of the configured escrows one step further: reads new ones, declines those that it
 * will not decide, signs the decisions of those with a verdict, and carries decisions through. Then lets
 * the recorder look for outcomes that waited for that. Throws if the node is unreachable.
 */
export async function advanceEscrows(
  core: Core,
  sender: Sender,
  timeoutMs?: number,
): Promise<void> {
  const { db, chain } = core;
  // Again, since a process of an earlier configuration may have run meanwhile.
  await prepareReading(core);
  if (!chain.escrows) return;
  await settleDecisions(core, sender, timeoutMs);
  const reading = await readNewJobs(core, chain.escrows);
  if (!reading) return;
  await reviewJobs(core, sender, chain.escrows, reading);
  await db.transaction(async (tx) => {
    await markRead(tx, reading);
    const [pending] = await tx
      .select({ id: outcomes.id })
      .from(outcomes)
      .where(whereAgreedPending)
      .limit(1);
    if (pending) await wakeRecorder(core, tx);
  });
  await settleDecisions(core, sender, timeoutMs);
}

/** Reviews and decides all open jobs of the configured escrows. */
async function reviewJobs(
  core: Core,
  sender: Sender,
  escrows: EvaluatedEscrows,
  reading: Reading,
): Promise<void> {
  const isOpen = inArray(escrowJobs.status, [...OPEN_STATUSES]);
  const jobs = await core.db
    .select()
    .from(escrowJobs)
    .where(and(isOpen, inArray(escrowJobs.escrow, [...escrows.addresses])))
    .orderBy(escrowJobs.createdAt);
  const review = async (job: EscrowJob) => {
    const decidable = await reviewJob(core, job, { ...reading, escrows });
    // Its outcome's record waits from now on, so a failure to decide holds up no other.
    if (decidable) await forEachJob(core, [job], () => decideJob(core, sender, decidable, reading));
  };
  // Two jobs of one agreement can't be reviewed at once: then one of them is reviewed again.
  for (const job of await forEachJob(core, jobs, review)) await review(job);
}

/** Carries through the decisions that are signed and not final. */
async function settleDecisions(core: Core, sender: Sender, timeoutMs?: number): Promise<void> {
  const jobs = await core.db
    .select({ job: escrowJobs })
    .from(escrowJobs)
    .innerJoin(chainTransactions, eq(chainTransactions.id, escrowJobs.transactionId))
    .where(
      or(
        eq(escrowJobs.status, "deciding"),
        and(
          inArray(escrowJobs.status, ["completed", "rejected"]),
          inArray(chainTransactions.status, ["signed", "confirmed"]),
        ),
      ),
    );
  await forEachJob(
    core,
    jobs.map(({ job }) => job),
    (job) => settleEscrow(core, sender, job, timeoutMs),
  );
}

/** Does `work` for each job. Logs failures, and returns the jobs that failed. */
async function forEachJob(
  { log }: Pick<Core, "log">,
  jobs: EscrowJob[],
  work: (job: EscrowJob) => Promise<void>,
): Promise<EscrowJob[]> {
  const failed: EscrowJob[] = [];
  await pLimit(CONCURRENT_JOBS).map(jobs, (job) =>
    work(job).catch((error: unknown) => {
      log.warn({ err: error, escrow: job.escrow, jobId: job.jobId }, "an escrow job failed");
      failed.push(job);
    }),
  );
  return failed;
}

/** Matches judged outcomes under an agreement that have no confirmed record. */
const whereAgreedPending = and(
  eq(outcomes.status, "EVALUATING"),
  isNotNull(outcomes.judgedAt),
  isNotNull(outcomes.agreementId),
);

/** Returns whether an outcome was judged since the escrows were read last. */
async function isReadingDue(db: Sql): Promise<boolean> {
  const [due] = await db
    .select({ id: outcomes.id })
    .from(outcomes)
    .innerJoin(logCursors, eq(logCursors.name, JOBS_CURSOR))
    .where(and(whereAgreedPending, lt(logCursors.updatedAt, outcomes.judgedAt)))
    .limit(1);
  return due !== undefined;
}

/** Advances escrows every minute, and once an outcome under an agreement is judged. */
export const evaluateEscrows = (core: FunctionCore, sender: Sender) =>
  defineFunction(
    {
      id: "evaluate-escrows",
      triggers: [{ cron: "* * * * *" }, agreedOutcomeJudged],
      retries: 0,
      concurrency: { limit: 1 },
    },
    ({ event, step }) =>
      step.run("advance", async () => {
        const isNews = event.name === agreedOutcomeJudged.name;
        // One run reads for all outcomes that were judged before it.
        if (!isNews || (await isReadingDue(core.db))) await advanceEscrows(core, sender);
      }),
  );

import { and, eq, inArray, lte, or, sql } from "drizzle-orm";
import pLimit from "p-limit";
import { expireUnpaid, readKnownTime } from "@/server/agreements/find-transfers";
import { chainTransactions } from "@/server/chain/tables";
import { mineLocalBlocks } from "@/server/chain/transactions/finality";
import type { Sender } from "@/server/chain/transactions/sender";
import { decideJob, findDecidableJobs } from "@/server/escrows/decide-job";
import { findOverdue } from "@/server/escrows/queries";
import { readJobLogs } from "@/server/escrows/read-job-logs";
import { type Reading, reviewJob } from "@/server/escrows/review-job";
import { type EscrowJob, escrowJobs, fundingOrder, whereUnread } from "@/server/escrows/tables";
import type { Core, Sql } from "@/server/lib/context";
import { settleEscrow } from "./settle-escrow";

const CONCURRENT_JOBS = 8;
/** What one run reads of the jobs that were funded since; the next ones continue. */
const READ_AT_ONCE = 200;

/**
 * Reads what was funded and submitted in the configured escrows, decides the jobs whose agreement ended,
 * and carries decisions through. Jobs that nothing happened to are not read. Throws if the node is
 * unreachable.
 */
export async function advanceEscrows(
  core: Core,
  sender: Sender,
  timeoutMs?: number,
): Promise<void> {
  const { db, chain } = core;
  if (!chain.escrows) return;
  const { escrows } = chain;
  await settleDecisions(core, sender, timeoutMs);
  // A local chain makes blocks for transactions only.
  if ((await findOverdue(db)).length > 0) await mineLocalBlocks(chain);
  const confirmed = await readJobLogs(core, escrows);
  if (confirmed === null) return;
  const reading = { escrows, confirmed };
  const unread = await findUnreadJobs(db, reading);
  await forEachJob(core, unread, ({ row }) => reviewJob(core, row, reading), "client");
  const overdue = await findOverdue(db);
  if (overdue.length > 0) await expireUnpaid(core, overdue, await readKnownTime(chain, confirmed));
  await forEachJob(core, await findDecidableJobs(db, escrows), (job) =>
    decideJob(core, sender, job, reading),
  );
  await settleDecisions(core, sender, timeoutMs);
}

/** Finds jobs to read: the first of every client before the second of any, so that none holds up others. */
const findUnreadJobs = (db: Sql, { escrows, confirmed }: Reading) =>
  db
    .select({ row: escrowJobs })
    .from(escrowJobs)
    // Another process may have stored what this one's node does not have yet.
    .where(and(whereUnread(escrows), lte(escrowJobs.fundedBlock, confirmed)))
    .orderBy(sql`row_number() over (partition by ${escrowJobs.client} order by ${fundingOrder})`)
    .limit(READ_AT_ONCE);

/** Carries through the decisions that are signed and not final. */
async function settleDecisions(core: Core, sender: Sender, timeoutMs?: number): Promise<void> {
  const jobs = await core.db
    .select({ row: escrowJobs })
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
  await forEachJob(core, jobs, ({ row }) => settleEscrow(core, sender, row, timeoutMs));
}

/**
 * Does `work` for each job, for those with the same `key` one after the other. Logs failures: the next run
 * does it again.
 */
async function forEachJob<Job extends { row: EscrowJob }>(
  { log }: Pick<Core, "log">,
  jobs: Job[],
  work: (job: Job) => Promise<void>,
  key: "id" | "client" = "id",
): Promise<void> {
  const groups = Map.groupBy(jobs, ({ row }) => row[key]).values();
  await pLimit(CONCURRENT_JOBS).map(groups, async (group) => {
    for (const job of group) {
      await work(job).catch((error: unknown) => {
        const { escrow, jobId } = job.row;
        log.warn({ err: error, escrow, jobId }, "an escrow job failed");
      });
    }
  });
}

import { and, eq, inArray, isNull } from "drizzle-orm";
import { zeroAddress } from "viem";
import type { Core, EvaluatedEscrows, Transaction } from "@/server/lib/context";
import { type Job, readJob } from "./contract";
import { evaluatorDeclined } from "./events";
import { findProblem, parseTermsHash } from "./find-problem";
import { findNamedAgreement, isTakenByOther, type NamedAgreement } from "./queries";
import type { Reading } from "./read-new-jobs";
import { type EscrowJob, escrowJobs } from "./tables";

export const OPEN_STATUSES = ["open", "funded", "submitted"] as const;

/** A job to decide once its verdict is known: funded as agreed, at the depth at which payments count. */
export interface DecidableJob {
  row: EscrowJob;
  status: "funded" | "submitted";
  agreement: NamedAgreement;
}

interface Options extends Reading {
  escrows: EvaluatedEscrows;
}

/**
 * Updates the row of an undecided job from the chain. The latest block says whether it holds the
 * agreement's payment, which the outcome's record then waits for. What can't be taken back, a refusal
 * or an end, needs the depth at which payments count. Returns the job if it can be decided. Throws if
 * the node is unreachable.
 */
export async function reviewJob(
  core: Core,
  row: EscrowJob,
  { head, confirmed, at, escrows }: Options,
): Promise<DecidableJob | null> {
  const { db, chain } = core;
  const latest = await readJob(chain, row, head);
  const deep = confirmed === head ? latest : await readJob(chain, row, confirmed);
  if (!latest || latest.evaluator !== escrows.evaluator) {
    // A reorg removed it, or gave its number to another job. The logs are read again until they are final.
    await db.delete(escrowJobs).where(whereUndecided(row));
    return null;
  }
  const termsHash = parseTermsHash(latest.description);
  const agreement = await findNamedAgreement(db, termsHash, at);
  const isTaken = agreement !== null && (await isTakenByOther(db, agreement.id, row.id));
  const circumstances = { chain, agreement, isTaken };
  const end = deep && SETTLED_BY_OTHERS[deep.status];
  const problem = deep && !end ? findProblem(deep, circumstances) : null;
  const isOpen = latest.status in { open: 1, funded: 1, submitted: 1 };
  const status = isOpen ? (latest.status as EscrowJob["status"]) : row.status;
  const isHeld = latest.status !== "open" && findProblem(latest, circumstances) === null;
  const [updated] = await db
    .update(escrowJobs)
    .set({
      ...copyFacts(latest),
      termsHash,
      status,
      agreementId: isHeld && agreement?.agreedAt ? agreement.id : null,
    })
    .where(whereUndecided(row))
    .returning();
  if (!updated) return null;
  if (end) await closeJob(core, updated, "ended", end);
  else if (problem) await closeJob(core, updated, "declined", problem);
  else if (deep && isDecidable(deep) && agreement && updated.agreementId) {
    return { row: updated, status: deep.status, agreement };
  }
  return null;
}

const isDecidable = (job: Job): job is Job & { status: "funded" | "submitted" } =>
  job.status === "funded" || job.status === "submitted";

/** How a job ended that the service did not decide, by its state. */
const SETTLED_BY_OTHERS: Partial<Record<Job["status"], string>> = {
  completed: "Another transaction completed the job.",
  rejected: "Another transaction rejected the job, so that its money is the client's again.",
  expired: "The job expired, and its money went back to the client.",
};

/** Matches the row while nothing is signed or decided about its job. */
export const whereUndecided = ({ id }: Pick<EscrowJob, "id">) =>
  and(
    eq(escrowJobs.id, id),
    inArray(escrowJobs.status, [...OPEN_STATUSES]),
    isNull(escrowJobs.transactionId),
  );

const MAX_BIGINT = 2n ** 63n - 1n;

const copyFacts = ({ client, provider, budget, expiresAt }: Job) => ({
  client,
  provider,
  expiresAt,
  budgetMicro: budget < MAX_BIGINT ? budget : MAX_BIGINT,
});

/** Stores that the service will not decide a job, and announces a refusal to its two parties. */
export async function closeJob(
  core: Pick<Core, "db" | "publish">,
  { id, client, provider }: EscrowJob,
  status: "declined" | "ended",
  reason: string,
): Promise<void> {
  await core.db.transaction(async (tx: Transaction) => {
    const closed = await tx
      .update(escrowJobs)
      .set({ status, reason, endedAt: new Date() })
      .where(whereUndecided({ id }))
      .returning({ id: escrowJobs.id });
    if (closed.length === 0 || status === "ended") return;
    const wallets = [client, provider].filter((wallet) => wallet !== zeroAddress);
    const { name } = evaluatorDeclined;
    const events = wallets.map((wallet) => ({
      id: `escrow-declined:${id}:${wallet}`,
      name,
      data: { escrowJobId: id, wallet },
    }));
    await core.publish(tx, events);
  });
}

import { and, desc, eq, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import { requireOwnAgreement } from "@/server/agreements/queries";
import { getStatus } from "@/server/agreements/status";
import { agreements } from "@/server/agreements/tables";
import { queryChain } from "@/server/chain/payments/require-payment";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import type { ChainInfo, Context, EvaluatedEscrows, Sql } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { countModels } from "@/server/lib/env";
import { AppError } from "@/server/lib/errors";
import { fromMicro } from "@/server/lib/usdc";
import { outcomes } from "@/server/outcomes/tables";
import { readEvaluatorFee } from "./contract";
import { buildJob, FEE_PROBLEM, findProblem } from "./find-problem";
import { DESCRIPTION_PREFIX, SUBMIT_WITHIN_MS } from "./limits";
import type { DeclinedJob, EscrowJobs, Quote, QuoteInput } from "./schema";
import { escrowJobs } from "./tables";

/** Matches outcomes whose work succeeded, as far as is known now; 0.5 says nothing. */
export const isSuccess = sql<boolean>`(coalesce(${outcomes.finalVerdict}, ${outcomes.verdict}) = 'SUCCESS'
  and ${outcomes.confidencePpm} > 500000)`;

/**
 * Matches outcomes whose record waits for the job of their own agreement: an hour for funding and
 * submission, then only for what was submitted. A failure whose job is unknown waits a minute, in which the
 * escrows are read. A job that nothing decided within a day of its end, because the escrow is no longer
 * configured, delays no record.
 */
export const whereAwaitsEscrow = sql`(${outcomes.agreementId} is not null and exists (
  select from ${agreements} left join ${escrowJobs} on ${escrowJobs.agreementId} = ${agreements.id}
  where ${agreements.id} = ${outcomes.agreementId} and ${agreements.terms} ->> 'payment' = 'escrow' and (
    ${outcomes.judgedAt} > now() - ${SUBMIT_WITHIN_MS} * interval '1 millisecond'
      and coalesce(${escrowJobs.status} in ('funded', 'deciding'),
        ${isSuccess} or ${outcomes.judgedAt} > now() - interval '1 minute')
    or ${escrowJobs.deliverableHash} is not null and (${escrowJobs.status} = 'deciding'
      or ${escrowJobs.status} = 'funded' and ${escrowJobs.expiresAt} > now() - interval '1 day')
  )
))`;

/** Finds agreements in force whose `startBy` has passed without a job, as far as jobs were read. */
export const findOverdue = (db: Sql) =>
  db
    .select({ id: agreements.id })
    .from(agreements)
    .where(
      and(
        eq(agreements.status, "AGREED"),
        sql`${agreements.terms} ->> 'payment' = 'escrow'`,
        isNull(agreements.paidAt),
        lt(agreements.startBy, databaseNow),
        sql`not exists (
          select from ${escrowJobs}
          where ${escrowJobs.client} = ${agreements.requester} and ${escrowJobs.status} = 'unread'
        )`,
      ),
    );

export type NamedAgreement = typeof agreements.$inferSelect;

/** Returns the agreement with these terms, or null. */
export async function findNamedAgreement(
  db: Sql,
  termsHash: string | null,
): Promise<NamedAgreement | null> {
  if (termsHash === null) return null;
  const [row] = await db.select().from(agreements).where(eq(agreements.termsHash, termsHash));
  return row ?? null;
}

/** Returns the escrows that are evaluated. Throws `evaluator-unavailable` if there are none. */
export function requireEscrows({ escrows }: Pick<ChainInfo, "escrows">): EvaluatedEscrows {
  if (escrows) return escrows;
  throw new AppError("evaluator-unavailable", "No escrow contract is configured.");
}

/**
 * Returns whether the service would decide a job of this agreement, before its money moves, and what the
 * client passes to the escrow. Throws `evaluator-unavailable`, `not-found` (also for third parties) and
 * `unavailable`.
 */
export async function quoteJob(
  ctx: Pick<Context, "db" | "chain" | "log" | "env">,
  agent: AuthenticatedAgent,
  { agreementId, termsHash, escrow, expiresAt }: QuoteInput,
): Promise<Quote> {
  const { db, chain } = ctx;
  const { addresses, evaluator } = requireEscrows(chain);
  const named = termsHash ? await findNamedAgreement(db, termsHash) : null;
  const { row, now } = await requireOwnAgreement(
    db,
    agent,
    agreementId ?? named?.id ?? crypto.randomUUID(),
  );
  const status = getStatus(row, now);
  const job = buildJob(evaluator, chain.usdcAddress, {
    ...row,
    expiresAt: new Date(expiresAt),
  });
  const models = row.terms.criteria.length > 0 ? countModels(ctx.env) : 0;
  const readReason = async () => {
    if (!addresses.includes(escrow)) return "This service does not evaluate jobs of that escrow.";
    if (status !== "PROPOSED" && status !== "AGREED") return `The agreement is ${status}.`;
    const taken = await db.$count(escrowJobs, eq(escrowJobs.agreementId, row.id));
    const problem = findProblem(job, { chain, agreement: row, isTaken: taken > 0 });
    if (problem) return problem;
    if (models === 1)
      return "Criteria of an escrow need two language models, and this service has one.";
    const fee = await queryChain(ctx, () => readEvaluatorFee(chain, escrow));
    return fee === 0n ? null : FEE_PROBLEM;
  };
  const reason = await readReason();
  return {
    accepted: reason === null,
    reason,
    models,
    job: {
      escrow,
      provider: row.contractor,
      evaluator,
      expiredAt: Math.floor(Date.parse(expiresAt) / 1_000),
      description: `${DESCRIPTION_PREFIX}${row.termsHash}`,
      hook: job.hook,
      paymentToken: chain.usdcAddress,
      budgetMicro: String(row.valueMicro),
    },
  };
}

/**
 * Returns up to 20 jobs of an agreement to one of its parties: the one that has the agreement, then the newest.
 * Throws `not-found`.
 */
export async function listJobsOfAgreement(
  { db }: Pick<Context, "db">,
  agent: AuthenticatedAgent,
  agreementId: string,
): Promise<EscrowJobs> {
  const { row } = await requireOwnAgreement(db, agent, agreementId);
  // Anyone can name the terms: jobs between other parties are none of theirs.
  const isOwn = and(eq(escrowJobs.client, row.requester), eq(escrowJobs.provider, row.contractor));
  return selectJobs(db, and(eq(escrowJobs.termsHash, row.termsHash), isOwn));
}

/** Returns the job that holds or held the payment of an outcome's agreement, if there is one. */
export async function listJobsOfOutcome(
  { db }: Pick<Context, "db">,
  outcomeId: string,
): Promise<EscrowJobs> {
  const ofOutcome = db
    .select({ id: outcomes.agreementId })
    .from(outcomes)
    .where(eq(outcomes.id, outcomeId));
  return selectJobs(db, inArray(escrowJobs.agreementId, ofOutcome));
}

async function selectJobs(db: Sql, where: SQL | undefined): Promise<EscrowJobs> {
  const rows = await db
    .select({
      job: escrowJobs,
      txHash: chainTransactions.hash,
      releasedMicro: usedTransfers.amountMicro,
    })
    .from(escrowJobs)
    .leftJoin(chainTransactions, eq(chainTransactions.id, escrowJobs.transactionId))
    .leftJoin(usedTransfers, eq(usedTransfers.id, escrowJobs.releaseId))
    .where(where)
    // The job that counts comes first: a client can fund any number of others for the same terms.
    .orderBy(isNull(escrowJobs.agreementId), desc(escrowJobs.createdAt))
    .limit(20);
  return {
    jobs: rows.flatMap(({ job, txHash, releasedMicro }) => {
      const { escrow, jobId, status, reason, client, provider, expiresAt, decision } = job;
      if (status === "unread" || expiresAt === null) return [];
      return {
        escrow,
        jobId,
        status: status === "funded" && job.deliverableHash ? "submitted" : status,
        reason,
        client,
        provider,
        budgetUsdc: fromMicro(job.budgetMicro),
        expiresAt: expiresAt.toISOString(),
        decision,
        decisionTx: txHash,
        releasedUsdc: releasedMicro === null ? null : fromMicro(releasedMicro),
      };
    }),
  };
}

/** Returns a job that was declined, as webhooks of its parties get it. */
export async function getDeclinedJob(db: Sql, escrowJobId: string): Promise<DeclinedJob> {
  const [row] = await db.select().from(escrowJobs).where(eq(escrowJobs.id, escrowJobId));
  if (!row) throw new Error(`there is no escrow job ${escrowJobId} to announce`);
  const { escrow, jobId, client, provider, reason } = row;
  return { escrow, jobId, client, provider, reason: reason ?? "" };
}

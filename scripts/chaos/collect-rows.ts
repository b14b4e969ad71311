import { eq } from "drizzle-orm";
import type postgres from "postgres";
import { takeovers } from "@/server/agents/tables";
import { usedTransfers } from "@/server/chain/tables";
import { disputeSides, disputes, payouts } from "@/server/disputes/tables";
import { escrowJobs } from "@/server/escrows/tables";
import { Database } from "@/server/lib/database";
import { outcomes } from "@/server/outcomes/tables";
import {
  anchors,
  evidence,
  ledgerRecords,
  reputationHistory,
  reputations,
} from "@/server/reputation/tables";
import { webhookAttempts, webhookDeliveries } from "@/server/webhooks/tables";

/** Rows of the database by table. */
export type Rows = Awaited<ReturnType<typeof collectRows>>;

/** Reads the rows in one snapshot. */
export const collectRows = (sql: postgres.Sql) =>
  new Database(sql).transaction(
    async (tx) => ({
      outcomes: await tx.select().from(outcomes).orderBy(outcomes.id),
      disputes: await tx.select().from(disputes).orderBy(disputes.id),
      sides: await tx.select().from(disputeSides).orderBy(disputeSides.id),
      payouts: await tx.select().from(payouts).orderBy(payouts.id),
      transfers: await tx.select().from(usedTransfers).orderBy(usedTransfers.id),
      deliveries: await tx.select().from(webhookDeliveries).orderBy(webhookDeliveries.id),
      attempts: await tx
        .select()
        .from(webhookAttempts)
        .orderBy(webhookAttempts.deliveryId, webhookAttempts.run, webhookAttempts.attempt),
      reputations: await tx.select().from(reputations),
      scores: await tx
        .select()
        .from(reputationHistory)
        .orderBy(reputationHistory.wallet, reputationHistory.version),
      evidence: await tx.select().from(evidence),
      ledger: await tx.select().from(ledgerRecords).orderBy(ledgerRecords.seq),
      takeovers: await tx.select().from(takeovers),
      anchors: await tx.select().from(anchors),
      /** Jobs of an escrow, with the outcome of the agreement whose money they hold. */
      escrowJobs: await tx
        .select({
          escrow: escrowJobs.escrow,
          jobId: escrowJobs.jobId,
          outcomeId: outcomes.id,
        })
        .from(escrowJobs)
        .leftJoin(outcomes, eq(outcomes.agreementId, escrowJobs.agreementId)),
    }),
    { isolationLevel: "repeatable read" },
  );

import { and, eq, isNull, notExists, type SQL, sql } from "drizzle-orm";
import { usedTransfers } from "@/server/chain/tables";
import { disputes } from "@/server/disputes/tables";
import { identityLinks } from "@/server/identities/tables";
import type { ChainInfo, Sql } from "@/server/lib/context";
import { outcomes, refunds } from "@/server/outcomes/tables";
import type { FeedbackFacts } from "./feedback-file";

/** Selects the value of feedback: 100 for a success, 0 for a failure. */
export const selectValue = sql<number>`case ${outcomes.finalVerdict} when 'SUCCESS' then 100 else 0 end`;

/** Matches outcomes that say something about their contractor. */
export const whereCounted = (db: Sql) =>
  and(
    eq(outcomes.status, "RESOLVED"),
    eq(outcomes.assessed, true),
    eq(outcomes.simulated, false),
    isNull(outcomes.supersededBy),
    notExists(
      db.select({ id: refunds.id }).from(refunds).where(eq(refunds.outcomeId, outcomes.id)),
    ),
  );

/** Matches outcomes without an open dispute, whose verdict could still be reversed. */
const whereUndisputed = (db: Sql) => {
  const isOpen = and(eq(disputes.outcomeId, outcomes.id), eq(disputes.status, "OPEN"));
  return notExists(db.select({ id: disputes.id }).from(disputes).where(isOpen));
};

/** An outcome that feedback can be given about; all that its file says but who gives it. */
export type Subject = Omit<FeedbackFacts, "client" | "publicUrl"> & { requester: string };

/**
 * Returns at most `limit` outcomes that feedback can be given about, oldest first: they count, are not
 * disputed, and their contractor is linked to an ERC-8004 agent. Empty without registries.
 */
export async function findSubjects(
  { db, chain }: { db: Sql; chain: Pick<ChainInfo, "id" | "erc8004"> },
  where: SQL | undefined,
  limit: number,
): Promise<Subject[]> {
  const { id: chainId, erc8004 } = chain;
  if (!erc8004) return [];
  const rows = await db
    .select({
      outcomeId: outcomes.id,
      requester: outcomes.requester,
      resolvedAt: outcomes.resolvedAt,
      agentId: identityLinks.erc8004AgentId,
      value: selectValue,
      payment: {
        from: usedTransfers.from,
        to: usedTransfers.to,
        txHash: usedTransfers.txHash,
      },
    })
    .from(outcomes)
    .innerJoin(identityLinks, eq(identityLinks.wallet, outcomes.contractor))
    .leftJoin(usedTransfers, eq(usedTransfers.id, outcomes.paymentTransferId))
    .where(and(whereCounted(db), whereUndisputed(db), where))
    .orderBy(outcomes.submittedAt)
    .limit(limit);
  return rows.map(({ resolvedAt, ...row }) => ({
    ...row,
    chainId,
    identityAddress: erc8004.identityAddress,
    createdAt: resolvedAt ?? new Date(0),
  }));
}

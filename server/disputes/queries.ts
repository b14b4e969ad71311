import { asc, desc, eq, getTableColumns, or, sql } from "drizzle-orm";
import { usedTransfers } from "@/server/chain/tables";
import type { Sql } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { createPage } from "@/server/lib/schema";
import { outcomes } from "@/server/outcomes/tables";
import { type DisputeRow, type SideRow, toPublicDispute } from "./public-dispute";
import type { Dispute, DisputePage, ListInput } from "./schema";
import { disputeSides, disputes, payouts } from "./tables";

const selectDisputes = (db: Sql) =>
  db
    .select({
      ...getTableColumns(disputes),
      taskCategory: outcomes.taskCategory,
      title: outcomes.title,
      confidencePpm: outcomes.confidencePpm,
    })
    .from(disputes)
    .innerJoin(outcomes, eq(outcomes.id, disputes.outcomeId));

/** Returns a dispute. Throws `not-found` if there is none with this id. */
export async function requireDispute(db: Sql, disputeId: string): Promise<DisputeRow> {
  const [dispute] = await selectDisputes(db).where(eq(disputes.id, disputeId));
  if (!dispute) throw new AppError("not-found", "There is no dispute with this id.");
  return dispute;
}

export async function findDisputeByOutcome(db: Sql, outcomeId: string): Promise<DisputeRow | null> {
  const [row] = await selectDisputes(db).where(eq(disputes.outcomeId, outcomeId));
  return row ?? null;
}

/** Returns the one or two sides of a dispute, the opener's first. */
export async function findSides(
  db: Sql,
  { id, openedBy }: Pick<DisputeRow, "id" | "openedBy">,
): Promise<SideRow[]> {
  const rows = await db
    .select({
      side: getTableColumns(disputeSides),
      transfer: getTableColumns(usedTransfers),
      payout: getTableColumns(payouts),
    })
    .from(disputeSides)
    .innerJoin(usedTransfers, eq(usedTransfers.id, disputeSides.transferId))
    .leftJoin(payouts, eq(payouts.transferId, usedTransfers.id))
    .where(eq(disputeSides.disputeId, id))
    .orderBy(asc(sql`${disputeSides.party} <> ${openedBy}`));
  return rows.map(({ side, transfer, payout }) => ({ ...side, transfer, payout }));
}

/** Returns the public view of a dispute. Throws as `requireDispute`. */
export async function getPublicDispute(db: Sql, disputeId: string, now: Date): Promise<Dispute> {
  const dispute = await requireDispute(db, disputeId);
  return toPublicDispute(dispute, await findSides(db, dispute), now);
}

/** Returns the disputes in which a wallet is a party, newest first. */
export async function listDisputes(
  db: Sql,
  wallet: string,
  { page, size }: ListInput,
  now: Date,
): Promise<DisputePage> {
  const isParty = or(eq(disputes.contractor, wallet), eq(disputes.requester, wallet));
  const total = await db.$count(disputes, isParty);
  const rows = await selectDisputes(db)
    .where(isParty)
    .orderBy(desc(disputes.openedAt), desc(disputes.id))
    .limit(size)
    .offset(page * size);
  const content: Dispute[] = [];
  for (const row of rows) content.push(toPublicDispute(row, await findSides(db, row), now));
  return createPage(content, total, { page, size });
}

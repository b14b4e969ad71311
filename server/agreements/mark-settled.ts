import { eq, sql } from "drizzle-orm";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import type { Context } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { requireParty, toAgreement } from "./public-agreement";
import { findAgreements, lockAgreement, requireOwnAgreement } from "./queries";
import type { Agreement } from "./schema";
import { createEndedError, getStatus } from "./status";
import { agreements } from "./tables";

/**
 * Stores that the contractor was paid for work that it delivered first, however that was. Repeating it
 * changes nothing. Throws `not-found`, `forbidden` for the requester, `conflict` before the delivery and
 * for other terms, and `agreement-ended` if it ended without one.
 */
export async function markSettled(
  { db, chain }: Context,
  agent: AuthenticatedAgent,
  agreementId: string,
): Promise<Agreement> {
  await requireOwnAgreement(db, agent, agreementId);
  return db.transaction(async (tx) => {
    const { row, now } = await lockAgreement(tx, agent, agreementId);
    if (requireParty(row, agent.wallet) === "requester") {
      throw new AppError("forbidden", "Only the contractor can say that it was paid.");
    }
    if (row.terms.payment !== "on-delivery") {
      throw new AppError("conflict", "Only payments on delivery are marked as settled.");
    }
    const status = getStatus(row, now);
    if (status === "PROPOSED" || status === "AGREED") {
      throw new AppError("conflict", "Nothing is delivered yet: deliver first.");
    }
    if (status !== "DELIVERED") throw createEndedError(row, now);
    await tx
      .update(agreements)
      .set({ settledAt: sql`coalesce(${agreements.settledAt}, ${databaseNow})` })
      .where(eq(agreements.id, agreementId));
    const [settled = row] = await findAgreements(tx, [agreementId]);
    return toAgreement(chain, settled, now);
  });
}

import { inArray, or, sql } from "drizzle-orm";
import type { Core } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import type { Work } from "@/server/lib/work";
import { agreementEnded, createAgreementEvent } from "./events";
import { findTransfers } from "./find-transfers";
import { LAPSED_AT, whereExpired, whereLapsed } from "./queries";
import { agreements } from "./tables";

const BATCH = 100;

/**
 * Stores the end of the proposals that were not accepted in time and of the agreements that were not reported
 * in time, and announces it. One that is locked is being answered. Returns how many ended.
 */
export async function endOverdue(core: Pick<Core, "db" | "publish">): Promise<number> {
  const { db, publish } = core;
  const ended = await db.transaction(async (tx) => {
    const due = await tx
      .select({ id: agreements.id })
      .from(agreements)
      .where(or(whereExpired(databaseNow), whereLapsed(databaseNow)))
      .limit(BATCH)
      .for("no key update", { skipLocked: true });
    const ids = due.map(({ id }) => id);
    if (ids.length === 0) return 0;
    const isProposal = sql`${agreements.status} = 'PROPOSED'`;
    await tx
      .update(agreements)
      .set({
        status: sql`case when ${isProposal} then 'EXPIRED' else 'LAPSED' end`,
        endedAt: sql`case when ${isProposal} then ${agreements.startBy} else ${LAPSED_AT} end`,
      })
      .where(inArray(agreements.id, ids));
    const events = ids.map((id) => createAgreementEvent(agreementEnded, id));
    await publish(tx, events);
    return ids.length;
  });
  return ended < BATCH ? ended : ended + (await endOverdue(core));
}

/** Proposals and agreements that are past their deadline or may have been paid. */
export const openAgreements: Work<{ core: Core }> = {
  name: "agreements",
  async sweep({ core }) {
    // First, since it needs no node.
    await endOverdue(core);
    await findTransfers(core);
  },
};

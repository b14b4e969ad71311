import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import { agreementEnded, createAgreementEvent } from "@/server/agreements/events";
import { agreements } from "@/server/agreements/tables";
import { defineFunction } from "@/server/lib/background-function";
import type { Core } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import type { FunctionCore } from "@/server/lib/inngest";

const BATCH = 100;

/**
 * Stores the end of the proposals that were not accepted in time, and announces it. A proposal that is
 * locked is being answered. Returns how many ended.
 */
export async function expireDueProposals(core: Pick<Core, "db" | "publish">): Promise<number> {
  const { db, publish } = core;
  const expired = await db.transaction(async (tx) => {
    const due = await tx
      .select({ id: agreements.id })
      .from(agreements)
      .where(and(eq(agreements.status, "PROPOSED"), lte(agreements.startBy, databaseNow)))
      .orderBy(asc(agreements.startBy))
      .limit(BATCH)
      .for("no key update", { skipLocked: true });
    const ids = due.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx
      .update(agreements)
      .set({ status: "EXPIRED", endedAt: sql`${agreements.startBy}` })
      .where(inArray(agreements.id, ids));
    const events = ids.map((id) => createAgreementEvent(agreementEnded, id));
    await publish(tx, events);
    return ids.length;
  });
  return expired < BATCH ? expired : expired + (await expireDueProposals(core));
}

export const expireProposals = (core: FunctionCore) =>
  defineFunction(
    {
      id: "expire-proposals",
      triggers: [{ cron: "* * * * *" }],
      retries: 0,
      concurrency: { limit: 1 },
    },
    ({ step }) => step.run("expire", () => expireDueProposals(core)),
  );

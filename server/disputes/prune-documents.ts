import { and, eq, inArray, isNotNull, lt, sql } from "drizzle-orm";
import { documents } from "@/server/judging/tables";
import type { Core } from "@/server/lib/context";
import { getReadableSince } from "@/server/outcomes/read-work";
import { outcomes } from "@/server/outcomes/tables";
import { disputes } from "./tables";

const BATCH = 1_000;

/**
 * Deletes up to a batch of the pages and documents of outcomes that their parties can't read or
 * dispute any more, and that have no open dispute.
 */
export async function pruneDocuments({ db, env }: Pick<Core, "db" | "env">, now: Date) {
  const before = getReadableSince({ env }, now);
  const isFetchedBefore = and(isNotNull(documents.submitter), lt(documents.fetchedAt, before));
  const hasNoOpenDispute = sql`${disputes.status} is distinct from 'OPEN'`;
  const obsolete = db
    .select({ id: documents.id })
    .from(documents)
    .innerJoin(outcomes, eq(outcomes.id, documents.subjectId))
    .leftJoin(disputes, eq(disputes.outcomeId, outcomes.id))
    .where(and(isFetchedBefore, lt(outcomes.resolvedAt, before), hasNoOpenDispute))
    .limit(BATCH);
  await db.delete(documents).where(inArray(documents.id, obsolete));
}

import { and, eq, inArray, isNotNull, isNull, lt, or } from "drizzle-orm";
import { documents } from "@/server/judging/tables";
import type { Core } from "@/server/lib/context";
import { HOUR_MS } from "@/server/lib/time";
import { outcomes } from "@/server/outcomes/tables";
import { disputes } from "./tables";

/** For disputes that were requested within the window and are stored after it. */
const LEEWAY_MS = HOUR_MS;
const BATCH = 1_000;

/**
 * Deletes up to a batch of the pages and documents of outcomes that can't be disputed any more and
 * have no open dispute. Returns the number deleted.
 */
export async function pruneDocuments(
  { db, env }: Pick<Core, "db" | "env">,
  now: Date,
): Promise<number> {
  const before = new Date(now.getTime() - env.DISPUTE_WINDOW - LEEWAY_MS);
  const obsolete = db
    .select({ id: documents.id })
    .from(documents)
    .innerJoin(outcomes, eq(outcomes.id, documents.subjectId))
    .leftJoin(disputes, eq(disputes.outcomeId, outcomes.id))
    .where(
      and(
        isNotNull(documents.submitter),
        lt(documents.fetchedAt, before),
        lt(outcomes.resolvedAt, before),
        or(isNull(disputes.id), eq(disputes.status, "RESOLVED")),
      ),
    )
    .limit(BATCH);
  const deleted = await db
    .delete(documents)
    .where(inArray(documents.id, obsolete))
    .returning({ id: documents.id });
  return deleted.length;
}

import { and, eq, gte, inArray, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { agreements } from "@/server/agreements/tables";
import { documents } from "@/server/judging/tables";
import type { Core } from "@/server/lib/context";
import { getReadableSince } from "@/server/outcomes/read-work";
import { outcomes } from "@/server/outcomes/tables";
import { disputes } from "./tables";

const BATCH = 1_000;

/**
 * Deletes up to a batch of the pages and documents of outcomes that their parties can't read or
 * dispute any more, and that have no open dispute; and those of checks and agreements that are over.
 */
export async function pruneDocuments({ db, env }: Pick<Core, "db" | "env">, now: Date) {
  const before = getReadableSince({ env }, now);
  const isFetchedBefore = and(isNotNull(documents.submitter), lt(documents.fetchedAt, before));
  const hasNoOpenDispute = sql`${disputes.status} is distinct from 'OPEN'`;
  const isNeeded = or(isNull(agreements.endedAt), gte(agreements.endedAt, before));
  const obsolete = db
    .select({ id: documents.id })
    .from(documents)
    .leftJoin(outcomes, eq(outcomes.id, documents.subjectId))
    .leftJoin(disputes, eq(disputes.outcomeId, outcomes.id))
    .leftJoin(agreements, and(eq(agreements.id, documents.subjectId), isNeeded))
    .where(
      and(
        isFetchedBefore,
        or(isNull(outcomes.id), lt(outcomes.resolvedAt, before)),
        isNull(agreements.id),
        hasNoOpenDispute,
      ),
    )
    .limit(BATCH);
  await db.delete(documents).where(inArray(documents.id, obsolete));
}

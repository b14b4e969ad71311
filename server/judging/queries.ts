import { and, eq } from "drizzle-orm";
import type { Sql } from "@/server/lib/context";
import { documents, judgements } from "./tables";

export type StoredJudgement = typeof judgements.$inferSelect;

/** The judgement of a subject (an outcome's id), if it was judged. */
export async function findJudgement(db: Sql, subjectId: string): Promise<StoredJudgement | null> {
  const [found] = await db.select().from(judgements).where(eq(judgements.subjectId, subjectId));
  return found ?? null;
}

/** Whether what was found behind a URL is kept, be it a document or a reason why there is none. */
export async function isDocumentKept(db: Sql, subjectId: string, url: string): Promise<boolean> {
  const [kept] = await db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.subjectId, subjectId), eq(documents.url, url)));
  return kept !== undefined;
}

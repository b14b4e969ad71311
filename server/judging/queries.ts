import { and, eq } from "drizzle-orm";
import { columns } from "@/server/db/arrays";
import type { Sql, Transaction } from "@/server/lib/context";
import { documents, judgements } from "./tables";

export type StoredJudgement = typeof judgements.$inferSelect;

/** Returns the judgement of a subject (an outcome's id), if there is one. */
export async function findJudgement(db: Sql, subjectId: string): Promise<StoredJudgement | null> {
  const [found] = await db.select().from(judgements).where(eq(judgements.subjectId, subjectId));
  return found ?? null;
}

/** Returns the stored result of fetching a URL (a document or a failure), if there is one. */
export async function findDocument(db: Sql, subjectId: string, url: string) {
  const [document] = await db
    .select()
    .from(documents)
    .where(and(eq(documents.subjectId, subjectId), eq(documents.url, url)));
  return document ?? null;
}

/** Returns the stored results of fetching URLs for a subject, as its parties read them, oldest first. */
export function listDocuments(db: Sql, subjectId: string) {
  const { url, finalUrl, content, status, mediaType, failure, fetchedAt } = documents;
  return db
    .select({ url, finalUrl, content, status, mediaType, failure, fetchedAt })
    .from(documents)
    .where(eq(documents.subjectId, subjectId))
    .orderBy(fetchedAt, url);
}

/** Makes the documents of a subject those of another, which has none of the same URLs. */
export const moveDocuments = (db: Sql, from: string, to: string) =>
  db.update(documents).set({ subjectId: to }).where(eq(documents.subjectId, from));

export const deleteDocuments = (db: Sql, subjectId: string) =>
  db.delete(documents).where(eq(documents.subjectId, subjectId));

/** A judgement before the database adds its id and time. */
export type NewJudgement = Omit<typeof judgements.$inferSelect, "id" | "createdAt">;

/**
 * Returns the query that stores judgements, null if there are none. A subject that has one keeps it. In one order in every
 * process, so that two that store the same subjects do not wait for each other.
 */
export function storeJudgements(tx: Transaction, judged: NewJudgement[]) {
  if (judged.length === 0) return null;
  const rows = judged.toSorted((a, b) => (a.subjectId < b.subjectId ? -1 : 1));
  return tx.sql`
    insert into judgements (
      subject_id, judge_kind, judge_id, verdict, confidence_ppm, reasoning, evidence, evidence_hash,
      detail, duration_ms
    )
    select * from unnest(${columns(tx.sql, rows, {
      subjectId: "uuid",
      judgeKind: "text",
      judgeId: "text",
      verdict: "text",
      confidencePpm: "integer",
      reasoning: "text",
      evidence: "jsonb",
      evidenceHash: "text",
      detail: "jsonb",
      durationMs: "integer",
    })})
    on conflict (subject_id) do nothing`;
}

import { documents } from "@/server/judging/tables";
import type { Core, Sql } from "@/server/lib/context";
import { sha256 } from "@/server/lib/hash";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { fetchDocument } from "@/server/outbound/guarded-fetch";
import { extractPdfText } from "./pdf-text";

/** The stored result of fetching a document once: its text, or the reason it has none. */
export interface DocumentCopy {
  row: Omit<typeof documents.$inferInsert, "id" | "subjectId">;
  /** Whether another attempt could succeed; false if there is a text. */
  retryable: boolean;
}

/** Fetches the document behind `url` under the rules for outbound requests. Never throws. */
export async function fetchDocumentCopy(
  { env }: Pick<Core, "env">,
  url: string,
  queueKey?: QueueKey,
): Promise<DocumentCopy> {
  const allowLoopback = env.OUTBOUND_ALLOW_LOOPBACK ?? false;
  const fetched = await fetchDocument(url, { allowLoopback });
  const request = { url, fetchedAt: new Date() };
  if (!fetched.ok) {
    const { reason: failure, retryable, mediaType } = fetched;
    return { row: { ...request, failure, mediaType: mediaType || null }, retryable };
  }
  const { bytes, content, mediaType } = fetched;
  const response = { ...request, mediaType, sha256: sha256(bytes) };
  if (content !== null) return { row: { ...response, content }, retryable: false };
  const pdf = await extractPdfText(bytes, { queueKey });
  return pdf.ok
    ? { row: { ...response, body: bytes, content: pdf.text }, retryable: false }
    : { row: { ...response, body: bytes, failure: pdf.reason }, retryable: pdf.retryable };
}

/** Stores the copy for a subject, unless a copy of the same URL is already stored. */
export async function storeDocumentCopy(
  db: Sql,
  subjectId: string,
  { row }: DocumentCopy,
): Promise<void> {
  await db
    .insert(documents)
    .values({ subjectId, ...row })
    .onConflictDoNothing();
}

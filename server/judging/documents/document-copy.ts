import { eq, sql, sum } from "drizzle-orm";
import { documents } from "@/server/judging/tables";
import type { Core, Sql } from "@/server/lib/context";
import { sha256 } from "@/server/lib/hash";
import { fetchDocument } from "@/server/outbound/guarded-fetch";
import { extractPdfText } from "./pdf-text";

/** For the deliverable and the cited pages of one outcome. */
const MAX_SUBJECT_BYTES = 4 * 1024 * 1024;
/** For all copies of a wallet that a dispute may still need: about 2,000 outcomes with common pages. */
const MAX_SUBMITTER_BYTES = 128 * 1024 * 1024;
/** A copy counts as at least this much, which limits the number of tiny ones. */
const MIN_BYTES = 1024;

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
): Promise<DocumentCopy> {
  const allowLoopback = env.OUTBOUND_ALLOW_LOOPBACK ?? false;
  const fetched = await fetchDocument(url, { allowLoopback });
  const { status, url: finalUrl } = fetched;
  const request = { url, fetchedAt: new Date(), finalUrl, status };
  if (!fetched.ok) {
    const { reason: failure, retryable, mediaType } = fetched;
    return { row: { ...request, failure, mediaType: mediaType || null }, retryable };
  }
  const { bytes, content, mediaType } = fetched;
  const response = { ...request, mediaType, sha256: sha256(bytes) };
  if (content !== null) return { row: { ...response, content }, retryable: false };
  const pdf = await extractPdfText(bytes);
  return pdf.ok
    ? { row: { ...response, body: bytes, content: pdf.text }, retryable: false }
    : { row: { ...response, body: bytes, failure: pdf.reason }, retryable: pdf.retryable };
}

/**
 * Stores the copy for a subject, unless a copy of the same URL is already stored. If it has a
 * submitter and would exceed a limit, stores that instead of its content, so that nothing is judged
 * by a text that a dispute could not read again.
 */
export async function storeDocumentCopy(
  db: Sql,
  subjectId: string,
  row: DocumentCopy["row"],
): Promise<void> {
  const size = measure(row);
  const hasRoom =
    !row.submitter || !size || (await isWithinLimits(db, subjectId, row.submitter, size));
  const kept = hasRoom
    ? { keptBytes: size }
    : {
        content: null,
        body: null,
        failure: "The outcome or its submitter has reached the limit on stored pages.",
      };
  await db
    .insert(documents)
    .values({ subjectId, ...row, ...kept })
    .onConflictDoNothing();
}

/** Returns the bytes to count, or null if the copy has no content. */
function measure({ content, body }: DocumentCopy["row"]): number | null {
  if (content == null && body == null) return null;
  return Math.max(MIN_BYTES, Buffer.byteLength(content ?? "") + (body?.length ?? 0));
}

/** Concurrent copies may together exceed a limit by their own sizes. */
async function isWithinLimits(
  db: Sql,
  subjectId: string,
  submitter: string,
  size: number,
): Promise<boolean> {
  const [kept] = await db
    .select({
      bySubmitter: sum(documents.keptBytes).mapWith(Number),
      forSubject:
        sql`sum(${documents.keptBytes}) filter (where ${eq(documents.subjectId, subjectId)})`.mapWith(
          Number,
        ),
    })
    .from(documents)
    .where(eq(documents.submitter, submitter));
  const { bySubmitter = 0, forSubject = 0 } = kept ?? {};
  return bySubmitter + size <= MAX_SUBMITTER_BYTES && forSubject + size <= MAX_SUBJECT_BYTES;
}

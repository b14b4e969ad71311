import { eq, sql } from "drizzle-orm";
import { documents } from "@/server/judging/tables";
import type { Core, Sql } from "@/server/lib/context";
import { sha256 } from "@/server/lib/hash";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { describeRefusedType, isPdf } from "@/server/outbound/guarded-body";
import { fetchDocument } from "@/server/outbound/guarded-fetch";
import { extractPdfText } from "./document-text";
import { createFetchLimit } from "./fetch-limit";

/** Limit of the deliverable and the cited pages of one outcome. */
const MAX_SUBJECT_BYTES = 4 * 1024 * 1024;
/** Limit of a wallet's outcomes that its parties can still read: about 10,000 with common pages. */
const MAX_SUBMITTER_BYTES = 640 * 1024 * 1024;
/** Counted for each copy in addition to its content. */
const ROW_BYTES = 1024;
const OVER_LIMIT = "The outcome or its submitter has reached the limit on stored pages.";

/** The stored result of fetching a document once: its text, or the reason it has none. */
export interface DocumentCopy {
  row: Omit<typeof documents.$inferInsert, "id" | "subjectId">;
  /** Whether another attempt could succeed; false if there is a text. */
  retryable: boolean;
}

export interface CopyOptions {
  queueKey?: QueueKey | undefined;
  /**
   * Whether the copy has the exact bytes of every document, for requirements on its hash, type and
   * size: of those that are no text, and of texts in other encodings than UTF-8.
   */
  isExact?: boolean | undefined;
  /** As in `FetchLimit`. */
  isTrial?: boolean | undefined;
}

/**
 * Fetches the document behind `url` under the rules for outbound requests. Throws only `rate-limited`, if
 * too many pages of its server are fetched.
 */
export async function fetchDocumentCopy(
  { db, env }: Pick<Core, "db" | "env">,
  url: string,
  { queueKey, isExact = false, isTrial = false }: CopyOptions = {},
): Promise<DocumentCopy> {
  const limit = createFetchLimit(db);
  const fetched = await fetchDocument(url, {
    allowLoopback: env.OUTBOUND_ALLOW_LOOPBACK ?? false,
    admit: (addresses) => limit(addresses, { isTrial }),
    acceptsAnyType: isExact,
  });
  const { status, url: finalUrl } = fetched;
  const request = { url, fetchedAt: new Date(), finalUrl, status };
  if (!fetched.ok) {
    const { reason: failure, retryable, mediaType } = fetched;
    return { row: { ...request, failure, mediaType: mediaType || null }, retryable };
  }
  const { bytes, content, mediaType } = fetched;
  const response = { ...request, mediaType, sha256: sha256(bytes) };
  if (content !== null) {
    const isReproducible = !isExact || Buffer.from(content).equals(bytes);
    const body = isReproducible ? null : bytes;
    return { row: { ...response, content, body }, retryable: false };
  }
  if (!isPdf(mediaType)) {
    const failure = describeRefusedType(mediaType);
    return { row: { ...response, body: bytes, failure }, retryable: false };
  }
  const pdf = await extractPdfText(bytes, { queueKey });
  return pdf.ok
    ? { row: { ...response, body: bytes, content: pdf.text }, retryable: false }
    : { row: { ...response, body: bytes, failure: pdf.reason }, retryable: pdf.retryable };
}

/**
 * Stores the copy for a subject, unless a copy of the same URL is already stored. If its submitter
 * has reached a limit, stores that instead of its content, so that nothing is judged by a text that a
 * dispute could not read again.
 */
export async function storeDocumentCopy(
  db: Sql,
  subjectId: string,
  row: DocumentCopy["row"],
): Promise<void> {
  const keptBytes = ROW_BYTES + Buffer.byteLength(row.content ?? "") + (row.body?.length ?? 0);
  const isKept = !row.submitter || (await hasRoom(db, subjectId, row.submitter, keptBytes));
  const kept = isKept ? { keptBytes } : { content: null, body: null, failure: OVER_LIMIT };
  await db
    .insert(documents)
    .values({ subjectId, ...row, ...kept })
    .onConflictDoNothing();
}

/** Concurrent copies may together exceed a limit by their own sizes. */
async function hasRoom(db: Sql, subjectId: string, submitter: string, size: number) {
  const isOfSubject = eq(documents.subjectId, subjectId);
  const [kept] = await db
    .select({
      all: sql`sum(${documents.keptBytes})`.mapWith(Number),
      ofSubject: sql`sum(${documents.keptBytes}) filter (where ${isOfSubject})`.mapWith(Number),
    })
    .from(documents)
    .where(eq(documents.submitter, submitter));
  const { all = 0, ofSubject = 0 } = kept ?? {};
  return all + size <= MAX_SUBMITTER_BYTES && ofSubject + size <= MAX_SUBJECT_BYTES;
}

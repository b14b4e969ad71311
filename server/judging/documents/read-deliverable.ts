import { isBlank } from "@/server/judging/canonicalise";
import type { Deliverable } from "@/server/judging/judge";
import { findDocument } from "@/server/judging/queries";
import type { Delivered } from "@/server/judging/requirements/requirement-decider";
import type { documents } from "@/server/judging/tables";
import type { Core, Sql } from "@/server/lib/context";
import { sha256 } from "@/server/lib/hash";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { isPdf } from "@/server/outbound/guarded-body";
import { fetchDocumentCopy, storeDocumentCopy } from "./document-copy";
import { extractText, isOverLimits } from "./document-text";

export interface DeliverableSource {
  subjectId: string;
  content: string | null;
  url: string | null;
  /** Wallet whose limit a fetched document counts against; null if only a stored one may be read. */
  submitter: string | null;
  /** As in `CopyOptions`, if the document is fetched now. */
  isExact?: boolean | undefined;
  /** As in `FetchLimit`. */
  isTrial?: boolean | undefined;
  /** Whether this is the last attempt: a transient failure is then recorded as final. */
  lastAttempt: boolean;
  queueKey?: QueueKey | undefined;
}

/** Thrown if the document could not be read now but another attempt may succeed. */
export class DocumentUnavailable extends Error {
  override name = "DocumentUnavailable";
}

/**
 * Returns the deliverable to judge. Submitted content takes precedence if it has visible text;
 * otherwise the document behind the URL is fetched once and stored, so that later calls get the
 * same copy. A fetched HTML page or PDF is reduced to its visible text; one that exceeds the time
 * or memory limits, or is not stored, is `unchecked`. Throws `DocumentUnavailable` if another attempt may succeed.
 */
export async function readDeliverable(
  core: Pick<Core, "db" | "env">,
  { content, url, ...source }: DeliverableSource,
): Promise<Deliverable> {
  if (isContent(content)) return { kind: "text", text: content, source: "content" };
  if (url === null) return { kind: "missing" };
  const document = await loadDocument(core, url, source);
  if (document === null) return { kind: "unchecked", reason: NOT_STORED };
  const { text, problem } = await deliverDocument(document, source.queueKey);
  if (text !== null) {
    const hash = document.sha256 ? { documentHash: document.sha256 } : {};
    return { kind: "text", text, source: "url", ...hash };
  }
  const reason = problem ?? UNREADABLE;
  // A media type is stored only if a document was received.
  const isReceived = document.mediaType !== null || isOverLimits(reason);
  return { kind: isReceived ? "unchecked" : "unfetchable", reason };
}

/** Returns the deliverable of an agreement as an examination reads it. */
export function toDeliverable(delivered: Delivered | null): Deliverable {
  if (delivered === null) return { kind: "missing" };
  const { text, file, problem } = delivered;
  if (text === null) return { kind: "unchecked", reason: problem ?? UNREADABLE };
  return file
    ? { kind: "text", text, source: "url", documentHash: file.sha256 }
    : { kind: "text", text, source: "content" };
}

/**
 * Returns what an agreement's requirements are decided on: the submitted content if it has visible
 * text, else the document behind the URL, fetched once and stored like that of `readDeliverable`. Call
 * this first, since it also stores documents that are no text. Throws `DocumentUnavailable` if
 * another attempt may succeed, and `rate-limited` if it must wait.
 */
export async function readDelivered(
  core: Pick<Core, "db" | "env">,
  { content, url, ...source }: DeliverableSource,
): Promise<Delivered> {
  if (isContent(content)) return deliverContent(content);
  if (url === null) return NOTHING;
  const document = await loadDocument(core, url, { ...source, isExact: true });
  return document ? deliverDocument(document, source.queueKey) : unreadable(NOT_STORED);
}

/**
 * Returns the stored bytes that `readDelivered` decides by, as received, with URL and media type if they
 * were fetched. Returns null if there are none.
 */
export async function findDelivered(
  db: Sql,
  { subjectId, content, url }: Pick<DeliverableSource, "subjectId" | "content" | "url">,
): Promise<{ bytes: Buffer; url: string | null; mediaType: string | null } | null> {
  if (isContent(content)) return { bytes: Buffer.from(content), url: null, mediaType: null };
  const document = url === null ? null : await findDocument(db, subjectId, url);
  const bytes = document?.body ?? document?.content;
  if (!document || bytes == null) return null;
  return { bytes: Buffer.from(bytes), url, mediaType: document.mediaType };
}

/** Returns what makes two deliverables the same before one is fetched: the content's hash, or the URL. */
export const identifyDeliverable = ({
  content,
  url,
}: Pick<DeliverableSource, "content" | "url">): string | null =>
  isContent(content) ? sha256(content) : url;

const isContent = (content: string | null): content is string =>
  content !== null && !isBlank(content);

const deliverContent = (content: string): Delivered => ({
  text: content,
  source: content,
  file: null,
  problem: null,
});

const unreadable = (problem: string, file: Delivered["file"] = null): Delivered => ({
  text: null,
  source: null,
  file,
  problem,
});
const NOTHING = unreadable("The deliverable is empty.");

type StoredDocument = Partial<
  Pick<typeof documents.$inferSelect, "content" | "mediaType" | "sha256" | "body" | "failure">
>;

async function deliverDocument(
  { content = null, body = null, mediaType, sha256, failure }: StoredDocument,
  queueKey: QueueKey | undefined,
): Promise<Delivered> {
  const bytes = body?.length ?? (content === null ? null : Buffer.byteLength(content));
  const file = mediaType && sha256 && bytes !== null ? { sha256, mediaType, bytes } : null;
  if (content === null) return unreadable(failure ?? "The document can't be read.", file);
  const text = await extractText(mediaType ?? null, content, queueKey);
  if (text === null) return unreadable(UNREADABLE, file);
  const source = isPdf(mediaType ?? "") ? null : content;
  return { text, source, file, problem: null };
}

const NOT_STORED = "The document behind its URL is no longer stored.";
const UNREADABLE = "The page takes too much time or memory to read.";

/**
 * Returns the stored copy of the deliverable's document; else fetches and stores it. Returns null if it
 * is not stored and may not be fetched. Throws `DocumentUnavailable` if another attempt may succeed.
 */
async function loadDocument(
  core: Pick<Core, "db" | "env">,
  url: string,
  source: Omit<DeliverableSource, "content" | "url">,
) {
  return (
    (await findDocument(core.db, source.subjectId, url)) ?? (await fetchAndStore(core, url, source))
  );
}

async function fetchAndStore(
  core: Pick<Core, "db" | "env">,
  url: string,
  { subjectId, submitter, lastAttempt, ...options }: Omit<DeliverableSource, "content" | "url">,
) {
  if (submitter === null) return null;
  const copy = await fetchDocumentCopy(core, url, options);
  if (copy.retryable && !lastAttempt) {
    throw new DocumentUnavailable(copy.row.failure ?? "the document could not be read");
  }
  await storeDocumentCopy(core.db, subjectId, { ...copy.row, submitter });
  // Concurrent fetches all use the copy that was stored first.
  const stored = await findDocument(core.db, subjectId, url);
  if (!stored) throw new DocumentUnavailable("the fetched copy was deleted");
  return stored;
}

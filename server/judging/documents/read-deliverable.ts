import { isBlank } from "@/server/judging/canonicalise";
import type { Deliverable } from "@/server/judging/judge";
import { findDocument } from "@/server/judging/queries";
import type { Core } from "@/server/lib/context";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { inWorker } from "@/server/lib/process/worker-pool";
import { fetchDocumentCopy, storeDocumentCopy } from "./document-copy";
import { isOverLimits } from "./pdf-text";

const visibleTextInWorker = inWorker<[string], string>(
  "server/judging/documents/visible-text.ts",
  "extractVisibleText",
);

export interface DeliverableSource {
  subjectId: string;
  content: string | null;
  url: string | null;
  /** Wallet whose limit a fetched document counts against; null if only a stored one may be read. */
  submitter: string | null;
  /** As in `CopyOptions`, if the document is fetched now. */
  isExact?: boolean | undefined;
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
  source: DeliverableSource,
): Promise<Deliverable> {
  const { content, url, queueKey } = source;
  if (content !== null && !isBlank(content)) {
    return { kind: "text", text: content, source: "content" };
  }
  if (url === null) return { kind: "missing" };

  const document = await loadDocument(core, url, source);
  if (document === null) return { kind: "unchecked", reason: NOT_STORED };
  if (document.content === null) {
    // A media type is stored only if a document was received.
    const isReceived = document.mediaType !== null;
    const reason = document.failure ?? "It could not be read.";
    return { kind: isReceived || isOverLimits(reason) ? "unchecked" : "unfetchable", reason };
  }
  const text = await extractText(document.mediaType, document.content, queueKey);
  if (text === null) return { kind: "unchecked", reason: UNREADABLE };
  return {
    kind: "text",
    text,
    source: "url",
    ...(document.sha256 ? { documentHash: document.sha256 } : {}),
  };
}

export const NOT_STORED = "The document behind its URL is no longer stored.";
export const UNREADABLE = "The page takes too much time or memory to read.";

/**
 * Returns the stored copy of the deliverable's document; else fetches and stores it. Returns null if it
 * is not stored and may not be fetched. Throws `DocumentUnavailable` if another attempt may succeed.
 */
export async function loadDocument(
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

/** Returns the text of a document that a reader sees, or null if extracting it exceeds the limits. */
export async function extractText(
  mediaType: string | null,
  content: string,
  queueKey: QueueKey | undefined,
): Promise<string | null> {
  if (mediaType !== "text/html" && mediaType !== "application/xhtml+xml") return content;
  const visible = await visibleTextInWorker.for(queueKey)(content);
  return visible.ok ? visible.value : null;
}

import { isBlank } from "@/server/judging/canonicalise";
import { fetchDocumentCopy } from "@/server/judging/documents/document-copy";
import {
  type DeliverableSource,
  extractText,
  loadDocument,
  NOT_STORED,
  UNREADABLE,
} from "@/server/judging/documents/read-deliverable";
import type { documents } from "@/server/judging/tables";
import type { Core } from "@/server/lib/context";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { isPdf } from "@/server/outbound/guarded-body";
import type { Delivered } from "./delivered";

/**
 * Returns what an agreement's requirements are decided on: the submitted content if it has visible
 * text, else the document behind the URL, fetched once and stored like that of `readDeliverable`. Call
 * this first, since it also stores documents that are no text. Throws `DocumentUnavailable` if
 * another attempt may succeed.
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

/** Like `readDelivered`, for a trial: fetches the document and stores nothing. */
export async function readTrialDelivered(
  core: Pick<Core, "env">,
  { content, url, queueKey }: Pick<DeliverableSource, "content" | "url" | "queueKey">,
): Promise<Delivered> {
  if (isContent(content)) return deliverContent(content);
  if (url === null) return NOTHING;
  const { row } = await fetchDocumentCopy(core, url, { queueKey, isExact: true });
  return deliverDocument(row, queueKey);
}

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

import { and, eq } from "drizzle-orm";
import { isBlank } from "@/server/judging/canonicalise";
import type { Deliverable } from "@/server/judging/judge";
import { documents } from "@/server/judging/tables";
import type { Core } from "@/server/lib/context";
import { fetchCopy, keepCopy } from "./fetch-copy";
import { visibleText } from "./visible-text";

export interface DeliverableSource {
  subjectId: string;
  content: string | null;
  url: string | null;
  /** No further try will follow: a failure that might pass is recorded as final. */
  lastAttempt: boolean;
}

/** The document could not be read now; worth another try. */
export class DocumentUnavailable extends Error {
  override name = "DocumentUnavailable";
}

/**
 * What is to be judged. Content wins when it has visible text; else the URL's document, fetched
 * once and kept, so that whoever asks again gets the same copy. A fetched HTML page or PDF is
 * reduced to the text a reader sees. Throws `DocumentUnavailable` while another try may help.
 */
export async function readDeliverable(
  core: Pick<Core, "db" | "env">,
  { subjectId, content, url, lastAttempt }: DeliverableSource,
): Promise<Deliverable> {
  if (content !== null && !isBlank(content)) {
    return { kind: "text", text: content, source: "content" };
  }
  if (url === null) return { kind: "missing" };

  const document =
    (await keptDocument(core, subjectId, url)) ??
    (await fetchAndKeep(core, { subjectId, url, lastAttempt }));
  if (document.content === null) {
    return { kind: "unfetchable", reason: document.failure ?? "It could not be read." };
  }
  return {
    kind: "text",
    text: isHtml(document.mediaType) ? visibleText(document.content) : document.content,
    source: "url",
    ...(document.sha256 ? { documentHash: document.sha256 } : {}),
  };
}

async function fetchAndKeep(
  core: Pick<Core, "db" | "env">,
  { subjectId, url, lastAttempt }: { subjectId: string; url: string; lastAttempt: boolean },
) {
  const copy = await fetchCopy(core, url);
  if (copy.retryable && !lastAttempt) {
    throw new DocumentUnavailable(copy.row.failure ?? "the document could not be read");
  }
  await keepCopy(core.db, subjectId, copy);
  // Of two that fetched at once, both go on with the copy that was kept.
  const kept = await keptDocument(core, subjectId, url);
  if (!kept) throw new DocumentUnavailable("the fetched copy is gone");
  return kept;
}

async function keptDocument(core: Pick<Core, "db">, subjectId: string, url: string) {
  const [document] = await core.db
    .select()
    .from(documents)
    .where(and(eq(documents.subjectId, subjectId), eq(documents.url, url)));
  return document;
}

function isHtml(mediaType: string | null): boolean {
  return mediaType === "text/html" || mediaType === "application/xhtml+xml";
}

import { type CitedPage, MISSING_STATUSES, type PageStore } from "@/server/judging/checks/check";
import { findDocument } from "@/server/judging/queries";
import type { documents } from "@/server/judging/tables";
import type { Sql } from "@/server/lib/context";
import { sha256 } from "@/server/lib/hash";
import { storeDocumentCopy } from "./document-copy";

/**
 * Creates the store of the pages that an outcome cites. Each page is fetched once; every later
 * judgement and review reads the copy, so that a page that changes or vanishes changes no verdict. A
 * page that is not stored counts as unreachable, which is evidence of nothing. `submitter` is the
 * wallet whose limit new pages count against; null if only stored pages may be read. Of a page that the terms
 * of `agreementId` name, the copy of before suffices.
 */
export function createPageStore(
  db: Sql,
  {
    subjectId,
    submitter,
    agreementId = null,
  }: { subjectId: string; submitter: string | null; agreementId?: string | null },
): PageStore {
  return async (url, fetchPage) => {
    let stored = await findDocument(db, subjectId, url);
    if (!stored && submitter !== null) {
      const fetched = await fetchPage();
      const named = agreementId && (await findDocument(db, agreementId, url));
      const page = named ? addNamed(fetched, named.content ?? "") : fetched;
      await storePages(db, { [url]: page }, { subjectId, submitter });
      // What was stored counts: another check may have been first, or a limit reached.
      stored = await findDocument(db, subjectId, url);
    }
    return stored ? toCitedPage(stored) : NOT_STORED;
  };
}

/** Stores pages for a subject, by their URLs. */
export async function storePages(
  db: Sql,
  pages: Record<string, CitedPage>,
  { subjectId, submitter }: { subjectId: string; submitter: string },
): Promise<void> {
  for (const [url, page] of Object.entries(pages)) {
    const copy = { ...toCopy(page), url, submitter, fetchedAt: new Date() };
    await storeDocumentCopy(db, subjectId, copy);
  }
}

/** Returns a page with what stood on it when the terms were proposed; one that was silent then responds. */
const addNamed = (page: CitedPage, before: string): CitedPage =>
  page.kind === "page"
    ? { ...page, text: [page.text, before].filter(Boolean).join("\n") }
    : { kind: "page", text: before, isPartial: true };

const NO_HOST = "The host does not exist.";
const NOT_STORED: CitedPage = {
  kind: "unreachable",
  reason: "It was not stored with the judgement.",
};

function toCopy(page: CitedPage): Partial<typeof documents.$inferInsert> {
  if (page.kind === "unreachable") return { failure: page.reason };
  const { status, finalUrl } = page;
  if (page.kind === "missing") {
    return { status, finalUrl, failure: status === null ? NO_HOST : "The page does not exist." };
  }
  // PostgreSQL stores neither unpaired surrogates nor NUL.
  const content = page.text.toWellFormed().replaceAll("\0", "");
  const mediaType = page.isPdf ? "application/pdf" : "text/plain";
  const text = { content, sha256: sha256(content), mediaType };
  return { status, finalUrl, isPartial: page.isPartial, ...text };
}

function toCitedPage(stored: typeof documents.$inferSelect): CitedPage {
  const { content, status, failure, isPartial, mediaType } = stored;
  // The deliverable's own document, cited by the deliverable: its raw form proves no absence.
  if (content !== null) {
    const isPdf = mediaType === "application/pdf";
    return { kind: "page", text: content, isPartial: isPartial ?? true, ...(isPdf && { isPdf }) };
  }
  if (failure === NO_HOST) return { kind: "missing", status: null };
  if (status !== null && MISSING_STATUSES.includes(status)) return { kind: "missing", status };
  return { kind: "unreachable", reason: failure ?? "It could not be read." };
}

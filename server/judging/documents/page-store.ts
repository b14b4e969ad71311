import {
  type CitedPage,
  MISSING_STATUSES,
  type PageStore,
} from "@/server/judging/checks/sources/cited-page";
import { findDocument } from "@/server/judging/queries";
import type { documents } from "@/server/judging/tables";
import type { Sql } from "@/server/lib/context";
import { sha256 } from "@/server/lib/hash";
import { storeDocumentCopy } from "./document-copy";

export interface PageSource {
  /** The outcome that cites the pages. */
  subjectId: string;
  /** Wallet whose limit new pages count against; null if only stored pages may be read. */
  submitter: string | null;
}

/**
 * Creates the store of the pages that an outcome cites. Each page is fetched once; every later
 * judgement and review reads the copy, so that a page that changes or vanishes changes no verdict. A
 * page that is not stored counts as unreachable, which is evidence of nothing.
 */
export function createPageStore(db: Sql, { subjectId, submitter }: PageSource): PageStore {
  const read: PageStore = async (url, fetchPage) => {
    const stored = await findDocument(db, subjectId, url);
    if (stored) return toCitedPage(stored);
    if (submitter === null) return NOT_STORED;
    const copy = toCopy(await fetchPage());
    await storeDocumentCopy(db, subjectId, { ...copy, url, submitter, fetchedAt: new Date() });
    // What was stored counts: another process may have been first, or a limit reached.
    const kept = await findDocument(db, subjectId, url);
    return kept ? toCitedPage(kept) : NOT_STORED;
  };
  // Checks that read the same page at the same time share one copy.
  const reading = new Map<string, Promise<CitedPage>>();
  return (url, fetchPage) => {
    const page = reading.get(url) ?? read(url, fetchPage);
    reading.set(url, page);
    return page;
  };
}

const NOT_STORED = {
  kind: "unreachable" as const,
  reason: "It was not stored with the judgement.",
};

function toCopy(page: CitedPage): Partial<typeof documents.$inferInsert> {
  if (page.kind === "unreachable") return { failure: page.reason };
  const { status, finalUrl } = page;
  if (page.kind === "missing") return { status, finalUrl, failure: "The page does not exist." };
  const { isPartial } = page;
  // PostgreSQL stores neither of the two.
  const content = page.text.toWellFormed().replaceAll("\0", "");
  const mediaType = "text/plain";
  return { status, finalUrl, content, isPartial, sha256: sha256(content), mediaType };
}

function toCitedPage(stored: typeof documents.$inferSelect): CitedPage {
  const { content, failure, status } = stored;
  // The deliverable's own document, cited by the deliverable: its raw form proves no absence.
  if (content !== null) return { kind: "page", text: content, isPartial: stored.isPartial ?? true };
  if (status !== null && MISSING_STATUSES.includes(status)) return { kind: "missing", status };
  return { kind: "unreachable", reason: failure ?? NOT_STORED.reason };
}

import {
  type CheckIo,
  type CitedPage,
  MISSING_STATUSES,
  type ObserveOptions,
} from "@/server/judging/checks/check";
import { extractPdfText, extractText, isHtml } from "@/server/judging/documents/document-text";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import { acquireMutex } from "@/server/lib/process/mutex";
import { HOUR_MS } from "@/server/lib/time";
import { type FetchedDocument, fetchDocument } from "@/server/outbound/guarded-fetch";
import { isUnknownHost } from "@/server/outbound/guarded-lookup";

const CACHE = { ttlMs: HOUR_MS, max: 50 };
/** Longer texts are cut, to bound the cache. */
const MAX_TEXT = 300_000;
/** A PDF with less text is assumed to consist of pictures. */
const MIN_PDF_TEXT = 500;
/** A page with scripts and less text than this is assumed to render its text by scripts. */
const MIN_SCRIPTED_TEXT = 400;
/** Matches pages that ask for a login, a payment or a human instead of showing their text. */
const WALL =
  /\b(?:enable javascript|javascript is (?:disabled|required)|just a moment|checking your browser|verify (?:that )?you are (?:a )?human|captcha|are you a robot|unusual traffic|access denied|subscribe (?:now )?to (?:read|continue|unlock)|subscribers only|already a subscriber|(?:sign|log) in to (?:read|continue|view)|create (?:a|your) free account|purchase (?:this )?article|buy (?:this )?article|get access to (?:the )?full)\b/i;

/**
 * Creates the fetch of cited pages under the rules for outbound requests: without cookies or
 * referrer, one page at a time per host. Pages are cached for an hour; a missing one is not, since it
 * may be published any moment.
 */
export function createCitedPageFetch({
  allowLoopback,
}: {
  allowLoopback: boolean;
}): CheckIo["fetchCitedPage"] {
  const cache = cacheLoads<CitedPage>(CACHE);
  const callers = new Map<string, Callers>();
  const load = async (
    url: string,
    signal: AbortSignal,
    queueKey: ObserveOptions["queueKey"],
  ): Promise<CitedPage> => {
    const release = await acquireMutex(`cited-page ${new URL(url).host}`, queueKey);
    try {
      if (signal.aborted) throw new Unreachable(NOT_IN_TIME);
      return await readPage(url, await fetchDocument(url, { allowLoopback, signal }), queueKey);
    } finally {
      release();
    }
  };
  return async (url, { signal, queueKey } = {}) => {
    const waiting = callers.get(url) ?? { count: 0, abort: new AbortController() };
    callers.set(url, waiting);
    waiting.count += 1;
    try {
      const loading = cache(url, () => load(url, waiting.abort.signal, queueKey));
      return await Promise.race([loading, rejectOnAbort(signal)]);
    } catch (error) {
      if (error instanceof Missing) return { ...error.page };
      const reason = error instanceof Unreachable ? error.message : "It was not read in time.";
      return { kind: "unreachable", reason };
    } finally {
      waiting.count -= 1;
      if (waiting.count === 0) {
        waiting.abort.abort();
        callers.delete(url);
      }
    }
  };
}

const NOT_IN_TIME = "It did not respond in time.";

/** The callers that wait for a page. They share one load, which ends when the last one gives up. */
interface Callers {
  count: number;
  abort: AbortController;
}

/** Thrown rather than returned, so that it is not cached. */
class Unreachable extends Error {}
class Missing extends Error {
  constructor(readonly page: CitedPage) {
    super("The page does not exist.");
  }
}

async function readPage(
  url: string,
  fetched: FetchedDocument,
  queueKey: ObserveOptions["queueKey"],
): Promise<CitedPage> {
  if (!fetched.ok) {
    const { status = 0, url: finalUrl, reason } = fetched;
    // After a redirect to another host, as by doi.org, the cited address does exist.
    if (fetched.code === "dns" && (await isUnknownHost(new URL(url).hostname))) {
      throw new Missing({ kind: "missing", status: null });
    }
    const isSameSite = finalUrl !== undefined && getSite(finalUrl) === getSite(url);
    if (isSameSite && MISSING_STATUSES.includes(status)) {
      throw new Missing({ kind: "missing", status, finalUrl });
    }
    throw new Unreachable(reason);
  }
  const { content, bytes, mediaType } = fetched;
  const page = { kind: "page" as const, status: fetched.status, finalUrl: fetched.url };
  if (content === null) {
    const pdf = await extractPdfText(bytes, { queueKey });
    const text = pdf.ok ? pdf.text : "";
    const isPartial = text.length < MIN_PDF_TEXT || text.length > MAX_TEXT;
    return { ...page, text: text.slice(0, MAX_TEXT), isPartial, isPdf: true };
  }
  const text = await extractText(mediaType, content, queueKey);
  if (text === null) return { ...page, text: "", isPartial: true };
  const isScripted =
    isHtml(mediaType) && text.length < MIN_SCRIPTED_TEXT && /<script\b/i.test(content);
  return {
    ...page,
    text: text.slice(0, MAX_TEXT),
    isPartial: isScripted || text.length > MAX_TEXT || WALL.test(text),
  };
}

const getSite = (url: string) => new URL(url).host.replace(/^www\./, "");

function rejectOnAbort(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(new Unreachable(NOT_IN_TIME));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
  });
}

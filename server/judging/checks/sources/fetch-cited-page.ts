import {
  type CheckIo,
  type CitedPage,
  type FetchOptions,
  MISSING_STATUSES,
} from "@/server/judging/checks/check";
import { extractPdfText, extractText, isHtml } from "@/server/judging/documents/document-text";
import type { FetchLimit } from "@/server/judging/documents/fetch-limit";
import { AppError } from "@/server/lib/errors";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import { acquireMutex } from "@/server/lib/process/mutex";
import { MINUTE_MS } from "@/server/lib/time";
import { type FetchedDocument, fetchDocument } from "@/server/outbound/guarded-fetch";
import { isUnknownHost } from "@/server/outbound/guarded-lookup";

const CACHE_MS = 10 * MINUTE_MS;
/** At most 60 MB of texts. */
const MAX_PAGES = 100;
const MAX_TEXTLESS = 5_000;
/** Read of a page of which only the response counts. */
const START_BYTES = 16 * 1024;
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
 * referrer, one page at a time per host, within `limit`. Each process fetches a page once in ten minutes,
 * unless it has fetched many others since; a missing one is not cached, since it may be published any moment.
 */
export function createCitedPageFetch({
  allowLoopback,
  limit = async () => {},
}: {
  allowLoopback: boolean;
  limit?: FetchLimit | undefined;
}): CheckIo["fetchCitedPage"] {
  const pages = cacheLoads<CitedPage>({ ttlMs: CACHE_MS, max: MAX_PAGES });
  const textless = cacheLoads<CitedPage>({ ttlMs: CACHE_MS, max: MAX_TEXTLESS });
  const callers = new Map<string, Callers>();
  const load = async (
    url: string,
    signal: AbortSignal,
    { queueKey, isTextless, isTrial = false }: FetchOptions,
  ): Promise<CitedPage> => {
    const release = await acquireMutex(`cited-page ${new URL(url).host}`, queueKey);
    try {
      if (signal.aborted) throw new Unreachable(NOT_IN_TIME);
      const fetched = await fetchDocument(url, {
        allowLoopback,
        signal,
        admit: (addresses) => limit(addresses, { isTrial }),
        startBytes: isTextless ? START_BYTES : undefined,
      });
      return await readPage(url, fetched, { queueKey, isTextless });
    } finally {
      release();
    }
  };
  return async (url, { signal, ...options } = {}) => {
    const key = options.isTextless ? `start of ${url}` : url;
    const waiting = callers.get(key) ?? { count: 0, abort: new AbortController() };
    callers.set(key, waiting);
    waiting.count += 1;
    try {
      const cache = options.isTextless ? textless : pages;
      const loading = cache(url, () => load(url, waiting.abort.signal, options));
      const page = await Promise.race([loading, rejectOnAbort(signal)]);
      if (!options.isTextless) void textless(url, async () => ({ ...page, ...TEXTLESS }));
      return page;
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (error instanceof Missing) return { ...error.page };
      const reason = error instanceof Unreachable ? error.message : "It was not read in time.";
      return { kind: "unreachable", reason };
    } finally {
      waiting.count -= 1;
      if (waiting.count === 0) {
        waiting.abort.abort();
        callers.delete(key);
      }
    }
  };
}

const TEXTLESS = { text: "", isPartial: true };
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
  { queueKey, isTextless }: Pick<FetchOptions, "queueKey" | "isTextless">,
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
  if (isTextless) return { ...page, ...TEXTLESS };
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

import {
  type CheckInput,
  type CheckIo,
  type CitedPage,
  createGeneralRequirement,
  type ObservedCheck,
  type ObserveOptions,
  type Passage,
} from "@/server/judging/checks/check";
import { joinCounts, joinWithin } from "@/server/judging/checks/text/facts";
import { FairQueue } from "@/server/lib/process/fair-queue";
import { inWorker } from "@/server/lib/process/worker-pool";
import {
  indexLetters,
  isForeign,
  listAttributedQuotations,
  occursInLetters,
  type SelectedPages,
  type selectPages,
  toLetters,
} from "./attributed-quotations";
import { listSources, mayCite } from "./citations";

/** For all pages of a deliverable together; later ones count as unreachable. */
const FETCH_TIMEOUT_MS = 10_000;
/** After which the pages of a deliverable are not fetched, so that slow ones of others delay it little. */
const WAIT_TIMEOUT_MS = 5_000;
/** Number of checks that fetch at once; fewer than judgements by default, so that slow pages leave some free. */
const MAX_FETCHING = 6;
const MAX_PASSAGES = 10;

/** The fetched pages by URL. */
type Pages = Record<string, CitedPage>;

type NoParameters = Record<string, never>;

const selectPagesInWorker = inWorker<Parameters<typeof selectPages>, SelectedPages>(
  "server/judging/checks/sources/attributed-quotations.ts",
  "selectPages",
);

/** Fails if a cited page does not exist, although its server responds. */
export const citedPagesExist: ObservedCheck<NoParameters, Pages> = {
  name: "cited-pages-exist",
  extract: () => [createGeneralRequirement("cited-pages-exist")],
  describe: () => "Cited pages exist",
  async observe(input, _parameters, io, options) {
    const pages = await fetchPages("sources", input, io, options);
    // The texts are not needed, and large.
    for (const page of Object.values(pages ?? {})) if (page.kind === "page") page.text = "";
    return pages;
  },
  run(input, _parameters, pages) {
    const sources = listSources(input);
    const urls = [...new Set(sources.map(({ url }) => url))];
    const count = (kind: CitedPage["kind"] | undefined) =>
      urls.filter((url) => pages[url]?.kind === kind).length;
    const observed = joinCounts([
      [count("page"), "found"],
      [count("missing"), "missing"],
      [count("unreachable"), "not reachable"],
      [count(undefined), "not requested"],
    ]);
    if (count("missing") === 0) {
      return { outcome: count("page") > 0 ? "pass" : "not-applicable", observed };
    }
    const missing = urls.flatMap((url) => {
      const page = pages[url];
      if (page?.kind !== "missing") return [];
      return [`${url} (${page.status === null ? "its host does not exist" : page.status})`];
    });
    return {
      outcome: "fail",
      observed,
      detail: `Missing: ${joinWithin(missing, ", ")}`,
      passages: toPassages(sources.filter(({ url }) => pages[url]?.kind === "missing")),
    };
  },
};

/** Fails if a quotation is not on the page that the deliverable attributes it to. */
export const quotationsOnPages: ObservedCheck<NoParameters, Pages> = {
  name: "quotations-on-pages",
  extract: () => [createGeneralRequirement("quotations-on-pages")],
  describe: () => "Quotations are on the pages that they cite",
  observe: (input, _parameters, io, options) => fetchPages("quoted", input, io, options),
  run(input, _parameters, pages) {
    const letters = indexLetters(pages);
    const given = toLetters(input.task);
    const quotations = listAttributedQuotations(input).map((one) => ({
      ...one,
      isFound: isOnPage(one.quotation, pages[one.url], letters.get(one.url)),
    }));
    const found = quotations.filter(({ isFound }) => isFound === true);
    const missing = quotations.filter(
      ({ isFound, quotation }) => isFound === false && !occursInLetters(quotation, given),
    );
    const observed = joinCounts([
      [found.length, "found"],
      [missing.length, "not found"],
      [quotations.length - found.length - missing.length, "not compared"],
    ]);
    if (missing.length === 0) {
      return found.length > 0
        ? { outcome: "pass", observed }
        : { outcome: "not-applicable", observed: "no quotation could be compared with its page" };
    }
    return {
      outcome: "fail",
      observed,
      detail: joinWithin(
        missing.map(({ quotation, url }) => `Not on ${url}: “${quotation}”`),
        "\n",
      ),
      passages: toPassages(missing),
    };
  },
};

/** Returns null if the page or the quotation is too incomplete to tell. */
function isOnPage(
  quotation: string,
  page: CitedPage | undefined,
  letters: string | undefined,
): boolean | null {
  if (page?.kind !== "page" || letters === undefined) return null;
  const isFound = occursInLetters(quotation, letters);
  if (isFound !== false) return isFound;
  const isCertain = !page.isPartial && (page.isPdf !== true || isForeign(quotation, letters));
  return isCertain ? false : null;
}

/** Fetches the selected pages. Returns null if there are none. */
async function fetchPages(
  purpose: keyof SelectedPages,
  input: CheckInput,
  io: CheckIo,
  options: ObserveOptions = {},
): Promise<Pages | null> {
  if (!mayCite(input.text)) return null;
  const selected = await selectPagesOnce(input, options.queueKey);
  if (!selected.ok || selected.value[purpose].length === 0) return null;
  const urls = selected.value[purpose];
  const pages = await fetchInTurn(options, () => fetchAll(urls, io, options));
  return pages ?? Object.fromEntries(urls.map((url) => [url, NOT_FETCHED]));
}

/** The checks of one judgement share its input, and so a selection. */
const selections = new WeakMap<CheckInput, ReturnType<typeof selectPagesInWorker>>();

function selectPagesOnce(input: CheckInput, queueKey: ObserveOptions["queueKey"]) {
  const known = selections.get(input);
  if (known) return known;
  const selecting = selectPagesInWorker.for(queueKey)(input);
  selections.set(input, selecting);
  return selecting;
}

const NOT_FETCHED: CitedPage = { kind: "unreachable", reason: "Too many pages are being fetched." };
const fetches = new FairQueue(MAX_FETCHING);

/** Returns null if it is not its turn in time. */
async function fetchInTurn<T>(
  { queueKey }: ObserveOptions,
  fetch: () => Promise<T>,
): Promise<T | null> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), WAIT_TIMEOUT_MS);
  try {
    return await fetches.run(queueKey, fetch, late.signal);
  } catch (error) {
    if (error === late.signal.reason) return null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function fetchAll(
  urls: readonly string[],
  io: CheckIo,
  { signal, queueKey }: ObserveOptions,
): Promise<Pages> {
  const timeout = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  const limit = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const pages = urls.map(
    async (url) =>
      [
        url,
        { ...(await io.fetchCitedPage(url, { signal: limit, queueKey }).catch(() => NOT_FETCHED)) },
      ] as const,
  );
  return Object.fromEntries(await Promise.all(pages));
}

const toPassages = (found: readonly Passage[]): Passage[] =>
  found.slice(0, MAX_PASSAGES).map(({ from, to }) => ({ from, to }));

import type { CheckIo, CitedPage } from "@/server/judging/checks/check";
import type {
  DecideOptions,
  NamedPagesFetch,
} from "@/server/judging/requirements/requirement-decider";
import type { RequirementOf } from "@/server/judging/requirements/schema";
import { FairQueue } from "@/server/lib/process/fair-queue";
import { inWorker } from "@/server/lib/process/worker-pool";
import type { decideQuotations, LinkedPages, listLinkedPages } from "./quotations";
import { count, type Decision, isWithin, OVER_LIMITS, shortenDetail } from "./reading";

export type SourceRequirement = RequirementOf<"links-respond" | "quotes-found">;

const MAX_LINKS = 50;
/** Fewer, since their text is stored with the judgement. */
const MAX_QUOTED = 10;
/** Pages of the terms that are fetched before they are signed. */
const MAX_NAMED = 20;
/** For all pages of a deliverable together; later ones count as not responding. */
const FETCH_TIMEOUT_MS = 60_000;
/** Number of deliverables whose pages are fetched at once. */
const fetches = new FairQueue(4);

const listLinkedPagesInWorker = inWorker<Parameters<typeof listLinkedPages>, LinkedPages>(
  "server/judging/requirements/decisions/quotations.ts",
  "listLinkedPages",
);
const decideQuotationsInWorker = inWorker<Parameters<typeof decideQuotations>, Decision>(
  "server/judging/requirements/decisions/quotations.ts",
  "decideQuotations",
);

/**
 * Decides requirements about the pages that a text links or quotes, in their order. Fetches each page
 * once. Throws if `signal` is aborted, and `rate-limited` once all pages are loaded that need not wait.
 */
export async function decideSources(
  text: string,
  requirements: readonly SourceRequirement[],
  io: CheckIo,
  options: DecideOptions,
): Promise<Decision[]> {
  if (requirements.length === 0) return [];
  const listed = await listLinkedPagesInWorker.for(options.queueKey)(text);
  if (!listed.ok) return requirements.map(() => OVER_LIMITS);
  const checks = requirements.map(({ check }) => check);
  const quoted = checks.includes("quotes-found") ? listed.value.quoted : [];
  const { links } = listed.value;
  const read = {
    quoted: quoted.length > MAX_QUOTED ? [] : quoted,
    links: requirements.some((requirement) => canPass(links, requirement)) ? links : [],
  };
  const pages = await fetches.run(options.queueKey, () => loadPages(read, io, options));
  return Promise.all(
    requirements.map(async (requirement) => {
      if (requirement.check === "links-respond") return decideLinks(links, pages, requirement);
      if (quoted.length > MAX_QUOTED) {
        return { passed: false, observed: `quotations of more than ${MAX_QUOTED} pages` };
      }
      const decided = await decideQuotationsInWorker.for(options.queueKey)(text, pages);
      return decided.ok ? decided.value : OVER_LIMITS;
    }),
  );
}

/** Whether the number of links can pass; otherwise no page has to be fetched. */
const canPass = (links: readonly string[], requirement: SourceRequirement) =>
  requirement.check === "links-respond" &&
  links.length <= MAX_LINKS &&
  isWithin(links.length, requirement);

export const createNamedPagesFetch =
  (io: CheckIo): NamedPagesFetch =>
  async ({ task, criteria, requirements }, options) => {
    const checks = requirements.map(({ check }) => check);
    const isQuoted = checks.includes("quotes-found");
    if (!isQuoted && !checks.includes("links-respond")) return {};
    const text = [task, ...criteria].join("\n\n");
    const listed = await listLinkedPagesInWorker.for(options.queueKey)(text);
    const links = listed.ok ? listed.value.links.slice(0, MAX_NAMED) : [];
    const quoted = isQuoted ? links : [];
    return fetches.run(options.queueKey, () => loadPages({ quoted, links }, io, options));
  };

function decideLinks(
  links: readonly string[],
  pages: Record<string, CitedPage>,
  limits: RequirementOf<"links-respond">,
): Decision {
  if (links.length > MAX_LINKS) return { passed: false, observed: `more than ${MAX_LINKS} links` };
  if (!canPass(links, limits)) return { passed: false, observed: count(links.length, "link") };
  const silent = links.filter((url) => pages[url]?.kind !== "page");
  const responding = links.length - silent.length;
  const observed = `${count(links.length, "link")}, ${responding} ${responding === 1 ? "responds" : "respond"}`;
  if (silent.length === 0) return { passed: true, observed };
  const detail = shortenDetail(`Not responding: ${silent.join(", ")}`);
  return { passed: false, observed, detail };
}

/** Loads pages through the store, links that are not quoted without their text, which nothing reads. */
async function loadPages(
  { quoted, links }: LinkedPages,
  { fetchCitedPage }: CheckIo,
  { pages = (_url, fetchPage) => fetchPage(), signal, queueKey, isTrial }: DecideOptions,
): Promise<Record<string, CitedPage>> {
  const timeout = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  const limits = {
    queueKey,
    isTrial,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  const load = async (url: string): Promise<CitedPage> => {
    const page = await fetchCitedPage(url, { ...limits, isTextless: !quoted.includes(url) });
    // Stored, an interrupted fetch would decide against the deliverable for good.
    signal?.throwIfAborted();
    return page;
  };
  const urls = [...new Set([...quoted, ...links])];
  const loaded = urls.map(async (url) => [url, await pages(url, () => load(url))] as const);
  // The next attempt finds what this one has stored.
  await Promise.allSettled(loaded);
  return Object.fromEntries(await Promise.all(loaded));
}

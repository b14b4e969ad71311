import type { CheckInput, CitedPage, Passage } from "@/server/judging/checks/check";
import { countUnspaced } from "@/server/judging/checks/text/scripts";
import { extractProse } from "@/server/judging/checks/text/sentences";
import {
  type Citation,
  isInside,
  listCitations,
  listReferenceSections,
  listSources,
} from "./citations";

/** A quotation that a deliverable attributes to a page. */
export interface AttributedQuotation extends Passage {
  quotation: string;
  url: string;
}

/** Quotation marks of several languages. */
const QUOTATION =
  /„([^„“”\n]{20,1500})[“”]|“([^“”\n]{20,1500})”|«\s?([^«»\n]{20,1500}?)\s?»|»([^«»\n]{20,1500})«|‹\s?([^‹›\n]{20,1500}?)\s?›|「([^「」\n]{8,1500})」|『([^『』\n]{8,1500})』|(?<![\w"])"(?=\S)([^"\n]{20,1500})"(?![\w"])/g;
const BLOCK_QUOTATION = /(?:^[ \t]{0,3}>[^\n]{0,2000}(?:\n|$)){1,40}/gm;
const ASKS_TO_QUOTE =
  /\b(?:quotes?|quoting|quotations?|verbatim|word for word|literally|exact words)\b/i;
const MIN_WORDS = 5;
/** The same in scripts without spaces between words. */
const MIN_UNSPACED = 10;
/** A larger share of capitalised words suggests a title, which pages shorten or extend. */
const MAX_CAPITALISED = 0.6;

const REPORTING =
  /\b(?:state[sd]?|stating|says?|said|writes?|written|wrote|note[sd]?|noting|reports?|reported|reads?|explains?|explained|according to|per|puts? it|quote[sd]?|quoting|describe[sd]?|conclude[sd]?|claims?|claimed|warns?|warned|argue[sd]?|observe[sd]?|announce[sd]?|confirms?|confirmed|declare[sd]?)\b/i;
/** Maximum distance between a quotation and its attribution, in characters. */
const MAX_DISTANCE = 300;
/** Text that may be between a quotation and the page that it comes from. */
const LEADS_TO_SOURCE = [
  // (URL), — URL, [title](URL), ": URL"
  /^[.,;:]?\s{0,3}(?:[(（—–-]\s{0,2}){0,2}(?:(?:source|via|from|see|in)\b:?\s{0,2})?<?(?:\[[^[\]\n]{1,200}\]\()?$/i,
  // (WHO, 2023, URL)
  /^[.,;]?\s?\([^()\n"“”]{1,120}[ :,;]$/,
  // Link: URL
  /^[.,;]?\s{0,3}\(?(?:[\p{L}-]{1,20} ){0,2}[\p{L}-]{1,20}:\s?<?(?:\[[^[\]\n]{1,200}\]\()?$/u,
  // , says the news page (URL)
  /^[.,;]?\s?(?:as |so )?(?:(?:the |its |their )?[\p{L} ’']{0,40})?\b(?:says?|said|states?|stated|writes?|wrote|reports?|reported|reads?|notes?|noted|explains?|according to)\b[^.!?\n"“”]{0,120}$/u,
];
const MARKER = /^[.,;]?\s{0,2}\[\^?(\d{1,3})\](?!\()/;
const MAX_QUOTATIONS = 50;
const MAX_LINE = 3_000;

/**
 * Lists the quotations that a text attributes to a cited page: followed by its URL, by a reference
 * number that leads to it, or introduced by a sentence that names it. If the task asks for quotations
 * and the text cites one page only, all of them belong to it. Titles are left out.
 */
export function listAttributedQuotations({
  task,
  text,
}: Pick<CheckInput, "task" | "text">): AttributedQuotation[] {
  const citations = listCitations(text);
  const [first] = citations;
  if (!first) return [];
  const isOnlyPage = citations.every(({ url }) => url === first.url);
  const onlyPage = isOnlyPage && ASKS_TO_QUOTE.test(extractProse(task)) ? first.url : null;
  const sections = listReferenceSections(text);
  const references = listNumberedReferences(text, citations, sections);
  const blocks = [...text.matchAll(BLOCK_QUOTATION)].map(
    (match) => [match, match[0].replace(/^[ \t]{0,3}> ?/gm, "")] as const,
  );
  const quotations = [...text.matchAll(QUOTATION)].map(
    (match) => [match, match.slice(1).find((one) => one !== undefined) ?? ""] as const,
  );
  const found: AttributedQuotation[] = [];
  for (const [{ index: from, 0: written }, quotation] of quotations) {
    if (found.length >= MAX_QUOTATIONS) break;
    const passage = { from, to: from + written.length };
    if (isInside(passage, sections)) continue;
    if (!isPassage(quotation) || hasUnevenQuotes(text, passage)) continue;
    const url =
      findFollowing(text, passage.to, citations, references) ??
      findIntroducing(text, from, citations) ??
      onlyPage;
    if (url !== null) found.push({ ...passage, quotation, url });
  }
  for (const [{ index: from, 0: written }, block] of blocks) {
    if (found.length >= MAX_QUOTATIONS) break;
    const passage = { from, to: from + written.length };
    const isRead = found.some((other) => from <= other.from && other.from < passage.to);
    const attributed = isRead ? null : readBlock(text, passage, block, citations, references);
    if (attributed !== null) found.push(attributed);
  }
  return found;
}

function isPassage(quotation: string): boolean {
  const words = quotation.match(/\p{L}[\p{L}'’-]*/gu) ?? [];
  const capitalised = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  const isLong = words.length >= MIN_WORDS || countUnspaced(quotation) >= MIN_UNSPACED;
  return isLong && capitalised / words.length <= MAX_CAPITALISED;
}

/** Returns whether its line has an odd number of straight quotation marks, which cannot be paired. */
function hasUnevenQuotes(text: string, { from }: Passage): boolean {
  if (text[from] !== '"') return false;
  const before =
    text
      .slice(Math.max(0, from - MAX_LINE), from)
      .split("\n")
      .at(-1) ?? "";
  const after = text.slice(from, from + MAX_LINE).split("\n", 1)[0] ?? "";
  return ((before + after).match(/"/g) ?? []).length % 2 === 1;
}

/** Returns the page that directly follows the quotation, by its URL or its number. */
function findFollowing(
  text: string,
  at: number,
  citations: readonly Citation[],
  references: ReadonlyMap<string, string>,
): string | null {
  const after = text.slice(at, at + MAX_DISTANCE);
  const marker = MARKER.exec(after)?.[1];
  if (marker) return references.get(marker) ?? null;
  const next = citations.find(({ from }) => from >= at && from < at + MAX_DISTANCE);
  const between = next && text.slice(at, next.from);
  return next && LEADS_TO_SOURCE.some((lead) => lead.test(between ?? "")) ? next.url : null;
}

/** Returns the only page that the sentence names before the quotation, if it reports words. */
function findIntroducing(text: string, at: number, citations: readonly Citation[]): string | null {
  const before = text.slice(Math.max(0, at - MAX_DISTANCE), at);
  const start = at - (before.split(/\n|(?<=[.!?]["”)]?)\s/).at(-1) ?? "").length;
  const named = citations.filter(({ from, to }) => from >= start && to <= at);
  const [only, ...others] = new Set(named.map(({ url }) => url));
  const words = named.reduceRight(
    (sentence, { from, to }) => sentence.slice(0, from - start) + sentence.slice(to - start),
    text.slice(start, at),
  );
  return only !== undefined &&
    others.length === 0 &&
    REPORTING.test(words) &&
    /[:,]\s*$|\b(?:that|as)\s*$/.test(words)
    ? only
    : null;
}

/** Reads a block quotation whose last line, or the line after it, names its page. */
function readBlock(
  text: string,
  { from, to }: Passage,
  block: string,
  citations: readonly Citation[],
  references: ReadonlyMap<string, string>,
): AttributedQuotation | null {
  const lines = block.trimEnd().split("\n");
  const inside = citations.filter((citation) => citation.from >= from && citation.to <= to);
  if (inside.length > 1) return null;
  const [own] = inside;
  const last = lines.at(-1) ?? "";
  const isOwnLine =
    own !== undefined && lines.length > 1 && /^\s*(?:—|–|-|\(|\[|source\b)/i.test(last);
  const quotation = (own ? lines.slice(0, -1) : lines).join("\n").trim();
  if (quotation === "" || !isPassage(quotation) || /^[-*] |^#|\|/m.test(quotation)) return null;
  const bare = quotation.replace(/^["“]|["”]$/g, "");
  if (own) return isOwnLine ? { from, to, quotation: bare, url: own.url } : null;
  const lead = /^\n?[ \t]*(?=—|–|<?https?:|\[|\(|\(?source\b)/i.exec(
    text.slice(to, to + MAX_DISTANCE),
  );
  const url = lead ? findFollowing(text, to + lead[0].length, citations, references) : null;
  return url === null ? null : { from, to, quotation: bare, url };
}

/** Returns the URLs of numbered references such as "[1] Title. https://…" by their number. */
function listNumberedReferences(
  text: string,
  citations: readonly Citation[],
  sections: readonly Passage[],
): ReadonlyMap<string, string> {
  const references = new Map<string, string>();
  for (const citation of citations) {
    const start = text.lastIndexOf("\n", citation.from) + 1;
    if (citation.from - start > 600) continue;
    const line = text.slice(start, citation.from);
    const number =
      /^\s{0,8}(?:[-*] )?\[\^?(\d{1,3})\]:?/.exec(line)?.[1] ??
      (isInside(citation, sections) ? /^\s{0,8}(\d{1,3})[.)]\s/.exec(line)?.[1] : undefined);
    // A reference with two URLs leads to either.
    if (number && references.has(number)) references.delete(number);
    else if (number) references.set(number, citation.url);
  }
  return references;
}

/** Shorter parts of a quotation occur by chance; a character of Chinese or Japanese says more. */
const MIN_PART_LETTERS = 12;
const MIN_UNSPACED_LETTERS = 8;

/** Reduces a text to its letters and digits: case, spacing, punctuation and typography vary. */
export function toLetters(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\[(?:\d{1,3}|[a-z]|citation needed)\]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Returns the letters of every page that could be read. */
export function indexLetters(pages: Record<string, CitedPage>): Map<string, string> {
  const read = Object.entries(pages).flatMap(([url, page]): [string, string][] =>
    page.kind === "page" ? [[url, toLetters(page.text)]] : [],
  );
  return new Map(read);
}

/**
 * Returns whether a quotation occurs in a text, given as `toLetters` returns it. If the quotation
 * leaves words out (an ellipsis) or replaces some (in square brackets), its parts must occur in
 * order. Returns null if no part is long enough to tell.
 */
export function occursInLetters(quotation: string, letters: string): boolean | null {
  const parts = quotation
    .split(/…|\.\s?\.\s?\.|\[[^\]]{0,200}\]/)
    .map(toLetters)
    .filter(
      (part) =>
        part.length >=
        (countUnspaced(part) * 2 > part.length ? MIN_UNSPACED_LETTERS : MIN_PART_LETTERS),
    );
  if (parts.length === 0) return null;
  let at = 0;
  for (const part of parts) {
    const found = letters.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

const SHINGLE_WORDS = 3;
const MAX_KNOWN_SHARE = 0.3;

/**
 * Returns whether hardly any three words in a row of a quotation occur in a text, given as `toLetters`
 * returns it. In a PDF whole lines may be out of order, but not the words within a line.
 */
export function isForeign(quotation: string, letters: string): boolean {
  const words = quotation.split(/\s+/).map(toLetters).filter(Boolean);
  const shingles = words
    .slice(0, 1 - SHINGLE_WORDS)
    .map((_, at) => words.slice(at, at + SHINGLE_WORDS).join(""));
  const known = shingles.filter((shingle) => letters.includes(shingle));
  return shingles.length >= SHINGLE_WORDS && known.length <= shingles.length * MAX_KNOWN_SHARE;
}

const MAX_PAGES = 10;

/** The pages to fetch for a deliverable; one may be in several lists. */
export interface SelectedPages {
  /** Pages that a quotation is attributed to. */
  quoted: string[];
  /** Pages that the deliverable presents as sources. */
  sources: string[];
}

/** Selects at most ten pages, quoted ones first. Pure; may be slow for hostile texts. */
export function selectPages(input: CheckInput): SelectedPages {
  const quoted = listAttributedQuotations(input).map(({ url }) => url);
  const sources = listSources(input).map(({ url }) => url);
  const selected = [...new Set([...quoted, ...sources])].slice(0, MAX_PAGES);
  return {
    quoted: selected.filter((url) => quoted.includes(url)),
    sources: selected.filter((url) => sources.includes(url)),
  };
}

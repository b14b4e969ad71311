import type { CheckInput, Passage } from "@/server/judging/checks/check";
import { extractProse, splitSentences } from "@/server/judging/checks/text/sentences";
import type { Category } from "@/server/lib/schema";

/** A URL or DOI in a deliverable. */
export interface Citation extends Passage {
  /** Without a fragment; a DOI as a URL of doi.org. */
  url: string;
  isDoi: boolean;
}

const URL_PATTERN = /https?:\/\/[^\s<>"“”（）「」、。`\\^{}|]{4,1000}/gi;
const DOI_PATTERN = /(?<![\w/.])10\.\d{4,9}\/[-._;()/:a-z0-9]{1,200}/gi;
const MAX_CITATIONS = 200;

/** Hosts and paths of examples and templates, which no reader is meant to open. */
const PLACEHOLDER_HOST =
  /^api\.|\bexample\b|\.(?:test|invalid|local|internal|onion)$|(?:your|my)-?(?:company|domain|site|website|server|app|org|host|name|store|brand)|^(?:www\.)?(?:domain|website|company|site|url|link|source|placeholder|acme|foo|bar|xyz|abc)\.\w+$/i;
const TEMPLATE_PATH = /…|\.{3}|%7B|\$|\*|xxx|\[|\/:\w|placeholder|your[-_]/i;

/**
 * Lists the URLs and DOIs that a text cites, in order. Leaves out code, placeholders and addresses
 * of programs.
 */
export function listCitations(text: string): Citation[] {
  const prose = blankCode(text);
  const toCitations = ({ 0: match, index: from }: RegExpExecArray, prefix = ""): Citation[] => {
    const written = trimUrl(match);
    const to = from + written.length;
    const url = parseCitedUrl(prefix + written);
    // The rest of a template, such as "https://host/{id}" or "https://host/...".
    const isTemplate = prefix === "" && /^(?:[{<\\]|\.\.)/.test(prose.slice(to, to + 3));
    if (url === null || isTemplate) return [];
    return [{ url: url.href, isDoi: /^(?:dx\.)?doi\.org$/i.test(url.hostname), from, to }];
  };
  const urls = [...prose.matchAll(URL_PATTERN)].flatMap((match) => toCitations(match));
  // The lookbehind of the pattern excludes DOIs inside URLs.
  const identifiers = [...prose.matchAll(DOI_PATTERN)].flatMap((match) =>
    toCitations(match, "https://doi.org/"),
  );
  return [...urls, ...identifiers].slice(0, MAX_CITATIONS).toSorted((a, b) => a.from - b.from);
}

/** Returns whether a text may cite anything; quick, for texts of any length. */
export const mayCite = (text: string): boolean => text.includes("://") || /\b10\.\d{4}/.test(text);

/** Replaces fenced and inline code by spaces, which keeps all offsets. */
function blankCode(text: string): string {
  return text.replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, blank).replace(/`[^`\n]{1,2000}`/g, blank);
}

const blank = (code: string) => code.replace(/[^\n]/g, " ");

/** Removes the punctuation of the sentence, and whatever follows a bracket that the URL did not open. */
function trimUrl(written: string): string {
  const open = { "(": 0, "[": 0 };
  let end = 0;
  for (; end < written.length; end += 1) {
    const character = written[end];
    if (character === "(" || character === "[") open[character] += 1;
    if (character === ")" && --open["("] < 0) break;
    if (character === "]" && --open["["] < 0) break;
  }
  while (end > 0 && ".,;:!?'’*_»~".includes(written.charAt(end - 1))) end -= 1;
  return written.slice(0, end);
}

function parseCitedUrl(written: string): URL | null {
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  url.hash = "";
  if (url.username || url.password) return null;
  if (PLACEHOLDER_HOST.test(url.hostname)) return null;
  return TEMPLATE_PATH.test(url.pathname + url.search) ? null : url;
}

const HEADING = /^ {0,3}(?:#{1,6}[ \t]|\*\*[^*\n]{1,80}\*\*:?[ \t]*$)/;
const REFERENCES_HEADING =
  /^[\s#*_]{0,12}(?:\d{1,2}[.)] ?)?(?:(?:key|main|primary|selected|cited|list of) )?(?:sources?|references?|bibliography|works cited|citations?|further reading|literature|footnotes|endnotes|reference list)(?: (?:cited|used|consulted|list))?[\s*_]{0,6}:?[\s*_]{0,6}$/i;
const CITING_WORDS =
  /\b(?:sources?|references?|cited?|citing|citations?|according to|retrieved|accessed|available at|doi|published|reports?|reported|study|studies|survey|data from|et al|see|details?|docs?|documentation|data ?sheet|official|statute|paper|article|guidelines?)\b|^\s{0,8}\[\^?\d{1,3}\]/i;
const ASKS_FOR_SOURCES =
  /\b(?:cite[sd]?|citing|citations?|footnotes?|bibliography|works cited|sourced|(?:with|your|the|all|credible|reliable|reputable|academic|scholarly|primary) (?:sources?|references)(?! (?:code|files?|text|material|data))|quotes?|quotations?|(?:link|links|url|urls) (?:to|for|it|them)|link the|(?:include|add|provide|give|with)\b[^.;]{0,40}\b(?:links?|urls?))\b/i;
const IS_OPTIONAL = /\b(?:if|ideally|optional(?:ly)?|feel free|preferably|no need|not need)\b/i;
/** Maximum characters of a line that are read on either side of a citation. */
const MAX_CONTEXT = 600;

/** Returns whether the task wants claims to be supported by sources. */
export function wantsSources(task: string, category: Category): boolean {
  return (
    category === "research" ||
    splitSentences(extractProse(task)).some(
      (sentence) => ASKS_FOR_SOURCES.test(sentence) && !IS_OPTIONAL.test(sentence),
    )
  );
}

/** Returns the parts of a text under a heading such as "References". */
export function listReferenceSections(text: string): Passage[] {
  const sections: Passage[] = [];
  let start: number | null = null;
  let at = 0;
  for (const line of text.split("\n")) {
    const isReferences = line.length <= 100 && REFERENCES_HEADING.test(line);
    if (start !== null && (isReferences || HEADING.test(line))) {
      sections.push({ from: start, to: at });
      start = null;
    }
    at += line.length + 1;
    if (isReferences) start = at;
  }
  if (start !== null && start < text.length) sections.push({ from: start, to: text.length });
  return sections;
}

export const isInside = ({ from }: Passage, sections: readonly Passage[]): boolean =>
  sections.some((section) => section.from <= from && from < section.to);

/** Returns whether the line of the passage presents it as a source. */
export function hasCitingWords(text: string, { from, to }: Passage): boolean {
  return CITING_WORDS.test(text.slice(...getLine(text, from)).replace(text.slice(from, to), " "));
}

/** Returns the bounds of the line around `at`, within `MAX_CONTEXT` characters. */
function getLine(text: string, at: number): [number, number] {
  const earliest = Math.max(0, at - MAX_CONTEXT);
  const before = text.slice(earliest, at).lastIndexOf("\n");
  const after = text.slice(at, at + MAX_CONTEXT).indexOf("\n");
  return [before < 0 ? earliest : earliest + before + 1, after < 0 ? at + MAX_CONTEXT : at + after];
}

/**
 * Lists the citations that the deliverable presents as its sources. Leaves out links that the task
 * names, and links that nothing marks as a source, for instance those of an advertisement.
 */
export function listSources({ task, category, text }: CheckInput): Citation[] {
  const areAllSources = wantsSources(task, category);
  const sections = listReferenceSections(text);
  const given = new Set(listCitations(task).map(({ url }) => url));
  return listCitations(text).filter(
    (citation) =>
      !given.has(citation.url) &&
      (areAllSources ||
        citation.isDoi ||
        isInside(citation, sections) ||
        hasCitingWords(text, citation)),
  );
}

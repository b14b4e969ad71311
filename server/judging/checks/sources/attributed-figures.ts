import type { Passage } from "@/server/judging/checks/check";
import { listCitations } from "./citations";

/** A figure that a deliverable attributes to a page: both are in one sentence. */
export interface AttributedFigure extends Passage {
  /** As written, such as "14.2" or "1,250". */
  figure: string;
  url: string;
}

const FIGURE =
  /(?<![\w.,-])\d{1,3}(?:[,.\u00A0 ]\d{3})+(?:[.,]\d{1,3})?(?![\w,.]*\d)|(?<![\w.,-])\d+(?:[.,]\d+)?(?![\w]|[.,]\d)/g;
const MAX_FIGURES = 50;
const MAX_SENTENCE = 600;

/** Lists the figures of sentences that cite one page. Leaves out years and single digits. */
export function listAttributedFigures(text: string): AttributedFigure[] {
  const citations = listCitations(text);
  const figures: AttributedFigure[] = [];
  for (const citation of citations) {
    const start = findSentenceStart(text, citation.from);
    const others = citations.filter(({ from }) => from >= start && from < citation.from);
    if (others.some(({ url }) => url !== citation.url)) continue;
    for (const { 0: figure, index } of text.slice(start, citation.from).matchAll(FIGURE)) {
      const from = start + index;
      const isInCitation = others.some((one) => from >= one.from && from < one.to);
      if (isInCitation || /^(?:\d|(?:1[5-9]|20)\d\d)$/.test(figure)) continue;
      figures.push({ figure, url: citation.url, from, to: from + figure.length });
      if (figures.length >= MAX_FIGURES) return figures;
    }
  }
  return figures;
}

/** Returns where the sentence with the citation begins; a full stop before a bracket belongs to it. */
function findSentenceStart(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - MAX_SENTENCE), at);
  const own = before.replace(/[.!?]["”»]?\s{0,2}[([—–-]?\s{0,2}(?:source:?\s?)?$/i, (end) =>
    "_".repeat(end.length),
  );
  const start = Math.max(
    own.lastIndexOf("\n"),
    ...[...own.matchAll(/[.!?]["”»]?\s/g)].map(({ index }) => index),
  );
  return at - before.length + start + 1;
}

const toDigits = (figure: string): string => figure.replace(/\D/g, "");

/** Returns whether a text has a figure, whatever separates its thousands and decimals. */
export function occursAsFigure(figure: string, text: string): boolean {
  const wanted = toDigits(figure);
  const written = text.match(/\d[\d.,\u00A0\u202F ']*/g) ?? [];
  return written.some((one) => {
    const digits = toDigits(one);
    return digits === wanted || one.split(/[\s,]+/).some((part) => toDigits(part) === wanted);
  });
}

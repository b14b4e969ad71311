import type { CitedPage } from "@/server/judging/checks/check";
import {
  indexLetters,
  listAttributedQuotations,
  occursInLetters,
} from "@/server/judging/checks/sources/attributed-quotations";
import { listCitations } from "@/server/judging/checks/sources/citations";
import { type Decision, shortenDetail } from "./reading";

/** The pages of a deliverable, each once. */
export interface LinkedPages {
  links: string[];
  /** Pages that a quotation is attributed to. */
  quoted: string[];
}

/** Lists the pages that a text links and quotes. Runs in a worker thread. */
export function listLinkedPages(text: string): LinkedPages {
  const listDistinct = (found: readonly { url: string }[]) => [
    ...new Set(found.map(({ url }) => url)),
  ];
  return {
    links: listDistinct(listCitations(text)),
    quoted: listDistinct(listAttributedQuotations({ task: "", text })),
  };
}

/** Decides whether every quotation is on its page. Runs in a worker thread. */
export function decideQuotations(text: string, pages: Record<string, CitedPage>): Decision {
  const letters = indexLetters(pages);
  const quotations = listAttributedQuotations({ task: "", text });
  if (quotations.length === 0) return { passed: false, observed: "no quotation with its page" };
  const missing = quotations.filter(
    ({ quotation, url }) => !occursInLetters(quotation, letters.get(url) ?? ""),
  );
  const observed = `${quotations.length - missing.length} of ${quotations.length} quotations found`;
  if (missing.length === 0) return { passed: true, observed };
  const detail = missing.map(({ quotation, url }) => `Not on ${url}: “${quotation}”`).join("\n");
  return { passed: false, observed, detail: shortenDetail(detail) };
}

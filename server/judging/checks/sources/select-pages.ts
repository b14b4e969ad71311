import type { CheckInput } from "@/server/judging/checks/check";
import { listAttributedQuotations } from "./attributed-quotations";
import { listSources } from "./citations";

const MAX_PAGES = 10;

/** The pages to fetch for a deliverable; one may be in both lists. */
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

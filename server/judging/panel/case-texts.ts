import { shortenText } from "@/server/judging/documents/shorten";
import type { Brief, Canonical, ReviewInput } from "@/server/judging/judge";
import type { Flag } from "@/server/judging/schema";
import { addressesJudge, hasConfusables } from "./prompt-injection";
import { listUnrelatedCriteria } from "./prompts/control-criteria";
import { prepareQuoteTexts, type QuoteTexts } from "./quotes";
import { type Separation, separatePassages } from "./suspicion/suspect-passages";

/** Maximum characters of a deliverable shown to the votes; a longer one is shortened. */
export const MAX_SHOWN_CHARACTERS = 60_000;
const MAX_SHOWN_DOCUMENT_CHARACTERS = 20_000;

/** The shown part of a case, and the flags raised on its texts. */
export interface CaseTexts {
  shown: string;
  /** Characters of the deliverable: shown and in total. */
  extent: { shown: number; of: number };
  flags: Flag[];
  quotes: QuoteTexts;
  /** Control criteria that the case does not touch on. */
  controls: string[];
  /** Null if no passage of the deliverable seems to be meant for a judge. */
  separation: Separation | null;
}

/** Prepares a case for the panel. Pure; may be slow for long texts. */
export function prepareCaseTexts({ task, deliverable, flags }: Canonical): CaseTexts {
  const { text: shown, ...extent } = shortenText(deliverable.text, MAX_SHOWN_CHARACTERS);
  const raised = new Set(flags);
  const isMixed = [task, shown].some(hasConfusables);
  if (isMixed) raised.add("confusables");
  const separation = separatePassages(task, shown);
  // Mixed letters alone are a reason for a separation, but no order.
  if ((separation && !isMixed) || [task, shown].some(addressesJudge)) {
    raised.add("injection-detected");
  }
  const quotes = prepareQuoteTexts(task, shown, deliverable.text);
  const controls = listUnrelatedCriteria([task, shown]);
  return { shown, extent, flags: [...raised], quotes, controls, separation };
}

/** The shown texts of a disputed case. A party's shown text is its document. */
export interface ReviewTexts extends Pick<CaseTexts, "shown" | "quotes"> {
  contractor: string | null;
  requester: string | null;
}

/** Prepares a disputed case for the panel. Pure; may be slow for long texts. */
export function prepareReviewTexts({
  task,
  deliverable,
  contractor,
  requester,
}: Canonical<ReviewInput>): ReviewTexts {
  const { text: shown } = shortenText(deliverable.text, MAX_SHOWN_CHARACTERS);
  const shortenDocument = (brief: Brief | null) =>
    brief?.evidence ? shortenText(brief.evidence, MAX_SHOWN_DOCUMENT_CHARACTERS).text : null;
  return {
    shown,
    quotes: prepareQuoteTexts(task, shown, deliverable.text),
    contractor: shortenDocument(contractor),
    requester: shortenDocument(requester),
  };
}

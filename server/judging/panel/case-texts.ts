import { shortenText } from "@/server/judging/documents/shorten";
import type { Canonical } from "@/server/judging/judge";
import type { Flag } from "@/server/judging/schema";
import { hasConfusables, hasEncodedText } from "./disguised-text";
import { prepareQuoteTexts, type QuoteTexts } from "./quotes";
import { listUnrelatedCriteria } from "./rubric/criterion-words";

/** Maximum characters of a deliverable shown to the votes; a longer one is shortened. */
export const MAX_SHOWN_CHARACTERS = 60_000;

/** What the panel needs from the texts of a case, computed before the first vote. */
export interface CaseTexts {
  /** The deliverable as the votes see it: shortened if it is too long. */
  shownDeliverable: string;
  /** Characters of the deliverable: shown and in total. */
  shownLength: { shown: number; of: number };
  /** Flags of the case, including those raised on its texts. */
  flags: Flag[];
  quotes: QuoteTexts;
  /** Control criteria that are unrelated to the task and the deliverable. */
  controlCriteria: string[];
}

/**
 * Prepares a case for the panel. Encoded words raise a flag, unless the task of an agreement has some
 * too: one party alone may not announce them. Pure; may be slow for long texts.
 */
export function prepareCaseTexts({ task, deliverable, flags, agreed }: Canonical): CaseTexts {
  const { text: shownDeliverable, ...shownLength } = shortenText(
    deliverable.text,
    MAX_SHOWN_CHARACTERS,
  );
  const shownTexts = [task, shownDeliverable];
  const raisedFlags = new Set(flags);
  if (shownTexts.some(hasConfusables)) raisedFlags.add("confusables");
  const isAnnounced = agreed !== undefined && hasEncodedText(task);
  if (!isAnnounced && shownTexts.some(hasEncodedText)) raisedFlags.add("injection-detected");
  return {
    shownDeliverable,
    shownLength,
    flags: [...raisedFlags],
    quotes: prepareQuoteTexts(task, shownDeliverable, deliverable.text),
    controlCriteria: listUnrelatedCriteria(shownTexts),
  };
}

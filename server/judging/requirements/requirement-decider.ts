import type { CitedPage, FetchOptions, PageStore } from "@/server/judging/checks/check";
import type { CodeWorld } from "@/server/judging/checks/code/code-run";
import type { Requirement, RequirementResult } from "./schema";

/** What requirements are decided on. */
export interface Delivered {
  /** What a reader sees, or null if the deliverable can't be read as text. */
  text: string | null;
  /**
   * The submitted content, or the document before an HTML page is reduced to its text; null if it is
   * not a text document, such as a PDF.
   */
  source: string | null;
  /** The document behind `deliverableUrl`; null if the content was submitted. */
  file: { sha256: string; mediaType: string; bytes: number } | null;
  /** Why there is no text, as a sentence for the public; null if there is. */
  problem: string | null;
}

export interface DecideOptions extends Omit<FetchOptions, "isTextless"> {
  /** The pages that the deliverable links or cites: fetched once and stored, so that later decisions read the copy. */
  pages?: PageStore | undefined;
  /** Clock and random numbers of programs; without it, the present time and always the same numbers. */
  world?: CodeWorld | undefined;
}

/**
 * Decides every requirement on a deliverable: each passes or fails, whatever the text is. Throws only
 * if the service itself fails, or `rate-limited` if pages must wait, so that the decision is repeated.
 */
export type Decide = (
  delivered: Delivered,
  requirements: readonly Requirement[],
  options?: DecideOptions,
) => Promise<RequirementResult[]>;

/**
 * Fetches the first 20 pages that task and criteria name, with their text if requirements need it; none
 * if no requirement is about pages. Throws `rate-limited`.
 */
export type NamedPagesFetch = (
  terms: { task: string; criteria: string[]; requirements: readonly Requirement[] },
  options: DecideOptions,
) => Promise<Record<string, CitedPage>>;

export type RequirementDecider = Decide & { fetchNamedPages: NamedPagesFetch };

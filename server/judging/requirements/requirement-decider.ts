import type { ObserveOptions, PageStore } from "@/server/judging/checks/check";
import type { Delivered } from "./delivered";
import type { Requirement, RequirementResult } from "./schema";

export interface DecideOptions extends ObserveOptions {
  /** The pages that the deliverable links or cites: fetched once and stored, so that later decisions read the copy. */
  pages?: PageStore | undefined;
}

/**
 * Decides every requirement on a deliverable: each passes or fails, whatever the text is. Throws only
 * if the service itself fails, so that the decision is repeated.
 */
export type RequirementDecider = (
  delivered: Delivered,
  requirements: readonly Requirement[],
  options?: DecideOptions,
) => Promise<RequirementResult[]>;

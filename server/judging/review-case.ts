import { inWorker } from "@/server/lib/worker-pool";
import { unchecked } from "./gate";
import type { JudgeOptions } from "./judge";
import type { Prepared } from "./prepare";
import type { Review, Reviewer, ReviewInput } from "./review";

const prepareInWorker = inWorker<[ReviewInput], Prepared<ReviewInput>>(
  "server/judging/prepare.ts",
  "prepareReview",
);

/**
 * Reviews a disputed verdict: texts are made canonical, then the gate decides, or else `reviewer`.
 * What the gate fails holds no work that statements or evidence could be about; a work that is only
 * shown in a dispute was not delivered. What cannot be read within the limits of time and memory
 * leaves the recorded verdict upheld. Throws `JudgeUnavailable` when the reviewer cannot decide by
 * its own fault.
 */
export async function reviewCase(
  reviewer: Reviewer,
  input: ReviewInput,
  options?: JudgeOptions,
): Promise<Review> {
  const prepared = await prepareInWorker(input);
  if (!prepared.ok) return notReviewed(input, "The texts go over the limits of time or memory.");
  const { input: canonical, gated } = prepared.value;
  if (!gated) return reviewer.review(canonical, options);
  if (canonical.deliverable.kind === "unchecked") {
    return notReviewed(input, canonical.deliverable.reason);
  }
  const { judge, detail } = gated;
  return {
    judge,
    version: detail.version,
    finalVerdict: gated.verdict,
    explanation: `${gated.reasoning} No statement or evidence can make up for that.`,
    detail: { ...detail },
  };
}

/** The review of what cannot be read within the limits: it speaks neither for nor against the verdict. */
export function notReviewed({ recorded }: ReviewInput, reason: string): Review {
  const { judge, detail } = unchecked(reason);
  return {
    judge,
    version: detail.version,
    finalVerdict: recorded.verdict,
    explanation: `The case was not checked. ${reason} The recorded verdict, ${recorded.verdict}, is upheld.`,
    detail: { ...detail },
  };
}

import { inWorker } from "@/server/lib/worker-pool";
import { concedes } from "./concession";
import { unchecked } from "./gate";
import type { Judgement, JudgeOptions } from "./judge";
import type { Prepared, prepareReview } from "./prepare";
import type { Review, Reviewer, ReviewInput } from "./review";

const prepareInWorker = inWorker<Parameters<typeof prepareReview>, Prepared<ReviewInput>>(
  "server/judging/prepare.ts",
  "prepareReview",
);

const CONCESSION_ID = "concession/v1";

const SUPPLIED =
  "The requester had submitted this outcome. What was judged here is the deliverable that the contractor supplied in the dispute; that it was delivered before is the contractor's word.";

/**
 * Reviews a disputed verdict, with all texts made canonical: an explicit concession by the party that
 * the verdict favors overturns it; otherwise the gate decides, or `reviewer`. What cannot be read within
 * the limits of time and memory leaves the recorded verdict upheld. Throws `JudgeUnavailable` when the
 * reviewer cannot decide by its own fault.
 */
export async function reviewCase(
  reviewer: Reviewer,
  input: ReviewInput,
  options?: JudgeOptions,
): Promise<Review> {
  const prepared = await prepareInWorker(input);
  if (!prepared.ok) return notReviewed(input, "The texts go over the limits of time or memory.");
  const { input: canonical, gated } = prepared.value;
  const conceded = concession(canonical);
  if (conceded) return conceded;
  const review = gated ? gatedReview(canonical, gated) : await reviewer.review(canonical, options);
  if (!input.isSupplied) return review;
  return { ...review, explanation: `${SUPPLIED}\n${review.explanation}` };
}

/**
 * Returns the review if the favored party alone concedes in its own statement. Of two parties that each
 * concede, neither does: they do not agree on the verdict.
 */
function concession({ recorded, ...input }: ReviewInput): Review | null {
  const [favored, other] =
    recorded.verdict === "SUCCESS"
      ? (["contractor", "requester"] as const)
      : (["requester", "contractor"] as const);
  const hasConceded = (party: typeof favored | typeof other) =>
    concedes(party, input[party]?.statement ?? "");
  if (!hasConceded(favored) || hasConceded(other)) return null;
  return {
    judge: { kind: "gate", id: CONCESSION_ID },
    version: CONCESSION_ID,
    finalVerdict: recorded.verdict === "SUCCESS" ? "FAILURE" : "SUCCESS",
    explanation: `The recorded verdict, ${recorded.verdict}, favored the ${favored}, which explicitly concedes the dispute in its statement. An explicit concession overturns the verdict; the work was not judged again.`,
    detail: { method: CONCESSION_ID, conceded: favored },
  };
}

/** A deliverable without text holds nothing that a statement or a document could be about. */
function gatedReview(input: ReviewInput, gated: Judgement): Review {
  if (input.deliverable.kind === "unchecked") return notReviewed(input, input.deliverable.reason);
  const { judge, verdict, reasoning, detail } = gated;
  return {
    judge,
    version: detail.version,
    finalVerdict: verdict,
    explanation: `${reasoning} It holds no text that statements or evidence could be about.`,
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

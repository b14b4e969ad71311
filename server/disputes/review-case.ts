import type { CanonicalCase, canonicaliseReview } from "@/server/judging/canonicalise-case";
import { UNDECIDED_PPM } from "@/server/judging/checks/confidence";
import type {
  AgreedCase,
  DisputeParty,
  Judgement,
  JudgeOptions,
  Review,
  Reviewer,
  ReviewInput,
} from "@/server/judging/judge";
import { decideAgreed, describeRequirements } from "@/server/judging/judge-agreed";
import { upholdUnchecked } from "@/server/judging/pre-check";
import type { RequirementResult } from "@/server/judging/requirements/schema";
import { inWorker } from "@/server/lib/process/worker-pool";
import { isConcession } from "./concession";

const canonicaliseInWorker = inWorker<
  Parameters<typeof canonicaliseReview>,
  CanonicalCase<ReviewInput>
>("server/judging/canonicalise-case.ts", "canonicaliseReview");

const CONCESSION_ID = "concession/v1";

const REQUIREMENTS_NOTE =
  "Under the agreement, only its terms were decided again, on the stored deliverable.";

const SUPPLIED_NOTE =
  "The client submitted this outcome. This review judged the deliverable that the contractor supplied in the dispute; only the contractor claims that it was delivered earlier.";

/**
 * Reviews a disputed verdict on canonical texts. An explicit concession by the party that the
 * verdict favors overturns it; otherwise the requirements of an agreement, the pre-check or `reviewer`
 * decide. The verdict is upheld if
 * the texts cannot be read within the limits on time and memory. Throws `JudgeUnavailable` if the
 * reviewer itself fails.
 */
export async function reviewCase(
  reviewer: Reviewer,
  submitted: ReviewInput,
  options: JudgeOptions = {},
): Promise<Review> {
  const canonical = await canonicaliseInWorker.for(options.queueKey)(submitted);
  if (!canonical.ok) {
    return upholdUnchecked(submitted, "The texts exceed the time or memory limit.");
  }
  const { input, decided } = canonical.value;
  const conceded = reviewConcession(input);
  if (conceded) return conceded;
  const agreed = submitted.agreed && (await decideAgreed(submitted as AgreedCase, options));
  if (agreed?.judgement) return reviewByRequirements(submitted, agreed.judgement);
  const review = decided
    ? reviewWithoutText(input, decided)
    : await reviewer.review(input, options);
  if (agreed) return addRequirements(review, agreed.requirements);
  if (!input.isSupplied) return review;
  return { ...review, explanation: `${SUPPLIED_NOTE}\n${review.explanation}` };
}

/**
 * Returns the review if only the favored party concedes in its own statement. If both parties
 * concede, neither concession counts: they do not agree on the verdict.
 */
function reviewConcession({ recorded, ...input }: ReviewInput): Review | null {
  const favored = recorded.verdict === "SUCCESS" ? "contractor" : "requester";
  const other = favored === "contractor" ? "requester" : "contractor";
  const hasConceded = (party: DisputeParty) => isConcession(party, input[party]?.statement ?? "");
  if (!hasConceded(favored) || hasConceded(other)) return null;
  return {
    judge: { kind: "gate", id: CONCESSION_ID },
    version: CONCESSION_ID,
    finalVerdict: recorded.verdict === "SUCCESS" ? "FAILURE" : "SUCCESS",
    // Evidence against oneself. A requester's concession could be bought.
    assessed: favored === "contractor",
    explanation: `The recorded verdict, ${recorded.verdict.toLowerCase()}, favored the ${favored === "requester" ? "client" : favored}, which explicitly concedes the dispute in its statement. An explicit concession overturns the verdict; the work was not judged again.`,
    detail: { method: CONCESSION_ID, conceded: favored },
  };
}

/**
 * Returns the review of an outcome that its agreement's requirements decide: they were decided again on
 * the stored deliverable and pages. A deliverable that can't be read any more overturns nothing.
 */
function reviewByRequirements(input: ReviewInput, decided: Judgement): Review {
  const { judge, verdict, reasoning, detail } = decided;
  if (judge.kind === "gate" && input.delivered) return upholdUnchecked(input, reasoning);
  const recorded = input.recorded.verdict;
  const result = verdict === recorded ? "is upheld" : "is overturned";
  return {
    judge,
    version: detail.version,
    finalVerdict: verdict,
    assessed: true,
    explanation: `${REQUIREMENTS_NOTE} ${reasoning} The recorded verdict, ${recorded.toLowerCase()}, ${result}.`,
    detail: { ...detail },
  };
}

/** Returns the review of the criteria, together with what code decided again. */
function addRequirements(review: Review, requirements: RequirementResult[]): Review {
  return {
    ...review,
    explanation: `${REQUIREMENTS_NOTE} ${describeRequirements(requirements)}\n${review.explanation}`,
    detail: { ...review.detail, requirements },
  };
}

/**
 * Returns the review of a deliverable without text: statements and documents cannot refer to it.
 */
function reviewWithoutText(input: ReviewInput, decided: Judgement): Review {
  if (input.deliverable.kind === "unchecked")
    return upholdUnchecked(input, input.deliverable.reason);
  const { judge, verdict, confidencePpm, reasoning, detail } = decided;
  return {
    judge,
    version: detail.version,
    finalVerdict: verdict,
    assessed: confidencePpm > UNDECIDED_PPM,
    explanation: `${reasoning} It contains no text that statements or evidence could refer to.`,
    detail: { ...detail },
  };
}
